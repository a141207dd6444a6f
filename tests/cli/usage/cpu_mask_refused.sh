# Cores that make no sense, or aren't there.  SPDX-License-Identifier: Apache-2.0
[ "$(uname)" = Linux ] || skip "other systems have no such option"
for mask in "" x 0x 0xg 3-1 1- -1 1,,2 ,1 1, 1.5 ' 1' 99999999999 2-99999 "0x1$(printf '%0300d' 0)"; do
    refused 2 "--cpu-mask: '$mask' is neither a list of cores such as 0-3,5 nor a mask such as 0x2f" \
        info --cpu-mask="$mask"
done
refused 2 "--cpu-mask: '0x0' has no core at all" info --cpu-mask 0x0
refused 2 "--cpu-mask: core 1023 of '1023' isn't there" info --cpu-mask 1023
export KZTTS_CPU_MASK=none
refused 2 "KZTTS_CPU_MASK: 'none' is neither" info
