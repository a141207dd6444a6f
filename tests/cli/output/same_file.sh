# A file that is read isn't written, and none is written twice, however it is spelled.  SPDX-License-Identifier: Apache-2.0
mkdir here
ln -s here there
ln -s later.wav link.wav
echo "Good morning." >text
refused 2 "-f and --output name the same file 'text': it would be overwritten" say -f text -o text --format wav
refused 2 "-f and --srt name the same file 'text'" say -f text --srt ./text -o a.wav
refused 2 "--output and --srt name the same file 'a.wav' ('../case/a.wav')" say -o a.wav --srt ../case/a.wav hello
refused 2 "--output and --codes name the same file" say -o a.wav --codes ./a.wav hello
refused 2 "--output and --codes name the same file" say -o here/a.wav --codes there/a.wav hello
refused 2 "--output and --vtt name the same file" say -o link.wav --vtt later.wav hello
refused 2 "--srt and --vtt name the same output '-'" say -o a.wav --srt - --vtt - hello
cp "$CHECKPOINTS/../../../voices/kazeia-mini/config.json" model.json
refused 2 "--model and --output name the same file" say -m model.json -o ./model.json --format wav hello
say --codes codes --format null hello
cp codes want
refused 2 "CODES_FILE and --output name the same file 'codes': it would be overwritten" decode codes -o codes --format wav
ln codes hard
refused 2 "CODES_FILE and --output name the same file" decode codes -o hard --format wav
refused 2 "RECORDING and --codes name the same file" encode text --codes ./text
cmp codes want
same "$(cat text)" "Good morning."
same "$(echo *)" "codes err hard here link.wav model.json out text there want"
run 0 say -q --max-frames 2 -o /dev/null --format wav --codes /dev/null hello
echo old >a.wav
run 0 say -q --max-frames 2 -f text -o a.wav --codes text2 --srt text3
wav_complete a.wav
