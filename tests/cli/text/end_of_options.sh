# After -- everything is text.  SPDX-License-Identifier: Apache-2.0
same "$(say --format md5 -- -q hello | grep -c .)" 1
differ "$(say --format md5 -- -q hello)" "$(say --format md5 hello)"
refused 3 "speak" say -- -
