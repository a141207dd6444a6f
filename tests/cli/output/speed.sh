# --speed changes the length; 1 changes nothing.  SPDX-License-Identifier: Apache-2.0
say --speed 1 -o a.wav hello
say -o b.wav hello
cmp a.wav b.wav
refused 2 "isn't a number from 0.25 to 4" say --speed 0.2 -o c.wav hello
refused 2 "isn't a number from 0.25 to 4" say --speed 4.1 -o c.wav hello
refused 2 "isn't a number from 0.25 to 4" say --speed nan -o c.wav hello
[ ! -e c.wav ]
built_with --speed 2 || skip "built without libsonic"
for speed in 0.25 0.5 1.5 2 4; do
    run 0 say --max-frames 50 --speed $speed -o a.wav --codes codes.$speed hello
    near "$(seconds a.wav)" "(4 / $speed)" "(0.05 + 0.03 / $speed)"
    has err "audio=$(printf %.1f "$(seconds a.wav)" | cut -c1)"
    cmp codes.$speed codes.0.25
done
"$KZTTS" decode -q --speed 2 -o b.wav codes.2
"$KZTTS" say -q --max-frames 50 --speed 2 -o a.wav hello
wav_pcm a.wav >a.pcm
wav_pcm b.wav | cmp - a.pcm
"$KZTTS" say -q --max-frames 50 --speed 2 --format pcm hello | cmp - a.pcm
