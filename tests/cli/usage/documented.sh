# Every option of every command is in the manual page, which is what the program prints.  SPDX-License-Identifier: Apache-2.0
run 0 help man
cmp out "$TOP/docs/man/kztts.1"
page=$(cat out)
grep -qx '\.B 20' out || fail "exit code 20 is not in the manual page"
printf '{"none":0}\n' >list.jsonl
run 3 batch list.jsonl
sed 's/.*known are //; s/, /\n/g' err >fields
[ "$(grep -c . fields)" -ge 11 ]
run 0 help batch
while read -r field; do
    grep -q "^  $field  *[a-z]" out || fail "help batch has no field $field"
    case $page in
    *".B $field
"*) ;;
    *) fail "the field $field is not in the manual page" ;;
    esac
done <fields
for command in say decode tokenize voices info completion help; do
    "$KZTTS" help $command
done | sed -n 's/^  .*--\([a-z-]*\).*/\1/p' | sort -u | sed 's/-/\\-/g' >options
[ "$(grep -c . options)" -ge 30 ]
while IFS= read -r option; do
    case $page in
    *"\\-\\-$option"*) ;;
    *) fail "--$option is not in the manual page" ;;
    esac
done <options
