# A word that isn't one of a list is refused with the list.  SPDX-License-Identifier: Apache-2.0
refused 2 "--format: 'wma' isn't one of wav|flac|mp3|opus|aac|m4a|f32|pcm|md5|null" say --format wma hello
refused 2 "--text-mode: 'fast' isn't one of auto|streaming|full" say --text-mode fast hello
refused 2 "--mode: 'x' isn't one of continuous|reference" decode --mode x codes
refused 2 "--pattern: 'gpt' isn't one of" tokenize --pattern gpt hello
