# Only the codec's files are needed.  SPDX-License-Identifier: Apache-2.0
cp -R "$MODEL/speech_tokenizer" codec
say --codes codes --format null hello
same "$("$KZTTS" decode -q -m ./codec --format md5 codes)" "$("$KZTTS" decode -q --format md5 codes)"
