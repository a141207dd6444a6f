# Voices of other engines, one file each: what is in them is what the voice has.  SPDX-License-Identifier: Apache-2.0
anna
run 0 voices export -q anna
python3 "$TOP/tests/cli/foreign.py" anna.json
want=$(say --format md5 -v anna hello)
for file in qvoice.qvoice graft.qvoice pair.spk prompt.pt pack.gguf; do
    name=${file%.*}
    run 0 voices import $file -o "$name" --consent "I am Anna"
    has err "ok kind=clone width=84"
    same "$(say --format md5 -v "$name" hello)" "$want" "$file"
    run 0 voices show "$name"
    has out "source       imported"
    has out "transcript   $WORDS"
done
run 0 voices import two.gguf --which ben --consent "I am Ben"
same "$(say --format md5 -v ben hello)" "$want" "a voice of a pack"
run 0 voices import two.pt --which 2 -o second --consent "I am Ben"
same "$(say --format md5 -v second hello)" "$want" "the second of two"
run 0 voices import alone.spk --consent "I am Anna"
run 0 voices show alone
hasnt out "transcript"
# NAME.wav has its words beside it
cp anna.wav clara.wav
echo "$WORDS" >clara.txt
run 0 voices import -q clara.wav --consent "I am Clara"
same "$(say --format md5 -v clara hello)" "$want" "a recording with its words"
