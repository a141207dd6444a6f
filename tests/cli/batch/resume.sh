# A batch is resumed, reports each item, and fails only in part.  SPDX-License-Identifier: Apache-2.0
KZTTS_MODEL=$TOP/voices/kazeia-mini
printf '%s\n' '{"id":"one","text":"Good morning."}' '{"text":"Good night.","seed":7,"out":"two.wav"}' >list.jsonl
run 0 batch list.jsonl
same "$(grep -c '"status":"ok"' out)" 2
wav_complete one.wav
cp two.wav first.wav
run 0 batch list.jsonl
same "$(grep -c '"status":"skipped"' out)" 2
rm two.wav
printf '%s\n' '{"id":"bad","text":"Hello.","voice":"nobody"}' >>list.jsonl
run 20 batch list.jsonl
same "$(grep -c '"status":"skipped"' out)" 1
has out '"id":"bad","line":3,"status":"failed"'
cmp first.wav two.wav || fail "made again, two.wav differs"
printf 'id,text\na,"Good, morning."\n' >list.csv
mkdir folder
run 0 batch -o folder --report report list.csv
has report '"out":"folder/a.wav"'
wav_complete folder/a.wav
