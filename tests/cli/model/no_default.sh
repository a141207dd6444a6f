# Without -m and without a voice in the box: what was looked for.  SPDX-License-Identifier: Apache-2.0
[ -z "$emulator" ] || skip "the program can't be copied from under its emulator"
unset KZTTS_MODEL
mkdir -p a/b/c/d
cp "$PROGRAM" a/b/c/d/kztts
KZTTS=$PWD/a/b/c/d/kztts
[ ! -e /usr/local/share/kztts/voices/kazeia-mini ] || skip "a voice is installed"
refused 6 "no model: -m and KZTTS_MODEL are not given" say hello
has err "kazeia-mini"
has err "give a model directory with -m"
