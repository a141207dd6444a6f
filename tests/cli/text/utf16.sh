# UTF-16 is recognised.  SPDX-License-Identifier: Apache-2.0
printf '\377\376H\0i\0' >a.txt
refused 3 "UTF-16, convert it with iconv" say -f a.txt
