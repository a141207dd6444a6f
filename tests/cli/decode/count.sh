# Too few and too many codes in a line.  SPDX-License-Identifier: Apache-2.0
say --codes codes --format null hello
sed '2s/ [0-9]*$//' codes >bad
refused 8 "15 codes, expected 16" decode --format null bad
has err "line 2"
sed '3s/$/ 1/' codes >bad
refused 8 "more than 16 codes" decode --format null bad
has err "line 3"
