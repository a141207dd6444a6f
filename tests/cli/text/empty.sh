# An empty text can't be spoken.  SPDX-License-Identifier: Apache-2.0
refused 3 "text is empty" say ""
refused 3 "text is empty" say
printf '\357\273\277' >bom.txt
refused 3 "text is empty" say -f bom.txt
