# Subtitle files that can't be: the same place twice, full disks; those of a request that fails stay as they were.  SPDX-License-Identifier: Apache-2.0
refused 2 "sound and --srt can't both go to standard output" say --srt - hello
refused 2 "--srt and --vtt name the same output '-'" say -o a.wav --srt - --vtt - hello
refused 2 "--output and --srt name the same file 'a.wav'" say -o a.wav --srt a.wav hello
refused 2 "--srt and --json-timing name the same file 'a'" say -o a.wav --srt a --json-timing a hello
refused 2 "--codes and --vtt name the same file 'a'" say -o a.wav --codes a --vtt a hello
refused 1 "can't write 'none/a.srt': No such file or directory" say -o a.wav --srt none/a.srt hello
[ ! -e a.wav ] && [ ! -e a ] || fail "something was left behind"
echo precious >a.srt
refused 3 "speak" say -o a.wav --srt a.srt --vtt a.vtt "..."
same "$(cat a.srt)" precious
[ ! -e a.vtt ]
[ -c /dev/full ] || skip "no /dev/full"
refused 1 "can't write '/dev/full': No space left on device" say -q --max-frames 2 -o a.wav --srt /dev/full hello
[ ! -e a.wav ] || fail "a.wav was left behind"
refused 1 "can't write '/dev/full'" say -q --max-frames 2 -o a.wav --codes codes --vtt a.vtt --json-timing /dev/full hello
[ ! -e a.wav ] && [ ! -e a.vtt ] && [ ! -e codes ] || fail "something was left behind by another file's failure"
