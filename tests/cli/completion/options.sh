# Every option of every command is in all three scripts.  SPDX-License-Identifier: Apache-2.0
for shell in bash zsh fish; do
    "$KZTTS" completion $shell >script
    for command in say decode tokenize voices info; do
        "$KZTTS" help $command >help
        for option in $(sed -n 's/^  .*--\([a-z-]*\).*/\1/p' help); do
            has script "$option"
        done
    done
done
