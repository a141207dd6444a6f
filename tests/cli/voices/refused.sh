# What the actions of voices don't take.  SPDX-License-Identifier: Apache-2.0
anna
file=$XDG_DATA_HOME/kztts/voices/anna.kzvoice
for action in show check export; do
    refused 6 "you have no voice 'annna'; did you mean 'anna'?" voices $action annna
    refused 2 "which voice?" voices $action
    refused 2 "one voice at a time" voices $action anna anna
done
refused 2 "--force does it without asking" voices rm anna
refused 2 "rm takes names of your voices" voices rm ./anna.kzvoice
refused 6 "did you mean 'anna'?" voices rm ana --force
refused 2 "remove which voice?" voices rm
[ -f "$file" ] || fail "anna was removed"
refused 2 "exported to a .json file" voices export anna -o anna.txt
run 0 voices export -q anna
refused 2 "'anna.json' is there already; --force replaces it" voices export anna
run 0 voices export -q anna --force
refused 2 "anna.kzvoice' is there already" voices import anna.json
refused 2 "kztts voices add takes it" voices import "$file" -o b
refused 2 "kztts voices import takes it" voices add anna.json -o b
refused 6 "there is no file 'none.json'" voices import none.json
refused 2 "of which file?" voices import
echo '{"rubbish": 1}' >rubbish.json
refused 8 "rubbish.json" voices import rubbish.json
echo hello >a.xyz
refused 2 "a.xyz" voices import a.xyz -o xyz
head -c 320 /dev/zero >zero.bin
refused 8 "zero.bin" voices import zero.bin
python3 -c 'import struct; open("wide.bin", "wb").write(struct.pack("<80f", *[0.01 * i for i in range(80)]))
open("v.bin", "wb").write(struct.pack("<84f", *[0.01 * i for i in range(84)]))'
refused 5 "80" voices import wide.bin --consent x
refused 2 "needs the person's consent" voices import v.bin
mkdir folder
refused 6 "neither ref.wav nor instruct.txt" voices add folder
refused 5 "presets only" voices check anna -m "$MODEL"
head -c 200 "$file" >cut.kzvoice
refused 8 "cut.kzvoice" voices check cut.kzvoice
refused 8 "cut.kzvoice" voices add cut.kzvoice
run 0 voices export -q anna -o voice.json
python3 "$TOP/tests/cli/foreign.py" voice.json
refused 8 "the weight-delta form" voices import delta.qvoice
refused 8 "but no .txt with the words" voices import lonely.spk
refused 8 "it names os.system of Python" voices import evil.pt
refused 8 "is compressed" voices import packed.pt
refused 8 "it holds 2 voices; choose one by its number, 1 to 2" voices import two.pt
refused 8 "it holds 2 voices; choose one by its number, 1 to 2" voices import two.pt --which 3 -o x
refused 8 "it holds 2 voices; choose one by its name: anna, ben" voices import two.gguf
refused 8 "but no voice pack" voices import model.gguf
refused 2 "hold one voice" voices import voice.json --which anna -o x
for file in qvoice.qvoice pair.spk prompt.pt pack.gguf; do
    refused 2 "needs the person's consent" voices import $file -o x
    head -c 100 $file >cut.${file##*.}
done
refused 8 "cut off" voices import cut.qvoice
head -c 99 pair.spk >short.spk
refused 8 "99 bytes aren't a speaker vector" voices import short.spk
refused 8 "the directory at its end is missing" voices import cut.pt
refused 8 "truncated" voices import cut.gguf
refused 2 "kztts voices import takes it" voices add qvoice.qvoice -o x
