# Ctrl-C stops what is played at once: nothing is waited for.  SPDX-License-Identifier: Apache-2.0
env --default-signal=INT true 2>/dev/null || skip "this env can't give SIGINT its default again"
built_with --play || skip "built without ALSA and PulseAudio"
printf 'pcm.!default { type null }\n' >alsa.conf
ALSA_CONFIG_PATH=$PWD/alsa.conf
export ALSA_CONFIG_PATH
"$KZTTS" say -q --max-frames 1 --play hello 2>/dev/null || skip "no library of ALSA here"
mkfifo codes
env --default-signal=INT "$KZTTS" say --greedy --max-frames 8000 --play --codes codes hello 2>err &
pid=$!
exec 3<codes
read -r first <&3
kill -INT $pid
cat <&3 >rest
rc=0
wait $pid || rc=$?
same $rc 130
[ "$(grep -c . rest)" -lt 7998 ] || fail "all frames were made"
has err "interrupted audio="
has err "out=play"
