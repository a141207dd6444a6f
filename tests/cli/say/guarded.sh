# Speech that never ends is cut, kept, and no success.  SPDX-License-Identifier: Apache-2.0
run 10 say -o a.wav Hello
has err "bytes 0 to 5 of the text were cut"
has err "cut audio="
wav_complete a.wav
run 0 say --guard off --max-frames 5 -o a.wav Hello
