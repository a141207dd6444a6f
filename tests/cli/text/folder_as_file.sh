# A folder instead of a text file.  SPDX-License-Identifier: Apache-2.0
refused 1 "can't read ." say -f .
