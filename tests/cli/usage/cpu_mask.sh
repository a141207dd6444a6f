# Cores to run on, as a list or a mask; they are what is counted.  SPDX-License-Identifier: Apache-2.0
[ "$(uname)" = Linux ] && command -v taskset >/dev/null || skip "no taskset"
core=$(taskset -cp $$ | sed 's/.*: *//; s/[^0-9].*//')
[ "$core" -lt 60 ] || skip "the first core is beyond a shell's numbers"
for mask in "$core" "$core-$core" "$core,$core" "$(printf '0x%x' $((1 << core)))" "$(printf '0X000%X' $((1 << core)))"; do
    run 0 info --json --cpu-mask "$mask"
    has out '"threads": 1,'
done
export KZTTS_CPU_MASK=$core
run 0 info --json
has out '"threads": 1,'
run 0 say --max-frames 2 --format md5 -o - Hello
mv out masked
unset KZTTS_CPU_MASK
run 0 say --max-frames 2 --format md5 -o - Hello
same "$(cat masked)" "$(cat out)"
