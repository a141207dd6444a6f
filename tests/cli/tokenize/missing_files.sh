# A tokenizer file that isn't there is named.  SPDX-License-Identifier: Apache-2.0
mkdir tokenizer
cp "$MODEL/vocab.json" "$MODEL/tokenizer_config.json" tokenizer
refused 6 "merges.txt" tokenize -m ./tokenizer hello
