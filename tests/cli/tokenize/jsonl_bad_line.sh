# A bad line is named; lines before it are answered.  SPDX-License-Identifier: Apache-2.0
for line in 'hello' '"open' '"a" b' '{"a":1}' '42' '' '"\q"' '"\u12g4"' '"\ud800"' '"\udc00\ud800"' '["a"]'; do
    printf '"good"\n%s\n"good"\n' "$line" >lines
    rc=0
    "$KZTTS" tokenize --jsonl <lines >out 2>err || rc=$?
    same $rc 3 "$line"
    has err "kztts: line 2: "
    same "$(grep -c . out)" 1
done
printf '"a\377"\n' >lines
rc=0
"$KZTTS" tokenize --jsonl <lines >out 2>err || rc=$?
same $rc 3
has err "line 1: "
