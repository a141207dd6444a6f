# doctor's lines, and the bundled voice's recorded second.  SPDX-License-Identifier: Apache-2.0
run 0 doctor
for name in cpu memory cache audio reads self-test; do has out " $name"; done
has out "none recorded for this model"
run 0 doctor --json
has out '"check": "self-test", "verdict": "ok"'
run 0 doctor -m "$TOP/voices/kazeia-mini" --offline
has out ", as recorded"
run 0 doctor -m "$TOP/voices/kazeia-mini" --cpu c -t 1
has out ", as recorded"
run 1 doctor -m ./none
has out "fail"
has err "none"
refused 2 "is too much" doctor now
