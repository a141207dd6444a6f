# rm asks on a terminal.  SPDX-License-Identifier: Apache-2.0
anna
file=$XDG_DATA_HOME/kztts/voices/anna.kzvoice
rc=0
need_terminal
(sleep 1; echo n) | script -qec "'$KZTTS' voices rm anna" screen >/dev/null || rc=$?
same $rc 2
has screen "[y/N]"
[ -f "$file" ] || fail "removed after a no"
rc=0
(sleep 1; echo y) | script -qec "'$KZTTS' voices rm anna" screen >/dev/null || rc=$?
same $rc 0
[ ! -e "$file" ] || fail "kept after a yes"
