# A full disk is said for each encoder, and a file that was begun is removed.  SPDX-License-Identifier: Apache-2.0
[ -c /dev/full ] || skip "no /dev/full"
for format in flac mp3 opus aac; do
    built_with --format $format || { echo "built without $format"; continue; }
    refused 1 "can't write '/dev/full': No space left on device" say --max-frames 5 -q --format $format -o /dev/full hello
done
for format in flac mp3 opus aac m4a; do
    built_with --format $format -o a.$format || continue
    rm -f a.$format
    rc=0
    (ulimit -f 8 && trap '' XFSZ && "$KZTTS" say -q --max-frames 400 --greedy --rate 48000 -o a.$format hello) 2>err || rc=$?
    same $rc 1
    has err "can't write 'a.$format': File too large"
    [ ! -e a.$format ] || fail "a.$format was left behind"
    echo precious >a.$format
    refused 3 "speak" say -o a.$format "..."
    same "$(cat a.$format)" precious
    refused 2 "--rate" say --rate 1 -o a.$format hello
    same "$(cat a.$format)" precious
done
