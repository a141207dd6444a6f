# --bitrate makes files smaller or larger, and is refused where it makes no sense.  SPDX-License-Identifier: Apache-2.0
for format in mp3 opus aac; do
    built_with --format $format || { echo "built without $format"; continue; }
    "$KZTTS" say -q --max-frames 25 --bitrate 24 -o small.$format --format $format hello
    "$KZTTS" say -q --max-frames 25 --bitrate 64 -o large.$format --format $format hello
    [ $((2 * $(size small.$format))) -lt $((1500 + $(size large.$format))) ] || fail "$format: sizes $(size small.$format) and $(size large.$format)"
done
refused 2 "--bitrate is for formats that lose something; wav has none" say --bitrate 64 -o a.wav hello
refused 2 "isn't a whole number from 8 to 320" say --bitrate 7 -o a.wav hello
! built_with --format mp3 || refused 2 "mp3 has at most 160 kbit/s at 24000 samples a second" say --bitrate 192 --rate 24000 -o a.mp3 hello
! built_with --format mp3 || refused 2 "mp3 has at most 160 kbit/s at 24000 samples a second" say --bitrate 192 -o a.mp3 hello
! built_with --format opus || refused 2 "opus has at most 256" say --bitrate 320 --rate 48000 -o a.opus hello
[ ! -e a.wav ] && [ ! -e a.mp3 ] && [ ! -e a.opus ]
