#!/bin/bash
# Everything that must hold before a change goes in.  SPDX-License-Identifier: Apache-2.0
#
#   tools/ci.sh                 all steps, with the time of each
#   tools/ci.sh STEP...         some: style gcc clang bits asan tsan valgrind arm
#
# tools/setup.sh --tests installs what it needs. The first failing step ends it.
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top"
jobs=${JOBS:-$(nproc)}
out=${KZ_CI_DIR:-$top}
# The model of short runs: the bundled voice, else a tiny random one of the golden tests.
model=voices/kazeia-mini
random=tests/golden/checkpoints/tiny-cv
[ -f "$model/config.json" ] || model=$random

# build FOLDER [cmake options]
build() {
    local folder=$1
    shift
    cmake -S . -B "$folder" -DKZTTS_WERROR=ON "$@" >"$folder.log" 2>&1 || { cat "$folder.log"; return 1; }
    cmake --build "$folder" -j"$jobs" >>"$folder.log" 2>&1 || { grep -E 'error|warning|undefined|\*\*\*' "$folder.log" || tail -n 40 "$folder.log"; return 1; }
    rm -f "$folder.log"
}

step_style() {
    python3 tools/check_layers --self-test
    python3 tools/check_layers
    tools/format
}

step_gcc() {
    build "$out/build-ci" -DCMAKE_C_COMPILER=gcc
    local left_out='slow' # minutes each: `make slow`
    [ -z "${KZ_FULL:-}" ] || left_out='none'
    tools/run_tests "$out/build-ci" -LE "$left_out" -j"$jobs"
}

# Another compiler sees other mistakes. Its program gives the same bits.
step_clang() {
    build "$out/build-clang" -DCMAKE_C_COMPILER=clang-19 -DKZTTS_BUILD_SHARED=ON
    same_bits "$out/build-clang/kztts"
}

# Types of weights, CPU levels, numbers of threads: one answer a type. Those of ARM only with KZ_FULL=1 (`make bits`): each
# of their many runs takes seconds.
step_bits() {
    [ -x "$out/build-ci/kztts" ] || build "$out/build-ci" -DCMAKE_C_COMPILER=gcc
    local programs=("$out/build-ci/kztts") need=c
    if [ -n "${KZ_FULL:-}" ] && [ -e /usr/lib/aarch64-linux-gnu/libcjson.so ]; then
        build "$out/build-arm" -DCMAKE_TOOLCHAIN_FILE="$top/cmake/aarch64-linux-gnu.cmake"
        programs+=("qemu-aarch64 $out/build-arm/kztts")
        need=c,neon,dotprod,i8mm
    fi
    # random weights too: the bundled voice's residual units say nothing (their second convolutions are zero)
    tools/equal_bits -m "$model" --need "$need" "${programs[@]}"
    tools/equal_bits -m "$random" --frames 24 --need "$need" "${programs[@]}"
}

step_asan() {
    build "$out/build-asan" -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Debug -DKZTTS_SANITIZE=address
    KZ_SMALL=1 ASAN_OPTIONS=detect_stack_use_after_return=1 \
        LSAN_OPTIONS=suppressions="$top/tests/lsan.supp",print_suppressions=0 tools/run_tests "$out/build-asan" -LE slow -j"$jobs"
}

# What runs threads: the pool, layers, streams, the interface. The longest tests only with KZ_FULL=1 (`make tsan`).
step_tsan() {
    build "$out/build-tsan" -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Debug -DKZTTS_SANITIZE=thread
    local left_out='^unit_(engine|decoder)$' stage
    [ -z "${KZ_FULL:-}" ] || left_out='^$'
    export KZ_SMALL=1 TSAN_OPTIONS=halt_on_error=1
    tools/run_tests "$out/build-tsan" -LE slow -E "$left_out" \
        -R '^unit_(alloc|api|decoder|engine|pool|reference|slab|source_voice|stack|stream|text|voice)|^golden_(speak|rolled)' -j"$jobs"
    sh tests/cli/run.sh "$out/build-tsan/kztts" "" clone/clone voices/yours voices/import voice/snapshot voice/reference encode/encode
    for stage in decode speak; do
        env -u KZTTS_SHARED "$out/build-tsan/tests/golden_$stage" --threads 3 >"$out/build-tsan/$stage.txt" 2>&1 ||
            { cat "$out/build-tsan/$stage.txt"; return 1; }
    done
}

