# Into a pipe the sizes are 0xFFFFFFFF; the samples are the file's.  SPDX-License-Identifier: Apache-2.0
say -o a.wav hello
say hello | cat >pipe.wav
same "$(number pipe.wav 4 4)" 4294967295
list=$((8 + $(number pipe.wav 40 4)))
same "$(bytes pipe.wav $((36 + list)) 4)" data "behind the LIST chunk"
same "$(number pipe.wav $((40 + list)) 4)" 4294967295
wav_pcm a.wav >a.pcm
wav_pcm pipe.wav >pipe.pcm
cmp a.pcm pipe.pcm
say -o - hello | cat >dash.wav
cmp dash.wav pipe.wav
