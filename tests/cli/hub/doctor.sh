# doctor's lines, and the bundled voice's recorded second.  SPDX-License-Identifier: Apache-2.0
run 0 doctor
for name in cpu memory cache audio reads writes self-test; do has out " $name"; done
has out "nothing to play on"
for format in flac mp3 opus m4a; do
    if built_with -o try.$format; then
        grep "^[a-z]* *writes" out | sed 's/; not .*//' | grep -q "$format" || fail "it writes $format"
    else
        grep "^warn writes" out | grep -q "not .*$format without lib" || fail "it doesn't write $format"
    fi
done
has out "none recorded for this model"
run 0 doctor --json
has out '"check": "self-test", "verdict": "ok"'
run 0 doctor -m "$TOP/voices/kazeia-mini" --offline
has out ", as recorded"
run 0 doctor -m "$CHECKPOINTS/odd-base" --cpu c
grep -q "^ok   self-test   13 frames" out || fail "a base model is tried with a clone"
run 0 doctor -m "$CHECKPOINTS/mtp-vd"
has out "ok   self-test"
run 0 doctor -m "$TOP/voices/kazeia-mini" --cpu c -t 1
has out ", as recorded"
run 1 doctor -m ./none
has out "fail"
has err "none"
refused 2 "is too much" doctor now
