# Models written as GGUF.  SPDX-License-Identifier: Apache-2.0
want=$(say --greedy --format md5 -o - hello)
run 0 convert -q "$MODEL" -o m.gguf
same "$(say --greedy --format md5 -o - -m m.gguf hello)" "$want"
run 0 convert -q m.gguf -o again.gguf
cmp m.gguf again.gguf || fail "written again, it is another file"
cmp m-tokenizer.gguf again-tokenizer.gguf || fail "written again, its codec is another file"
run 0 convert -q m.gguf -o m.kztts
same "$(say --greedy --format md5 -o - -m m.kztts hello)" "$want" "prepared"
run 0 convert -q "$MODEL" -o q.gguf --quant q8
same "$(say --greedy --format md5 -o - -m q.gguf hello)" "$(say --greedy --format md5 -o - --quant q8 hello)"
run 0 info -m q.gguf
has out "talker Q8_0"
