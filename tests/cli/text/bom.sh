# A BOM is dropped.  SPDX-License-Identifier: Apache-2.0
printf '\357\273\277Hello.' >a.txt
same "$(say --format md5 -f a.txt)" "$(say --format md5 Hello.)"
