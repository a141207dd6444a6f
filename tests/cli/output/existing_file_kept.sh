# A request that fails leaves an existing file as it was.  SPDX-License-Identifier: Apache-2.0
echo precious >a.wav
echo precious >codes
refused 3 "speak" say -o a.wav --codes codes "..."
same "$(cat a.wav)" precious
refused 6 "no such" say -m ./none -o a.wav --codes codes hello
refused 2 "language" say -l klingon -o a.wav --codes codes hello
same "$(cat a.wav)$(cat codes)" preciousprecious
run 0 say --max-frames 1 -o a.wav --codes codes hello
wav_complete a.wav
same "$(grep -c . codes)" 1
