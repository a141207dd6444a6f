# SIGTERM likewise, exit 143; decode too.  SPDX-License-Identifier: Apache-2.0
mkfifo codes
"$KZTTS" say --greedy --max-frames 8000 -o a.wav --codes codes hello 2>err &
pid=$!
exec 3<codes
read -r first <&3
kill -TERM $pid
cat <&3 >rest
rc=0
wait $pid || rc=$?
same $rc 143
wav_complete a.wav
mkfifo pipe
i=0
while [ $i -lt 2000 ]; do
    echo "$first"
    i=$((i + 1))
done >many
"$KZTTS" decode -q --format pcm -o pipe many &
pid=$!
exec 4<pipe
head -c 7680 <&4 >begin
kill -TERM $pid
cat <&4 >rest
rc=0
wait $pid || rc=$?
same $rc 143
total=$(($(size begin) + $(size rest)))
same $((total % 3840)) 0
[ $total -lt $((2000 * 3840)) ] || fail "all frames were made"
