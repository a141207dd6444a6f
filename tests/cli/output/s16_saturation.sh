# What is beyond full scale is cut: this model clips.  SPDX-License-Identifier: Apache-2.0
KZTTS_MODEL=$CHECKPOINTS/odd-base
i=0
while [ $i -lt 8 ]; do
    echo "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 $i"
    i=$((i + 1))
done >codes
"$KZTTS" decode -q -o a.f32 codes
"$KZTTS" decode -q -o a.pcm codes
same "$(size a.pcm)" $((8 * 3840))
od -An -v -td2 -w2 a.pcm | tr -d ' ' | sort -un >values
[ "$(head -n 1 values)" -ge -32768 ]
[ "$(tail -n 1 values)" -le 32767 ]
