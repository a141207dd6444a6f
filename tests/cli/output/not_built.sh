# What a build without the libraries can't do is refused with the package's name, and nothing is written.  SPDX-License-Identifier: Apache-2.0
bare=$(dirname "$PROGRAM")/tests/kztts_bare
[ -x "$bare" ] || skip "the program without libraries isn't there"
KZTTS=$bare
if [ -n "$emulator" ]; then
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$emulator" "$bare" >bare
    chmod +x bare
    KZTTS=./bare
fi
refused 4 "built without libFLAC (package libflac-dev)" say -o a.flac hello
refused 4 "built without libmp3lame (package libmp3lame-dev)" say -o a.mp3 hello
refused 4 "built without libopusenc (package libopusenc-dev)" say -o a.opus hello
refused 4 "built without libvo-aacenc (package libvo-aacenc-dev)" say -o a.aac hello
refused 4 "built without libvo-aacenc (package libvo-aacenc-dev)" say -o a.m4a hello
refused 4 "built without libsonic (package libsonic-dev)" say --speed 2 -o a.wav hello
refused 4 "built without libsoxr (package libsoxr-dev)" say --max-frames 1 --rate 8000 -o a.wav hello
refused 4 "built without libasound and libpulse (packages libasound2-dev, libpulse-dev)" say --play hello
refused 4 "built without libasound" say --list-audio
[ "$(ls)" = "$(printf 'err\nout')" ] || [ -n "$emulator" ] || fail "files were left: $(ls)"
run 0 say -q --max-frames 2 --speed 1 --rate 24000 -o a.wav hello
wav_complete a.wav
