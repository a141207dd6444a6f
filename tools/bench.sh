#!/bin/sh
# Speed on this machine: kernels, then an utterance.  SPDX-License-Identifier: Apache-2.0
#
#   tools/bench.sh BUILD_DIR [MODEL]
#
# The machine should be idle. MODEL is a checkpoint folder; without it the bundled voice speaks, if it is there.
set -eu
build=$1
model=${2:-}
grep -m1 'model name' /proc/cpuinfo || uname -m
[ ! -x "$build/tests/check_kernels" ] || "$build/tests/check_kernels" --bench
[ -n "$model" ] || [ ! -f "$(dirname "$0")/../voices/kazeia-mini/config.json" ] || model=$(dirname "$0")/../voices/kazeia-mini
if [ -z "$model" ]; then
    echo "no model was named and there is no bundled voice: nothing is spoken" >&2
    exit 0
fi
for threads in $(seq 1 "$(nproc)"); do
    "$build/bench/bench_stages" "$model" 60 "$threads"
done
