# A recording becomes a voice file, the same one every time; the voice is that of say --ref.  SPDX-License-Identifier: Apache-2.0
base_model
clip a.wav
export SOURCE_DATE_EPOCH=1000000000
run 0 clone a.wav -T "$WORDS" -o anna --consent "I am Anna" --name "Anna A" -l en --licence "CC0"
[ ! -s out ]
has err "reference a.wav: WAV, 16-bit PCM, 24000 Hz, 1 channel, 4.56 s"
for check in length speech level clipping noise start end ending band transcript; do
    has err "  ok       $check"
done
has err "used: the recording as it is"
has err "ok kind=clone width=84 frames=57 model=base/"
file=$XDG_DATA_HOME/kztts/voices/anna.kzvoice
for text in kzvoice/1 "I am Anna" "Anna A" english CC0 "$WORDS" recording 2001-09-09T01:46:40Z "$(sha256sum <a.wav | cut -d' ' -f1)"; do
    grep -qaF "$text" "$file" || fail "no '$text' in the file"
done
printf "$WORDS\n" >a.txt
run 0 clone -q a.wav --ref-text-file a.txt -o ./b --consent "I am Anna" --name "Anna A" -l english --licence CC0
[ ! -s err ]
cmp b.kzvoice "$file"
want=$(say --format md5 --ref a.wav -T "$WORDS" hello)
same "$(say --format md5 -v anna hello)" "$want"
same "$(say --format md5 -v ./b.kzvoice hello)" "$want"
same "$(say --format md5 -v b.kzvoice hello)" "$want"
same "$(KZTTS_VOICE=nobody say --format md5 --ref a.wav -T "$WORDS" hello)" "$want" "the command line goes first"
same "$(KZTTS_REF=none.wav say --format md5 -v anna hello)" "$want" "the command line goes first"
differ "$(say --format md5 --ref a.wav hello)" "$want" "by the vector alone"
same "$(say --format md5 --ref a.wav -T "$WORDS" --x-vector-only hello)" "$(say --format md5 --ref a.wav hello)"
run 0 say --max-frames 1 --format null -v anna hello
has err "voice=Anna_A lang"
run 0 say --max-frames 1 --format null --ref a.wav hello
has err "voice=cloned lang"
run 0 clone -q a.wav -o g --consent mine -l German
run 0 voices show g
has out "language     german"
