# Nor can emoji alone; nothing is left behind.  SPDX-License-Identifier: Apache-2.0
refused 3 "speak" say -o x.wav "🙂 🎉"
[ ! -e x.wav ]
