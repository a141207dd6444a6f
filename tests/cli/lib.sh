# lib.sh: what the cases of tests/cli use.  SPDX-License-Identifier: Apache-2.0
#
# Set by run.sh: KZTTS (the program), MODEL (a custom_voice model), CHECKPOINTS, TOP. The model is given to every command
# by KZTTS_MODEL; the folder is empty and the case's own; standard input is empty.
KZTTS_MODEL=$MODEL
export KZTTS_MODEL

fail() {
    echo "failed: $*"
    for file in out err; do
        [ ! -f $file ] || { echo "--- $file"; head -c 2000 $file; echo; }
    done
    exit 1
}

skip() {
    echo "$*"
    exit 77
}

# run EXIT ARGUMENT...: runs kztts; its output is in the files out and err
run() {
    expected_rc=$1
    shift
    rc=0
    "$KZTTS" "$@" >out 2>err || rc=$?
    [ $rc -eq "$expected_rc" ] || fail "kztts $* ended with $rc, expected $expected_rc"
}

# has FILE FRAGMENT
has() {
    grep -qF -e "$2" "$1" || fail "$1 has no '$2'"
}

# hasnt FILE FRAGMENT
hasnt() {
    ! grep -qF -e "$2" "$1" || fail "$1 has '$2'"
}

# refused EXIT FRAGMENT ARGUMENT...: nothing on standard output, one message that has the fragment
refused() {
    want_code=$1
    fragment=$2
    shift 2
    run "$want_code" "$@"
    [ ! -s out ] || fail "kztts $* printed something on standard output"
    [ "$(grep -c '^kztts: ' err)" = 1 ] || fail "kztts $*: one message was expected"
    has err "$fragment"
}

same() {
    [ "$1" = "$2" ] || fail "'$1' and '$2' should be equal${3:+ ($3)}"
}

differ() {
    [ "$1" != "$2" ] || fail "both are '$1'${3:+ ($3)}"
}

# number FILE OFFSET BYTES: a little-endian number
number() {
    od -An -tu"$3" -j"$2" -N"$3" "$1" | tr -d ' '
}

size() {
    wc -c <"$1" | tr -d ' '
}

# wav_complete FILE: the header's sizes are those of the file; whole frames
wav_complete() {
    total=$(size "$1")
    same "$(head -c 4 "$1")" RIFF
    same "$(number "$1" 4 4)" $((total - 8)) "RIFF size of $1"
    same "$(number "$1" 40 4)" $((total - 44)) "data size of $1"
    same $(((total - 44) % 3840)) 0 "whole frames in $1"
}

# say ARGUMENT...: a short quiet utterance to standard output
say() {
    "$KZTTS" say -q --max-frames 3 "$@"
}

# copy_model: a copy of the model in ./model whose files may be changed
copy_model() {
    cp -R "$MODEL" model
    chmod -R u+w model
    KZTTS_MODEL=./model
}

# change FILE FROM TO: replaces a text of a file, binary files too; it must be there. Same length: offsets stay right
change() {
    grep -qF -a -e "$2" "$1" || fail "$1 has no '$2' to change"
    sed "s|$(echo "$2" | sed 's/[].[*]/\\&/g')|$3|" "$1" >changed
    mv changed "$1"
}

# on_terminal COMMAND: runs it with a terminal as standard output and standard error; the exit code is in rc
on_terminal() {
    command -v script >/dev/null || skip "no program script (package bsdutils) to make a terminal with"
    rc=0
    TERM=xterm script -qec "$1" screen >/dev/null </dev/null || rc=$?
}
