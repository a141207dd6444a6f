# Items have their own format, speed and subtitles; what is missing is made again.  SPDX-License-Identifier: Apache-2.0
KZTTS_MODEL=$TOP/voices/kazeia-mini
speed=
! built_with --speed 2 || speed=',"speed":2'
printf '{"id":"a","text":"Good morning.","srt":"a.srt"%s}\n{"id":"b","text":"Good morning."}\n' "$speed" >list.jsonl
mkdir folder
run 0 batch -o folder list.jsonl
same "$(grep -c '"status":"ok"' out)" 2
has folder/a.srt "Good morning."
same "$(sed -n 2p folder/a.srt | cut -c1-17)" "00:00:00,000 --> "
[ ! -e folder/b.srt ]
[ -z "$speed" ] || [ $((2 * $(size folder/a.wav))) -lt $(($(size folder/b.wav) + 10000)) ] || fail "a.wav isn't shorter"
cp folder/a.srt want
rm folder/a.srt
run 0 batch -o folder list.jsonl
same "$(grep -c '"status":"skipped"' out)" 1
cmp folder/a.srt want
printf '\357\273\277{"id":"mark","text":"Good morning."}\n' >mark.jsonl
printf '\357\273\277id,text\nmark2,Good morning.\n' >mark.csv
run 0 batch --max-frames 2 mark.jsonl
run 0 batch --max-frames 2 mark.csv
cmp mark.wav mark2.wav
built_with --format flac || skip "built without FLAC"
run 0 batch -o folder --format flac list.jsonl
same "$(head -c 4 folder/a.flac)$(head -c 4 folder/b.flac)" fLaCfLaC
