# A model as one file, used like the folder that it came from.  SPDX-License-Identifier: Apache-2.0
md5() { "$KZTTS" say -q --max-frames 8 -s 3 --format md5 -o - "$@" "One, two."; }

for quant in stored q8 q4_0 talker=q8,predictor=stored,codec=f32; do
    run 0 convert "$MODEL" -o a.kztts --force --quant $quant
    has err "ok size="
    [ ! -s out ]
    same "$(md5 -m a.kztts)" "$(md5 -m "$MODEL" --quant $quant)" $quant
done
mkdir elsewhere
mv a.kztts elsewhere/b.kztts
same "$(md5 -m elsewhere/b.kztts -t 3 --cpu c)" "$(md5 --quant talker=q8)"

# no other file is read
run 0 convert "$CHECKPOINTS/mtp-vd" -q -o d.kztts
[ ! -s err ]
run 0 say -m d.kztts --max-frames 2 -i "A calm voice." -o d.wav Hello
run 0 convert "$CHECKPOINTS/odd-base" -o base.kztts --quant q8
run 0 info -m base.kztts --json
has out '"kind": "prepared"'
has out '"clone": true'
has out '"talker_weights": "q8"'
has out '"codec_weights": "f32"'
python3 "$TOP/tests/cli/clip.py" clip.wav
run 0 encode -m base.kztts clip.wav
cp out codes
run 0 encode -m "$CHECKPOINTS/odd-base" clip.wav
cmp out codes
run 0 decode -m base.kztts codes --format md5 -o -
cp out sound
run 0 decode -m "$CHECKPOINTS/odd-base" codes --format md5 -o -
cmp out sound
run 0 tokenize -m base.kztts "Hello there."
cp out ids
run 0 tokenize -m "$CHECKPOINTS/odd-base" "Hello there."
cmp out ids
run 0 inspect base.kztts
has out "talker q8, predictor q8, codec f32"
