# The codec's file beside the talker's.  SPDX-License-Identifier: Apache-2.0
gguf g --layout A
want=$(say --greedy --format md5 -o - hello)
same "$(say --greedy --format md5 -o - -m g/talker.gguf hello)" "$want"
mkdir elsewhere
mv g/codec.gguf elsewhere/any.gguf
refused 6 "the codec is in a second file" say -m g/talker.gguf hello
has err "--codec"
same "$(say --greedy --format md5 -o - -m g/talker.gguf --codec elsewhere/any.gguf hello)" "$want"
same "$(say --greedy --format md5 -o - -m g/talker.gguf --codec "$MODEL/speech_tokenizer" hello)" "$want"
cp elsewhere/any.gguf g/a.gguf
cp elsewhere/any.gguf g/b.gguf
refused 6 "both a.gguf and b.gguf beside it hold a codec" say -m g/talker.gguf hello
mv g/b.gguf g/talker-tokenizer.gguf
same "$(say --greedy --format md5 -o - -m g/talker.gguf hello)" "$want" "the one of its own name"
refused 6 "No such file" say -m g/talker.gguf --codec nowhere.gguf hello
