# A WAV file: 44 bytes of header, the samples, where they come from; 16 bit, 24 kHz, mono, sizes filled in.  SPDX-License-Identifier: Apache-2.0
run 0 say --max-frames 3 -o a.wav hello
[ ! -s out ]
wav_complete a.wav
same "$(wav_frames a.wav)" 3
same "$(number a.wav 16 4)" 16
same "$(number a.wav 20 2)" 1 format
same "$(number a.wav 22 2)" 1 channels
same "$(number a.wav 24 4)" 24000
same "$(number a.wav 28 4)" 48000
same "$(number a.wav 32 2)" 2
same "$(number a.wav 34 2)" 16
