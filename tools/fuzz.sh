#!/bin/sh
# Every fuzz target for FUZZ_SECONDS (60), or those named.  SPDX-License-Identifier: Apache-2.0
#
#   FUZZ_SECONDS=600 tools/fuzz.sh [safetensors ...]
#
# Begins with tests/fuzz/seeds; what is found on the way is kept in BUILD/corpus, a crashing input is named.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
build=${BUILD:-$top/build-fuzz}
seconds=${FUZZ_SECONDS:-60}
cmake -S "$top" -B "$build" -DCMAKE_C_COMPILER="${CLANG:-clang-19}" -DCMAKE_BUILD_TYPE=Debug -DKZTTS_FUZZ=ON \
    -DKZTTS_SANITIZE=address -DKZTTS_BUILD_TESTS=OFF -DKZTTS_BUILD_SHARED=OFF -DKZTTS_BUILD_EXAMPLES=OFF >"$build.log"
rm -f "$build.log"
# shellcheck disable=SC2046  # names are words
[ $# -gt 0 ] || set -- $(cd "$top/tests/fuzz" && ls fuzz_*.c | sed 's/^fuzz_//; s/\.c$//')
# shellcheck disable=SC2068,SC2086
cmake --build "$build" -j"${JOBS:-$(nproc)}" --target $(printf 'fuzz_%s ' "$@")
export LSAN_OPTIONS="suppressions=$top/tests/lsan.supp:print_suppressions=0"
passed=0
failed=0
for name; do
    mkdir -p "$build/corpus/$name"
    if "$build/tests/fuzz_$name" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=20 -print_final_stats=1 \
        -artifact_prefix="$build/$name-" "$build/corpus/$name" "$top/tests/fuzz/seeds/$name" >"$build/$name.log" 2>&1; then
        passed=$((passed + 1))
        echo "$name: nothing found, $(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$name.log") runs in $seconds s"
    else
        failed=$((failed + 1))
        echo "$name: FAILED, see $build/$name.log"
        tail -n 30 "$build/$name.log"
    fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
