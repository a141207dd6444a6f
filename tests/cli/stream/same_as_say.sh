# Text from a pipe: word by word as `say` in streaming mode, by sentences whatever the pieces; newlines at the end are no
# text.  SPDX-License-Identifier: Apache-2.0
KZTTS_MODEL=$TOP/voices/kazeia-mini
text="The bus was late again. Could you open the window?"
run 0 say --split off --text-mode streaming --format md5 "$text"
cp out want
printf '%s\n' "$text" | run 0 stream --commit token --format md5
cmp want out || fail "words by token"
printf '%s\n' "$text" | run 0 stream --format md5
cp out want
(printf 'The bus was la'; printf 'te again. Could'; printf ' you open the window?') | run 0 stream --format md5
cmp want out || fail "sentences in pieces"
(printf 'Good morning\n\nGood night.') | run 0 stream --format null
has err "chunks=2"
