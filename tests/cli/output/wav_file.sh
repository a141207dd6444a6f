# A WAV file: 44 bytes of header, 16 bit, 24 kHz, mono, sizes filled in.  SPDX-License-Identifier: Apache-2.0
run 0 say --max-frames 3 -o a.wav hello
[ ! -s out ]
wav_complete a.wav
same "$(size a.wav)" $((44 + 3 * 3840))
same "$(number a.wav 16 4)" 16
same "$(number a.wav 20 2)" 1 format
same "$(number a.wav 22 2)" 1 channels
same "$(number a.wav 24 4)" 24000
same "$(number a.wav 28 4)" 48000
same "$(number a.wav 32 2)" 2
same "$(number a.wav 34 2)" 16
