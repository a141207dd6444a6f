# Every option of every command is in the manual page, which is what the program prints.  SPDX-License-Identifier: Apache-2.0
run 0 help man
cmp out "$TOP/docs/man/kztts.1"
for command in say decode tokenize voices info completion help; do
    "$KZTTS" help $command >help
    for option in $(sed -n 's/^  .*\(--[a-z-]*\).*/\1/p' help); do
        grep -qF -e "$(echo "$option" | sed 's/-/\\-/g')" out || fail "$option is not in the manual page"
    done
done