step_valgrind() {
    [ -x "$out/build-ci/kztts" ] || build "$out/build-ci" -DCMAKE_C_COMPILER=gcc
    # what is still reachable belongs to libraries (OpenMP's, which libsoxr brings in, keeps some bytes)
    valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect,possible \
        --show-leak-kinds=definite,indirect,possible \
        "$out/build-ci/kztts" say -m "$model" -t 2 -s 1 --max-frames 2 --quiet --format null "Hello."
}

# md5 PROGRAM [options]: of two short utterances
md5() {
    "$@" say -m "$model" -s 1 --max-frames 4 --quiet --format md5 -o - "Hello, this is a test."
    "$@" say -m "$random" -s 1 --max-frames 4 --quiet --format md5 -o - "Hello, this is a test."
}

# The program (after an emulator) gives the bits of the gcc build for this machine, at each CPU level it can run.
same_bits() {
    [ -x "$out/build-ci/kztts" ] || build "$out/build-ci" -DCMAKE_C_COMPILER=gcc
    local want got level
    want=$(md5 "$out/build-ci/kztts")
    [ ${#want} -eq 65 ] || { echo "no md5 came: $want"; return 1; }
    for level in c best; do
        got=$(KZTTS_CPU=$level md5 "$@")
        [ "$want" = "$got" ] || { echo "other bits at --cpu $level: $got, expected $want"; return 1; }
    done
    echo "the same bits:" $want
}

# Portable C gives the same on both machines; that the other tables equal it is a test.
same_kernels() {
    local want got
    want=$("$out/build-ci/tests/check_kernels" --seed 1 --rounds 20 --hash | tail -n 1)
    got=$("$@" --seed 1 --rounds 20 --hash | tail -n 1)
    [ "$want" = "$got" ] || { echo "portable kernels differ: $got, expected $want"; return 1; }
    echo "the same kernels: $want"
}

step_arm() {
    if ! [ -e /usr/lib/aarch64-linux-gnu/libcjson.so ]; then
        echo "SKIP: no arm64 libraries here (BUILDING.md)"
        return 0
    fi
    build "$out/build-arm" -DCMAKE_TOOLCHAIN_FILE="$top/cmake/aarch64-linux-gnu.cmake"
    KZ_SMALL=1 tools/run_tests "$out/build-arm" -R '^check_|^unit_(kernels|pool|winograd|stack|text)|^golden_(predictor|prompt|sampling)' -j"$jobs"
    same_bits qemu-aarch64 "$out/build-arm/kztts"
    same_kernels qemu-aarch64 "$out/build-arm/tests/check_kernels"
}

# Tests that passed in a step's ctest runs; a step without any counts as one.
count() {
    local n=0 log
    for log in "$out"/build-*/Testing/run_tests.log; do
        [ "$log" -nt "$stamp" ] || continue
        n=$((n + $(grep -c ' Passed ' "$log" || true)))
    done
    echo $((n > 0 ? n : 1))
}

steps=${*:-style gcc clang bits asan tsan valgrind arm}
stamp=$(mktemp)
trap 'rm -f "$stamp"' EXIT
began=$SECONDS
passed=0
table=
for step in $steps; do
    echo "==== $step"
    start=$SECONDS
    touch "$stamp"
    # not within `if`: there bash forgets set -e
    set +e
    (set -e && "step_$step")
    rc=$?
    set -e
    if [ $rc != 0 ]; then
        echo "==== $step FAILED"
        echo "$passed passed, 1 failed"
        exit 1
    fi
    passed=$((passed + $(count)))
    table="$table$(printf '%-10s %4d s' "$step" $((SECONDS - start)))
"
done
printf '==== times\n%s%-10s %4d s\n' "$table" all $((SECONDS - began))
echo "$passed passed, 0 failed"
