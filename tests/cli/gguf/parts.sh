# A part of a split file missing.  SPDX-License-Identifier: Apache-2.0
gguf g --layout A --parts 3
mv g/talker-00002-of-00003.gguf away
refused 6 "talker-00002-of-00003.gguf" say -m g/talker-00001-of-00003.gguf hello
cp g/talker-00001-of-00003.gguf g/talker-00002-of-00003.gguf
refused 8 "say part 1 of 3, the name says part 2 of 3" say -m g/talker-00001-of-00003.gguf hello
