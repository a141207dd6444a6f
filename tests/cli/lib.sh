# lib.sh: what the cases of tests/cli use.  SPDX-License-Identifier: Apache-2.0
#
# Set by run.sh: KZTTS (the program), MODEL (a custom_voice model), CHECKPOINTS, TOP. The model is given to every command
# by KZTTS_MODEL; the folder is empty and the case's own, and so is the folder of the user's voices (in XDG_DATA_HOME);
# standard input is empty.
KZTTS_MODEL=$MODEL
XDG_DATA_HOME=$PWD/../data
# No test is heard: no sound server is found, and no device of ALSA.
unset PULSE_SERVER XDG_RUNTIME_DIR
ALSA_CONFIG_PATH=/dev/null
export KZTTS_MODEL XDG_DATA_HOME ALSA_CONFIG_PATH

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

# bytes FILE OFFSET N
bytes() {
    tail -c +$(($2 + 1)) "$1" | head -c "$3"
}

# wav_complete FILE: the header's sizes are those of the file; whole frames; then a LIST chunk to the end
wav_complete() {
    total=$(size "$1")
    data=$(number "$1" 40 4)
    same "$(head -c 4 "$1")" RIFF
    same "$(number "$1" 4 4)" $((total - 8)) "RIFF size of $1"
    same "$(bytes "$1" 36 4)" data
    same $((data % 3840)) 0 "whole frames in $1"
    same "$(bytes "$1" $((44 + data)) 4)" LIST
    same $((44 + data + 8 + $(number "$1" $((48 + data)) 4))) "$total" "the chunk behind the samples of $1"
}

# wav_pcm FILE: its samples, from a file with sizes (at byte 44) or a stream (behind a LIST chunk, to the end)
wav_pcm() {
    if [ "$(bytes "$1" 36 4)" = LIST ]; then
        tail -c +$((1 + 36 + 8 + $(number "$1" 40 4) + 8)) "$1"
    else
        bytes "$1" 44 "$(number "$1" 40 4)"
    fi
}

# wav_frames FILE: how many frames its samples make
wav_frames() {
    wav_pcm "$1" >wav_frames.pcm
    echo $(($(size wav_frames.pcm) / 3840))
    rm wav_frames.pcm
}

# say ARGUMENT...: a short quiet utterance to standard output
say() {
    "$KZTTS" say -q --max-frames 3 "$@"
}

# clip FILE [key=value]...: a recording of a made-up voice, see clip.py; WORDS are said in it
WORDS="one two three four five six seven eight words"
clip() {
    command -v python3 >/dev/null || skip "no python3"
    python3 "$TOP/tests/cli/clip.py" "$@"
}

# gguf FOLDER OPTION...: the model as GGUF files, see tests/gguf/gguf_files.py
gguf() {
    command -v python3 >/dev/null || skip "no python3"
    PYTHONDONTWRITEBYTECODE=1 python3 "$TOP/tests/gguf/gguf_files.py" "$MODEL" "$@"
}

# base_model: a model that clones becomes the one that is used
base_model() {
    KZTTS_MODEL=$CHECKPOINTS/odd-base
}

# anna: the voice anna in the user's folder, cloned from anna.wav on the base model
anna() {
    base_model
    clip anna.wav
    "$KZTTS" clone -q anna.wav -o anna -T "$WORDS" --consent "I am Anna" "$@" || fail "clone"
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

# built_with OPTION...: whether this program has the library for it
built_with() {
    rc=0
    say --max-frames 1 "$@" hello 2>lacks | cat >/dev/null
    ! grep -q "was built without" lacks
}

# seconds FILE: how long it is by its own account
seconds() {
    "$KZTTS" inspect --json "$1" | sed -n 's/^ *"seconds": \([0-9.]*\),*$/\1/p'
}

# near A B TOLERANCE
near() {
    awk "BEGIN { exit !($1 - $2 <= $3 && $2 - $1 <= $3) }" || fail "$1 isn't near $2"
}

# need_terminal: skips where no terminal can be made
need_terminal() {
    command -v script >/dev/null || skip "no program script (package bsdutils) to make a terminal with"
    script -qec true /dev/null >/dev/null 2>&1 </dev/null || skip "no terminal can be made here (/dev/pts)"
}

# on_terminal COMMAND: runs it with a terminal as standard output and standard error; the exit code is in rc
on_terminal() {
    need_terminal
    rc=0
    TERM=xterm script -qec "$1" screen >/dev/null </dev/null || rc=$?
}

# hub [BEHAVIOUR]...: a hub on the loopback with test/model in ./repo; its requests are in ./requests. Ends with the case.
hub() {
    command -v python3 >/dev/null || skip "no python3"
    "$KZTTS" doctor 2>/dev/null | grep -q "no libcurl" && skip "built without libcurl"
    hub_stop
    : >requests
    rm -f pipe port
    mkfifo pipe
    python3 "$TOP/tests/cli/hub_server.py" repo requests "$@" <pipe >port 2>hub_err &
    exec 9>pipe
    tries=0
    until [ -s port ]; do
        tries=$((tries + 1))
        [ $tries -lt 300 ] || fail "the hub doesn't start: $(cat hub_err)"
        sleep 0.1
    done
    HF_ENDPOINT=http://127.0.0.1:$(cat port)
    HF_HUB_CACHE=$PWD/cache
    HF_HUB_ETAG_TIMEOUT=2
    HF_HUB_DOWNLOAD_TIMEOUT=2
    no_proxy=127.0.0.1,localhost
    HOME=$PWD
    unset HF_HOME HF_TOKEN HF_TOKEN_PATH HF_HUB_OFFLINE TRANSFORMERS_OFFLINE KZTTS_MODEL
    export HF_ENDPOINT HF_HUB_CACHE HF_HUB_ETAG_TIMEOUT HF_HUB_DOWNLOAD_TIMEOUT no_proxy HOME
}

hub_stop() {
    exec 9>&-
    wait
}

# repository: test/model is a copy of the model, and cache/ is empty
repository() {
    cp -RL "$MODEL" repo
    chmod -R u+w repo
}

snapshot=models--test--model/snapshots/0123456789abcdef0123456789abcdef01234567
