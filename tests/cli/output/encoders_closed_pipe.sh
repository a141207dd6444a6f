# A reader that goes ends the speech within a frame, whatever the encoder keeps back.  SPDX-License-Identifier: Apache-2.0
for format in flac mp3 opus aac; do
    built_with --format $format || { echo "built without $format"; continue; }
    {
        rc=0
        "$KZTTS" say --greedy --max-frames 4000 --format $format --codes codes hello 2>err || rc=$?
        echo $rc >code
    } | head -c 100 >head
    same "$(cat code)" 0
    hasnt err "audio="
    frames=$(grep -c . codes)
    [ "$frames" -lt 200 ] || fail "$format went on for $frames frames"
done
