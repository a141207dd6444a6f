# What is played is what would be written; the device here is a file.  SPDX-License-Identifier: Apache-2.0
built_with --play || skip "built without ALSA and PulseAudio"
cat >alsa.conf <<END
pcm.!default {
    type file
    slave.pcm { type null }
    file "$PWD/played"
    format "raw"
}
pcm.other {
    type file
    slave.pcm { type null }
    file "$PWD/other"
    format "raw"
}
END
ALSA_CONFIG_PATH=$PWD/alsa.conf
export ALSA_CONFIG_PATH
rc=0
"$KZTTS" say -q --max-frames 2 --play hello 2>err || rc=$?
[ $rc -eq 0 ] || skip "no library of ALSA here: $(cat err)"
say --format pcm hello >want
run 0 say --max-frames 3 --play hello
[ ! -s out ]
has err "out=play"
cmp played want
run 0 say -q --max-frames 3 --device other hello
cmp other want
run 0 say -q --max-frames 3 --codes codes --format null hello
rm played
run 0 decode -q --play codes
cmp played want
rm played
KZTTS_DEVICE=other say -o a.wav hello
[ ! -e played ] || fail "-o plays nothing"
KZTTS_DEVICE=other KZTTS_PLAY=1 say --format pcm hello | cmp - want
rm other
KZTTS_DEVICE=other KZTTS_PLAY=1 say hello
cmp other want
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    on_terminal "'$KZTTS' say --max-frames 3 hello"
    same $rc 0
    has screen "out=play"
    cmp played want
    [ ! -e kztts-out.wav ] || fail "it was played, and a file was written"
    on_terminal "'$KZTTS' say --max-frames 3 --format wav hello"
    has screen "out=kztts-out.wav"
else
    echo "no terminal can be made here"
fi
