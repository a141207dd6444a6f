# What isn't a number is named with line and column.  SPDX-License-Identifier: Apache-2.0
say --codes codes --format null hello
sed '2s/ / x/' codes >bad
refused 8 "bad: line 2, column" decode --format null bad
sed '1s/ / -/' codes >bad
refused 8 "found the byte 0x2d" decode --format null bad
sed '3s/ /,/' codes >bad
refused 8 "line 3, column" decode --format null bad
has err "found the byte 0x2c"
printf '1\r2\n' >bad
refused 8 "line 1, column 2: a code is expected, found the byte 0x0d" decode --format null bad
