#!/bin/sh
# Runs the benches that were built: one JSON line a measurement on stdout.  SPDX-License-Identifier: Apache-2.0
#
#   tools/bench.sh BUILD_DIR
set -eu
found=0
for bench in "$1"/bench_*; do
    [ -f "$bench" ] && [ -x "$bench" ] || continue
    found=1
    "$bench"
done
[ $found = 1 ] || echo "no bench program is in this version" >&2
