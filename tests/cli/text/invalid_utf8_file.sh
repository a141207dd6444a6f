# The offset counts from the file's beginning, BOM and CR included.  SPDX-License-Identifier: Apache-2.0
printf '\357\273\277a\r\n\303(' >a.txt
refused 3 "a.txt: invalid UTF-8 at byte offset 6 (0xc3)" say -f a.txt
printf 'good' >good.txt
refused 3 "a.txt: invalid UTF-8 at byte offset 6" say -f good.txt -f a.txt
