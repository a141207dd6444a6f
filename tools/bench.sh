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
for threads in 1 2 "$(nproc)"; do
    echo "threads $threads"
    for run in 1 2 3; do
        "$build/kztts" say -m "$model" -t "$threads" -s "$run" --format null -o - \
            "The weather will be fine tomorrow, with a light wind from the west." 2>&1 | tail -n 1
    done
done
