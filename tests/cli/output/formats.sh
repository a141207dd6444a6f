# pcm is what WAV has behind its header, md5 is its hash, f32 has the same samples.  SPDX-License-Identifier: Apache-2.0
say -o a.wav hello
wav_pcm a.wav >want
say -o a.pcm hello
cmp a.pcm want
say -o a.RAW hello
cmp a.RAW want
say --format pcm -o - hello | cat >a.bin
cmp a.bin want
say --format f32 -o a.bin hello
say -o a.f32 hello
cmp a.bin a.f32
same "$(size a.f32)" $((2 * $(size want)))
same "$(say --format md5 hello)" "$(md5sum <want | cut -d' ' -f1)"
say --format md5 -o hash hello
same "$(cat hash)" "$(say --format md5 hello)"
same "$(say --format null hello | wc -c | tr -d ' ')" 0
