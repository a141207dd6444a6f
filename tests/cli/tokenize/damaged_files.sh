# A tokenizer file that is damaged is named.  SPDX-License-Identifier: Apache-2.0
copy_model
head -c 1000 "$MODEL/vocab.json" >model/vocab.json
refused 8 "vocab.json" tokenize hello
cp "$MODEL/vocab.json" model
echo '[1, 2' >model/tokenizer_config.json
refused 8 "tokenizer_config.json" tokenize hello
refused 8 "tokenizer_config.json" say hello
