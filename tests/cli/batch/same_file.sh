# Each file of a batch is one: what is named twice is refused before anything is opened.  SPDX-License-Identifier: Apache-2.0
KZTTS_MODEL=./none
mkdir folder
ln -s folder link
echo "From a file." >text
printf '%s\n' '{"id":"q","text":"a"}' '{"id":"r","text":"b"}' '{"id":"q","text":"c"}' >list.jsonl
refused 3 "list.jsonl, line 3: id names the same file as id of line 1" batch list.jsonl
printf '%s\n' '{"id":"q","text":"a"}' '{"text":"b","out":"./q.wav"}' '{"text":"b","out":"q.wav"}' >list.jsonl
refused 3 "list.jsonl, line 2: out names the same file as id of line 1" batch -o folder list.jsonl
printf '%s\n' '{"out":"folder/a.wav","text":"a"}' '{"text":"b","out":"link/a.wav"}' >list.jsonl
refused 3 "line 2: out names the same file as out of line 1" batch list.jsonl
printf '%s\n' '{"id":"a","text":"a","srt":"a.wav"}' >list.jsonl
refused 3 "line 1: srt names the same file as id of line 1" batch list.jsonl
printf '%s\n' '{"text_file":"text","out":"b.wav"}' '{"text_file":"text","out":"text","format":"wav"}' >list.jsonl
refused 3 "text_file" batch list.jsonl
same "$(cat text)" "From a file."
printf '%s\n' '{"text":"a","out":"list.jsonl","format":"wav"}' >list.jsonl
refused 3 "line 1: out names the same file as the manifest" batch list.jsonl
printf '%s\n' '{"text":"a","out":"-"}' >list.jsonl
refused 3 "line 1: out and srt name files" batch list.jsonl
printf '%s\n' '{"text":"a","out":"q.wav"}' '{"text":"a","out":"r.wav"}' >list.jsonl
cp list.jsonl want
refused 2 "--report and the manifest name the same file" batch --report ./list.jsonl list.jsonl
refused 2 "--journal and the manifest name the same file" batch --journal ../case/list.jsonl list.jsonl
refused 2 "--journal and --report name the same file" batch --journal x --report x list.jsonl
refused 2 "--report and the journal name the same file" batch --report list.jsonl.journal list.jsonl
refused 2 "--report and out of line 2 name the same file" batch --report r.wav list.jsonl
refused 2 "--journal and out of line 1 name the same file" batch --journal q.wav list.jsonl
refused 2 "--journal names a file" batch --journal - list.jsonl
cmp list.jsonl want
refused 6 "-o 'nowhere': No such file or directory" batch -o nowhere list.jsonl
refused 2 "-o 'text' is no folder" batch -o text list.jsonl
same "$(echo *)" "err folder link list.jsonl out text want"
same "$(ls folder)" ""
# several items may read one text, and write to one device
printf '%s\n' '{"text_file":"text","out":"/dev/null","format":"wav"}' '{"text_file":"text","out":"/dev/null","format":"wav"}' >list.jsonl
KZTTS_MODEL=$MODEL
run 0 batch --max-frames 2 list.jsonl
same "$(grep -c '"status":"ok"' out)" 2
