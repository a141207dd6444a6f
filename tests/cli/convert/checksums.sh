# verify with one file: its checksums.  SPDX-License-Identifier: Apache-2.0
run 0 convert "$MODEL" -q -o a.kztts --quant q8
run 0 verify a.kztts
has err "ok a.kztts: all checksums are right"
run 0 verify -q a.kztts
[ ! -s err ]
size=$(wc -c <a.kztts)
for at in $((size / 2)) $((size - 1)); do
    cp a.kztts b.kztts
    byte=$(od -An -tu1 -j "$at" -N 1 a.kztts)
    # shellcheck disable=SC2059  # an octal escape
    printf "\\$(printf %03o $((byte ^ 1)))" | dd of=b.kztts bs=1 seek="$at" conv=notrunc 2>/dev/null
    refused 8 "have another checksum than the header says" verify b.kztts
done
printf X | dd of=a.kztts bs=1 seek=200 conv=notrunc 2>/dev/null
refused 8 "the header's checksum is" verify a.kztts
refused 8 "the header's checksum is" say -m a.kztts hello
refused 8 "no prepared file" verify "$MODEL/model.safetensors"
refused 8 "give a second model to compare this one with" verify "$MODEL/model.safetensors"
refused 8 "only those, as kztts convert makes them, have checksums" verify "$MODEL"
printf 'GGUF and something behind it' >n.gguf
refused 8 "only those, as kztts convert makes them, have checksums" verify n.gguf
refused 6 "none.kztts: No such file" verify none.kztts
