# The same for text.  SPDX-License-Identifier: Apache-2.0
for command in "help man" "completion zsh" "info --json"; do
    { "$KZTTS" $command 2>err || echo $? >code; } | true
    [ ! -s err ] && [ ! -e code ] || fail "$command into a closed pipe"
done
