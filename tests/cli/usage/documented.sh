# Every option of every command is in the manual page, which is what the program prints.  SPDX-License-Identifier: Apache-2.0
run 0 help man
cmp out "$TOP/docs/man/kztts.1"
page=$(cat out)
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
