# A second SIGINT ends at once, even when nobody reads the output.  SPDX-License-Identifier: Apache-2.0
env --default-signal=INT true 2>/dev/null || skip "this env can't give SIGINT its default again"
mkfifo pipe
env --default-signal=INT "$KZTTS" say -q --greedy --max-frames 8000 --format pcm -o pipe --codes codes hello &
pid=$!
exec 3<pipe
head -c 3840 <&3 >begin
before=-1
while sleep 0.5 && [ "$before" != "$(size codes)" ]; do
    before=$(size codes)
done
[ "$(grep -c . codes)" -ge 2 ]
while kill -INT $pid 2>/dev/null; do
    sleep 0.1
done
rc=0
wait $pid || rc=$?
same $rc 130
[ ! -e codes ] || fail "codes were left behind"
