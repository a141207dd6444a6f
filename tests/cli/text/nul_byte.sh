# A NUL byte in a text.  SPDX-License-Identifier: Apache-2.0
printf 'ab\0c' >a.txt
refused 3 "a.txt: a NUL byte at byte offset 2" say -f a.txt
