# On a terminal, without -o: kztts-out.wav with a note, and a summary.  SPDX-License-Identifier: Apache-2.0
on_terminal "'$KZTTS' say --max-frames 2 hello"
same $rc 0
wav_complete kztts-out.wav
has screen "kztts: note: writing kztts-out.wav"
has screen "out=kztts-out.wav"
on_terminal "'$KZTTS' say -q --max-frames 2 hello"
same $rc 0
hasnt screen "note"
