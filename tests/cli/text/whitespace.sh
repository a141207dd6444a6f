# Nor can blanks.  SPDX-License-Identifier: Apache-2.0
refused 3 "text is empty" say "   "
printf ' \n\t\r\n \n' >blank.txt
refused 3 "text is empty" say -f blank.txt
