# CRLF is LF, and newlines at the end don't count.  SPDX-License-Identifier: Apache-2.0
printf 'One.\r\nTwo.\r\n' >a.txt
same "$(say --format md5 -f a.txt)" "$(say --format md5 "One.
Two.")"
