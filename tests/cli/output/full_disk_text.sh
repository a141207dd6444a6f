# The same for text on standard output.  SPDX-License-Identifier: Apache-2.0
[ -c /dev/full ] || skip "no /dev/full"
for command in "tokenize hello" "voices" "info --json" "completion bash" "help man" "--help" "--version"; do
    rc=0
    "$KZTTS" $command >/dev/full 2>err || rc=$?
    same $rc 1 "$command"
    has err "can't write to standard output: No space left on device"
done
