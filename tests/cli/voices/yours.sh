# Voices of the user's: listed, shown, checked, exported, imported, added, removed.  SPDX-License-Identifier: Apache-2.0
anna
folder=$XDG_DATA_HOME/kztts/voices
run 0 voices
has out "anna         clone with context, for base models of width 84"
hasnt out "doesn't fit"
run 0 voices list --json
has out '{"name": "anna", "default": false, "kind": "clone", "width": 84'
has out '"fits": true}'
run 0 voices -m "$MODEL"
same "$(head -n 1 out)" serena
same "$(grep -c . out)" 10
has out "doesn't fit this model"
run 0 voices show anna
has out "transcript   $WORDS"
run 0 voices check anna
has out "ok: clone with context"
has out "it fits the model"
run 0 voices export anna
run 0 voices import anna.json -o ben --name anna
cmp "$folder/anna.kzvoice" "$folder/ben.kzvoice"
run 0 voices add "$folder/anna.kzvoice" -o ./copy --name anna
cmp "$folder/anna.kzvoice" copy.kzvoice
mkdir clara
cp anna.wav clara/ref.wav
echo "$WORDS" >clara/ref.txt
run 0 voices add -q clara --consent "I am Clara"
same "$(say --format md5 -v clara hello)" "$(say --format md5 -v anna hello)"
run 0 voices add -q anna.wav -o dora --consent "I am Dora"
python3 -c 'import struct; open("v.bin", "wb").write(struct.pack("<84f", *[0.01 * i for i in range(84)]))'
run 0 voices import v.bin -o emil --consent "I am Emil"
run 0 voices show emil
has out "source       imported"
mkdir deep
echo "A deep voice." >deep/instruct.txt
run 0 voices add deep -m "$CHECKPOINTS/mtp-vd"
has err "ok kind=described"
echo rubbish >"$folder/bad.kzvoice"
run 0 voices
has out "bad          unusable:"
run 0 voices rm -q --force bad ben clara dora emil deep
same "$(cd "$folder" && ls *.kzvoice)" anna.kzvoice
