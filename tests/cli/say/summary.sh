# The last line on standard error.  SPDX-License-Identifier: Apache-2.0
run 0 say --max-frames 2 -s 42 -v vivian -l english -o a.wav hello
same "$(grep -c . err)" 1
pattern='^ok audio=0\.16s wall=[0-9.]*s rtf=[0-9.]* first_audio=[0-9]*ms load=[0-9]*ms frames=2 seed=42 voice=vivian lang=english mode=full finish=length out=a\.wav$'
grep -q "$pattern" err || fail "summary"
run 0 say --max-frames 2 --text-mode streaming --format null hello
has err "voice=serena lang=auto mode=streaming finish=length out=null"
run 0 say -q --max-frames 2 -o a.wav hello
[ ! -s err ]
