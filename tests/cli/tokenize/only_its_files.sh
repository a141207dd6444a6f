# Only the tokenizer's files are needed.  SPDX-License-Identifier: Apache-2.0
mkdir tokenizer
cp "$MODEL/vocab.json" "$MODEL/merges.txt" "$MODEL/tokenizer_config.json" tokenizer
same "$("$KZTTS" tokenize -m tokenizer "Hello there")" "$("$KZTTS" tokenize "Hello there")"
