# SIGINT ends after the current frame and completes the file, exit 130.  SPDX-License-Identifier: Apache-2.0
env --default-signal=INT true 2>/dev/null || skip "this env can't give SIGINT its default again"
mkfifo codes
env --default-signal=INT "$KZTTS" say --greedy --max-frames 8000 -o a.wav --codes codes hello 2>err &
pid=$!
exec 3<codes
read -r first <&3
read -r second <&3
kill -INT $pid
cat <&3 >rest
rc=0
wait $pid || rc=$?
same $rc 130
wav_complete a.wav
same "$(wav_frames a.wav)" $((2 + $(grep -c . rest)))
[ "$(grep -c . rest)" -lt 7998 ] || fail "all frames were made"
has err "interrupted audio="
has err "finish=cancelled"
