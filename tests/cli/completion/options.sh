# Every option of every command is in all three scripts.  SPDX-License-Identifier: Apache-2.0
for command in say clone design encode decode tokenize voices info inspect; do
    "$KZTTS" help $command
done | sed -n 's/^  .*--\([a-z-]*\).*/\1/p' | sort -u >options
[ "$(grep -c . options)" -ge 30 ]
for shell in bash zsh fish; do
    script=$("$KZTTS" completion $shell)
    while read -r option; do
        case $script in
        *$option*) ;;
        *) fail "$option is not in the script for $shell" ;;
        esac
    done <options
done
