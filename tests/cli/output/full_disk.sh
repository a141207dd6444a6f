# A full disk is said, with exit 1.  SPDX-License-Identifier: Apache-2.0
[ -c /dev/full ] || skip "no /dev/full"
refused 1 "can't write '/dev/full': No space left on device" say --max-frames 2 -q -o /dev/full hello
refused 1 "can't write '/dev/full': No space left on device" say --max-frames 2 -q --format pcm -o /dev/full hello
refused 1 "can't write '/dev/full': No space left on device" say --max-frames 2 -q --format md5 -o /dev/full hello
rc=0
"$KZTTS" say -q --max-frames 2 --format pcm hello >/dev/full 2>err || rc=$?
same $rc 1
has err "can't write 'standard output': No space left on device"
