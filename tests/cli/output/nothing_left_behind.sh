# A request that fails leaves no new file.  SPDX-License-Identifier: Apache-2.0
refused 2 "language" say -l klingon -o a.wav --codes codes hello
[ ! -e a.wav ] && [ ! -e codes ]
