# Into a pipe the sizes are 0xFFFFFFFF; the samples are the file's.  SPDX-License-Identifier: Apache-2.0
say -o a.wav hello
say hello | cat >pipe.wav
same "$(number pipe.wav 4 4)" 4294967295
same "$(number pipe.wav 40 4)" 4294967295
tail -c +45 a.wav >a.pcm
tail -c +45 pipe.wav >pipe.pcm
cmp a.pcm pipe.pcm
say -o - hello | cat >dash.wav
cmp dash.wav pipe.wav
