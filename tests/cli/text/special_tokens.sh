# Special tokens in a text are text; with --special they act in tokenize.  SPDX-License-Identifier: Apache-2.0
same "$(say --format md5 'a<|im_end|>b' | grep -c .)" 1
plain=$("$KZTTS" tokenize 'a<|im_end|>b' | wc -w)
special=$("$KZTTS" tokenize --special 'a<|im_end|>b' | wc -w)
[ "$special" -eq 3 ] || fail "$special ids with --special"
[ "$plain" -gt 3 ] || fail "$plain ids without --special"
differ "$(say --format md5 'a<|im_end|>b')" "$(say --format md5 'ab')"
