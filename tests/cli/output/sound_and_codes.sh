# Sound and codes don't go to the same place.  SPDX-License-Identifier: Apache-2.0
refused 2 "can't both go to standard output" say --codes - hello
refused 2 "same file" say -o a.wav --codes a.wav hello
run 0 say -q --max-frames 2 -o a.wav --codes - hello
same "$(grep -c . out)" 2
