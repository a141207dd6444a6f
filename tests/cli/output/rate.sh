# --rate: another sample rate of the same length; rates that a format can't have are refused.  SPDX-License-Identifier: Apache-2.0
built_with --rate 8000 || skip "built without libsoxr"
for rate in 8000 16000 22050 44100 48000 96000; do
    say --rate $rate -o a.wav hello
    same "$(number a.wav 24 4)" $rate
    samples=$(($(wav_pcm a.wav | wc -c) / 2))
    near $samples $((rate * 3 * 8 / 100)) 1
done
say --rate 24000 -o a.wav hello
say -o b.wav hello
cmp a.wav b.wav
say hello | cat >c.wav
say --rate 24000 hello | cmp - c.wav
refused 2 "isn't a whole number from 8000 to 192000" say --rate 7999 hello
refused 2 "isn't a whole number from 8000 to 192000" say --rate 44.1 hello
if built_with --format mp3; then
    refused 2 "mp3 can't have 96000 samples a second; --rate takes for it: 8000 " say --rate 96000 -o a.mp3 hello
    [ ! -e a.mp3 ]
fi
