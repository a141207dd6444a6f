# A write that fails half-way removes the file that was begun.  SPDX-License-Identifier: Apache-2.0
rc=0
(ulimit -f 16 && trap '' XFSZ && "$KZTTS" say -q --max-frames 50 --greedy --format pcm -o a.pcm hello) 2>err || rc=$?
same $rc 1
has err "can't write 'a.pcm': File too large"
[ ! -e a.pcm ] || fail "a.pcm was left behind"
