# A .gguf file of a repository, with its codec: by its type, or by its name.  SPDX-License-Identifier: Apache-2.0
mkdir repo
run 0 convert -q "$MODEL" -o repo/tiny-F32.gguf
cp repo/tiny-F32.gguf repo/tiny-other.gguf
want=$(say -m repo/tiny-F32.gguf --format md5 hello)
hub
same "$(say -hf test/model:f32 --format md5 hello)" "$want" "by type"
[ ! -e "cache/$snapshot/tiny-other.gguf" ] || fail "another file came"
: >requests
same "$(say -hf test/model:F32 --format md5 hello)" "$want" again
[ ! -s requests ] || fail "asked for: $(cat requests)"
same "$(say -hf test/model -hff tiny-other.gguf --format md5 hello)" "$want" "by name"
refused 6 "no .gguf file with 'q3'" info -q -hf test/model:q3
refused 6 "and the network is off" info -q --offline -hf test/model -hff none.gguf
