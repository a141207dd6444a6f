# Every row of BAD_INPUT.md has its test, and every test its row.  SPDX-License-Identifier: Apache-2.0
sed -n 's/.*| `\([a-z]*\/[a-z0-9_]*\)` *|$/\1/p' "$TOP/tests/cli/BAD_INPUT.md" | sort -u >rows
[ "$(grep -c . rows)" -ge 40 ] || fail "too few rows"
while read -r name; do
    [ -f "$TOP/tests/cli/$name.sh" ] || fail "BAD_INPUT.md names $name, which is not there"
done <rows
grep -lE '^ *(refused|run [1-9])' "$TOP"/tests/cli/*/*.sh | sed 's|.*/tests/cli/||; s|\.sh$||' | sort >tests
comm -13 rows tests >without
[ ! -s without ] || fail "not in BAD_INPUT.md: $(cat without)"
