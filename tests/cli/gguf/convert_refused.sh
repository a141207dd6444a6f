# What isn't written as GGUF.  SPDX-License-Identifier: Apache-2.0
run 0 convert -q "$MODEL" -o m.gguf
refused 2 "is there already" convert -q "$MODEL" -o m.gguf
rm m.gguf
refused 2 "the codec goes into this file" convert -q "$MODEL" -o m.gguf
run 0 convert -q "$MODEL" -o m.kztts
refused 2 "make the GGUF file from its source" convert -q m.kztts -o n.gguf
[ ! -e n.gguf ] || fail "n.gguf was left"
