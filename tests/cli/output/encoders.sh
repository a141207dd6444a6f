# Each format is of the right length, for ffprobe and sox too, tells where it comes from, and is the same every time.  SPDX-License-Identifier: Apache-2.0
command -v ffprobe >/dev/null || echo "no ffprobe: lengths by inspect alone"
command -v sox >/dev/null || echo "no sox: lengths by inspect alone"
tried=0
for format in wav flac mp3 opus aac m4a; do
    built_with --format $format -o a.$format || { echo "built without $format"; continue; }
    tried=$((tried + 1))
    "$KZTTS" say -q --max-frames 25 -v vivian -o a.$format hello
    "$KZTTS" say -q --max-frames 25 -v vivian -o again.$format hello
    cmp a.$format again.$format
    run 0 inspect a.$format
    has out "provenance   AI-generated speech; engine: kztts "
    has out "; voice: vivian"
    has out "software     kztts "
    has out "generated    yes"
    tolerance=0.001
    [ $format != aac ] || tolerance=0.15 # its frames don't say how much of them is sound
    near "$(seconds a.$format)" 2 $tolerance
    if command -v ffprobe >/dev/null; then
        length=$(ffprobe -v error -show_entries format=duration -of csv=p=0 a.$format)
        case $format in mp3 | opus) tolerance=0.1 ;; esac # it counts what is to be skipped
        near "$length" 2 $tolerance
        ffprobe -v error -show_entries format_tags:stream_tags -of default a.$format >tags
        grep -qi "AI-generated speech" tags || fail "ffprobe finds no comment in $format"
    fi
    case $format in wav | flac)
        ! command -v sox >/dev/null || near "$(sox --i -D a.$format)" 2 0.001 ;;
    esac
done
[ $tried -ge 1 ]
same "$("$KZTTS" say -q --max-frames 25 --format md5 hello | cut -c33-)" ""
if built_with --format opus; then
    say -o a.ogg hello
    same "$(head -c 4 a.ogg)" OggS
fi
