#!/bin/sh
# Speed on this machine: its limits, kernels, then an utterance.  SPDX-License-Identifier: Apache-2.0
#
#   tools/bench.sh BUILD_DIR [MODEL]
#
# The machine should be idle. MODEL is anything that kztts -m takes; without it the bundled voice speaks.
set -eu
build=$1
[ $# -lt 2 ] || set -- "$1" -m "$2"
shift
"$build/kztts" bench limits -t "1-$(nproc)"
[ ! -x "$build/tests/check_kernels" ] || "$build/tests/check_kernels" --bench
"$build/kztts" bench -t "1-$(nproc)" "$@"
