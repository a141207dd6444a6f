# Bytes that are no text.  SPDX-License-Identifier: Apache-2.0
head -c 3000 "$MODEL/model.safetensors" >bad
refused 8 "bad: line 1, column" decode --format null bad
printf '1 2\0003\n' >bad
refused 8 "found the byte 0x00" decode --format null bad
