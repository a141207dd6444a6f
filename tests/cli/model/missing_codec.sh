# No speech_tokenizer.  SPDX-License-Identifier: Apache-2.0
copy_model
rm -r model/speech_tokenizer
refused 6 "speech_tokenizer" say hello
mkdir empty
echo 1 >codes
refused 6 "config.json" decode -m ./empty --format null codes
