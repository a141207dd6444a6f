# The report and the journal: where they go, and that they can't be written.  SPDX-License-Identifier: Apache-2.0
printf '{"id":"a","text":"Good morning."}\n' >list.jsonl
refused 1 "can't write the report 'none/report': No such file or directory" batch --report none/report list.jsonl
refused 1 "can't write the journal 'none/journal': No such file or directory" batch --journal none/journal list.jsonl
run 0 batch --max-frames 2 --report - list.jsonl
has out '"id":"a","line":1,"status":"ok"'
[ ! -e ./- ] || fail "there is a file called -"
[ -c /dev/full ] || skip "no /dev/full"
run 1 batch --max-frames 2 --report /dev/full list.jsonl
has err "can't write the report '/dev/full': No space left on device"
printf '{"id":"a","text":"Good morning.","voice":"nobody"}\n' >list.jsonl
run 1 batch --max-frames 2 --report /dev/full list.jsonl
has err "can't write the report '/dev/full': No space left on device"
# sound without the subtitles that were asked for isn't kept
printf '{"id":"b","text":"Good morning.","srt":"/dev/full"}\n' >list.jsonl
run 20 batch --max-frames 2 list.jsonl
[ ! -e b.wav ] || fail "b.wav was left behind"
