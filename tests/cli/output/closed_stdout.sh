# Standard output that is closed is an error, not a file of somebody else.  SPDX-License-Identifier: Apache-2.0
rc=0
"$KZTTS" say -q --max-frames 1 --format pcm hello >&- 2>err || rc=$?
same $rc 1
has err "can't write 'standard output': Bad file descriptor"
rc=0
"$KZTTS" say -q --max-frames 1 -o a.wav --codes codes hello >&- 2>&- </dev/null || rc=$?
same $rc 0
wav_complete a.wav
