# Each format but m4a can be piped, with what it says about itself; FLAC has the samples of WAV.  SPDX-License-Identifier: Apache-2.0
for format in flac mp3 opus aac; do
    built_with --format $format || { echo "built without $format"; continue; }
    "$KZTTS" say -q --max-frames 25 --format $format hello | cat >a.$format
    run 0 inspect a.$format
    has out "generated    yes"
    near "$(seconds a.$format)" 2 0.15
    ! command -v ffmpeg >/dev/null || ffmpeg -v error -i a.$format -f null - 2>errors
    [ ! -s errors ] || fail "ffmpeg on $format: $(cat errors)"
    "$KZTTS" say -q --max-frames 25 --format $format hello >b.$format
    [ -s b.$format ]
done
if built_with --format flac && command -v ffmpeg >/dev/null; then
    "$KZTTS" say -q --max-frames 25 -o a.pcm hello
    ffmpeg -v error -i a.flac -f s16le flac.pcm
    cmp a.pcm flac.pcm
fi
if built_with --format m4a -o a.m4a; then
    refused 2 "m4a can't be written to /dev/null: its table of contents comes at the end" say --format m4a -o /dev/null hello
    "$KZTTS" say --format m4a hello 2>err | cat >out
    has err "m4a can't be written to standard output"
    [ ! -s out ]
fi
