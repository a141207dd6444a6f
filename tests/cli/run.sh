#!/bin/sh
# Runs the command line's tests.  SPDX-License-Identifier: Apache-2.0
#
#   tests/cli/run.sh PROGRAM [MODEL_DIR [TOPIC[/CASE]...]]
#
# A case is <topic>/<case>.sh: it runs in an empty folder with lib.sh read in, and fails when a command of it fails.
# Beside it may lie <case>.stdout and <case>.stderr (must be equal) and <case>.exit (0 if there is none).
# 77 = skipped, with the reason on standard output. KZTTS_EMULATOR: what runs the program of another CPU.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { echo "usage: $0 PROGRAM [MODEL_DIR [TOPIC[/CASE]...]]" >&2; exit 2; }
PROGRAM=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
MODEL=${2:-$here/../golden/checkpoints/tiny-cv}
MODEL=$(cd "$MODEL" && pwd)
shift
[ $# -eq 0 ] || shift
emulator=${KZTTS_EMULATOR:-}
for name in $(env | sed -n 's/^\(KZTTS_[A-Z_]*\)=.*/\1/p') GGML_NUM_THREADS POSIXLY_CORRECT; do
    unset "$name"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
KZTTS=$PROGRAM
if [ -n "$emulator" ]; then
    KZTTS=$work/kztts
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$emulator" "$PROGRAM" >"$KZTTS"
    chmod +x "$KZTTS"
fi
TOP=$(cd "$here/../.." && pwd)
CHECKPOINTS=$here/../golden/checkpoints
LC_ALL=C
export KZTTS PROGRAM MODEL TOP CHECKPOINTS LC_ALL emulator

limit=
if command -v timeout >/dev/null; then limit="timeout 300"; fi

# run_case NAME: sets rc
run_case() {
    folder=$work/$(echo "$1" | tr / _)
    mkdir "$folder"
    rc=0
    (cd "$folder" && mkdir case && cd case && $limit sh -euc '. "$0/lib.sh"; . "$0/$1.sh"' "$here" "$1") \
        <"$work/none" >"$folder/stdout" 2>"$folder/stderr" || rc=$?
    [ $rc -eq 77 ] && return
    want=0
    [ ! -f "$here/$1.exit" ] || want=$(cat "$here/$1.exit")
    if [ "$rc" != "$want" ]; then
        echo "exit code $rc, expected $want" >>"$folder/stderr"
        rc=1
        return
    fi
    rc=0
    for stream in stdout stderr; do
        if [ -f "$here/$1.$stream" ] && ! diff "$here/$1.$stream" "$folder/$stream" >"$folder/diff"; then
            echo "$stream differs (< expected):" >>"$folder/stderr"
            cat "$folder/diff" >>"$folder/stderr"
            rc=1
        fi
    done
}

: >"$work/none"
passed=0 failed=0 skipped=0
[ $# -gt 0 ] || set -- "$here"/*/
for topic; do
    topic=${topic#"$here"/}
    topic=${topic%/}
    cases="$here/$topic.sh"
    [ -f "$cases" ] || cases=$(ls "$here/$topic"/*.sh)
    for file in $cases; do
        name=${file#"$here"/}
        name=${name%.sh}
        run_case "$name"
        case $rc in
        0) passed=$((passed + 1)) ;;
        77)
            skipped=$((skipped + 1))
            echo "SKIP $name: $(cat "$folder/stdout")"
            ;;
        *)
            failed=$((failed + 1))
            echo "FAIL $name"
            sed 's/^/    /' "$folder/stdout" "$folder/stderr"
            ;;
        esac
        rm -rf "$folder"
    done
done
[ $skipped -eq 0 ] || echo "$skipped skipped"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
