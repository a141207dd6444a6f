# One frame.  SPDX-License-Identifier: Apache-2.0
run 0 say --max-frames 1 -o a.wav hello
same "$(wav_frames a.wav)" 1
has err "frames=1 "
has err "finish=length"
