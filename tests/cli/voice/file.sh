# Voice files that aren't there, are damaged, or don't fit; files that are none.  SPDX-License-Identifier: Apache-2.0
anna
file=$XDG_DATA_HOME/kztts/voices/anna.kzvoice
refused 6 "no voice file './none.kzvoice'" say -v ./none.kzvoice hello
refused 6 "did you mean 'anna'?" say -v ana hello
refused 6 "no voice 'zacharias' in" say -v zacharias hello
refused 2 "is a recording: --ref FILE speaks with its voice" say -v anna.wav hello
refused 2 "kztts voices import makes one" say -v anna.json hello
head -c 300 "$file" >cut.kzvoice
refused 8 "cut.kzvoice" say -v ./cut.kzvoice hello
cp "$file" other.kzvoice
change other.kzvoice kzvoice/1 kzvoice/9
refused 8 "kzvoice/9" say -v ./other.kzvoice hello
echo hello >text.kzvoice
refused 8 "text.kzvoice" say -v ./text.kzvoice hello
refused 5 "this checkpoint (custom_voice) speaks with its presets only" say -m "$MODEL" -v anna hello
refused 5 "anna.kzvoice" say -m "$CHECKPOINTS/mtp-vd" -v anna hello
