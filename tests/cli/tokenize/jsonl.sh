# A JSON string a line, a JSON array a line.  SPDX-License-Identifier: Apache-2.0
printf '%s\n' '"Hello there"' '""' '"a\u0000\u00e9"' '  "\ud83d\ude00"  ' '"tab\tquote\"slash\/"' '"a<|im_end|>"' >lines
"$KZTTS" tokenize --jsonl <lines >out
same "$(grep -c '^\[[0-9, ]*\]$' out)" 6
ids() {
    sed -n "$1p" out | tr -d '[],'
}
same "$(ids 1)" "$("$KZTTS" tokenize "Hello there")"
same "$(ids 2)" ""
same "$(ids 4)" "$("$KZTTS" tokenize "😀")"
same "$(ids 5)" "$("$KZTTS" tokenize "$(printf 'tab\tquote"slash/')")"
same "$(ids 6)" "$("$KZTTS" tokenize 'a<|im_end|>')"
same "$("$KZTTS" tokenize --jsonl --special <lines | tail -n 1 | wc -w | tr -d ' ')" 2
printf '"no newline"' | "$KZTTS" tokenize --jsonl >out
same "$(ids 1)" "$("$KZTTS" tokenize 'no newline')"
