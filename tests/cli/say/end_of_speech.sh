# Without --max-frames the model ends it; the codes have no more frames than the sound.  SPDX-License-Identifier: Apache-2.0
run 0 say --guard off -s 0 -o a.wav --codes codes Hello
has err "finish=eos"
wav_complete a.wav
same "$(wav_frames a.wav)" $(grep -c . codes)
