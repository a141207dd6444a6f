# A signal ends a speech whose sound is held back too (5021 frames, minutes in portable C).  SPDX-License-Identifier: Apache-2.0
"$KZTTS" say --cpu c -t 1 --retries 2 --greedy --max-frames 6000 --srt a.srt -o a.wav "x y z" 2>err &
pid=$!
sleep 2
kill -TERM $pid
rc=0
wait $pid || rc=$?
same $rc 143
[ ! -s err ] || has err " frames=0 " # it spoke already
