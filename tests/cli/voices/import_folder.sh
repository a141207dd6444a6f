# A folder of voices, as other programs keep them; and what is wrong with some.  SPDX-License-Identifier: Apache-2.0
base_model
clip clip.wav
mkdir -p flat tree/en_US/lessac tree/xx_XX/thorsten tree/en_US/narrator tree/empty single
cp clip.wav flat/anna.wav
echo "$WORDS" >flat/anna.txt
cp clip.wav flat/music.wav # no words: no voice
for folder in tree/en_US/lessac tree/xx_XX/thorsten single; do
    cp clip.wav $folder/ref.wav
    echo "$WORDS" >$folder/ref.txt
done
echo "A deep voice." >tree/en_US/narrator/instruct.txt
run 0 voices import flat --consent "They agreed"
has err "ok imported=1 skipped=0 failed=0"
want=$(say --format md5 -v anna hello)
run 0 voices import tree --consent "They agreed"
has err "skipped narrator: a voice_design model takes descriptions"
has err "ok imported=2 skipped=1 failed=0"
same "$(say --format md5 -v lessac hello)" "$want"
run 0 voices show lessac
has out "language     english"
has out "consent      They agreed"
run 0 voices show thorsten
hasnt out "language"
run 0 voices import tree -m "$CHECKPOINTS/mtp-vd"
has err "ok imported=1 skipped=2 failed=0"
run 0 voices show narrator
has out "description  A deep voice."
run 0 voices import -q single --consent "They agreed"
same "$(say --format md5 -v single hello)" "$want" "one voice in a folder"
# those that are there are kept, a bad recording is named, the others are imported
mkdir new
cp tree/en_US/lessac/ref.wav new/ben.wav
echo "$WORDS" >new/ben.txt
cp new/ben.wav new/anna.wav
cp new/ben.txt new/anna.txt
echo rubbish >new/carl.wav
echo "$WORDS" >new/carl.txt
run 2 voices import new --consent "They agreed"
has err "anna.kzvoice' is there already"
has err "carl.wav"
has err "ok imported=1 skipped=0 failed=2"
run 0 voices rm -q --force ben
rm new/anna.*
run 8 voices import new --consent "They agreed"
refused 2 "needs the person's consent" voices import flat
refused 6 "holds no voices" voices import tree/empty
refused 2 "is of one voice" voices import flat -o x
run 5 voices import flat -m "$CHECKPOINTS/mtp-vd"
has err "none of the 1 voices of 'flat' is for a voice_design model"
