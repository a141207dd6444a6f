# The same for the codes; the sound that was begun is removed.  SPDX-License-Identifier: Apache-2.0
[ -c /dev/full ] || skip "no /dev/full"
refused 1 "can't write '/dev/full': No space left on device" say -q --max-frames 2 -o a.wav --codes /dev/full hello
[ ! -e a.wav ] || fail "a.wav was left behind"
