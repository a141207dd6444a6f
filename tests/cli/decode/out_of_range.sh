# Codes beyond the codebook, however long.  SPDX-License-Identifier: Apache-2.0
say --codes codes --format null hello
sed '2s/[0-9]*$/64/' codes >bad
refused 8 "code 64 is out of range, expected 0 to 63" decode --format null bad
for code in 4294967296 18446744073709551616 100000000 2147483648 99999999999999999999999999999999999999; do
    sed "2s/[0-9]*\$/$code/" codes >bad
    refused 8 "bad: line 2, column" decode --format null bad
    has err "out of range"
done
sed '2s/[0-9]*$/00000000000000000000063/' codes >good
run 0 decode --format null good
