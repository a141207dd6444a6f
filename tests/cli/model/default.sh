# The voice in the box is found beside the program and above it; others by name.  SPDX-License-Identifier: Apache-2.0
[ -z "$emulator" ] || skip "the program can't be copied from under its emulator"
want=$(say --format md5 hello)
unset KZTTS_MODEL
mkdir -p installed/bin installed/share/kztts/voices build/one/two/three voices
cp "$PROGRAM" installed/bin/kztts
ln -s "$MODEL" installed/share/kztts/voices/kazeia-mini
KZTTS=$PWD/installed/bin/kztts
same "$(say --format md5 hello)" "$want" installed
cp "$PROGRAM" build/one/kztts
ln -s "$MODEL" voices/kazeia-mini
ln -s "$CHECKPOINTS/mtp-vd" voices/other
KZTTS=$PWD/build/one/kztts
same "$(say --format md5 hello)" "$want" "build tree"
differ "$(say -m other --format md5 hello)" "$want" name
same "$(say -m kazeia-mini --format md5 hello)" "$want" name
