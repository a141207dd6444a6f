# The wrong half.  SPDX-License-Identifier: Apache-2.0
gguf g --layout A
refused 8 "this file is the codec half of a model" say -m g/codec.gguf hello
refused 8 "this file is the talker half of a model" say -m g/talker.gguf --codec g/talker.gguf hello
refused 8 "this file is the codec half of a model" tokenize -m g/codec.gguf hello
refused 2 "its codec can't be another one" say --codec g/codec.gguf hello
