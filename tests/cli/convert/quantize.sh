# Smaller weights, from a folder and from a prepared file.  SPDX-License-Identifier: Apache-2.0
md5() { "$KZTTS" say -q --max-frames 8 -s 3 --format md5 -o - "$@" "One, two."; }

run 0 convert "$MODEL" -q -o full.kztts
run 0 quantize "$MODEL" a.kztts q8
has err "ok size="
run 0 quantize -q full.kztts b.kztts q8
same "$(md5 -m a.kztts)" "$(md5 --quant q8)"
same "$(md5 -m b.kztts)" "$(md5 --quant q8)"
same "$(md5 -m full.kztts --quant q8)" "$(md5 --quant q8)"
run 0 quantize full.kztts c.kztts talker=q4,predictor=q8
run 0 info -m c.kztts
has out "talker q4, predictor q8"
refused 2 "a model, a file to be written and the types" quantize full.kztts d.kztts
refused 2 "is not understood" quantize full.kztts d.kztts q5
refused 2 "source and target are the same file" quantize full.kztts full.kztts q8 --force
refused 2 "is q8 in this file and can't become q4_0" quantize a.kztts d.kztts q4_0
[ ! -e d.kztts ]
