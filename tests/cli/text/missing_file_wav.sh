# -f with a sound file's name: the hint that it is the input.  SPDX-License-Identifier: Apache-2.0
refused 6 "(-f names the text to read; -o names the output)" say -f hello.wav
