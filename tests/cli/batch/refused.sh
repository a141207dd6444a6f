# Manifests that are refused before anything is spoken.  SPDX-License-Identifier: Apache-2.0
refused 2 "name one manifest" batch
refused 2 "ends in .jsonl, .csv or .tsv" batch list.txt
refused 6 "list.csv" batch list.csv
: >empty.jsonl
refused 3 "no item" batch empty.jsonl
printf '{"text":"a","colour":"red"}\n' >list.jsonl
refused 3 "line 1: unknown field 'colour'; known are id, text, text_file, voice, language, instruct, seed, out, format, speed, srt" batch list.jsonl
printf '{"text":"a","id":"b","id":"c"}\n' >list.jsonl
refused 3 "line 1: id is given twice" batch list.jsonl
printf '{"text":"a"}\n{}\n' >list.jsonl
refused 3 "line 2: there is no text: one of text and text_file is needed" batch list.jsonl
printf '{"text":"a",}\n' >list.jsonl
refused 3 "line 1: a string in quotes was expected" batch list.jsonl
printf '{ "text":"a","text_file":"b"}\n' >list.jsonl
refused 3 "line 1: text and text_file are both given" batch list.jsonl
printf '{"text":"a"}\n{"text":"a","format":"wave"}\n' >list.jsonl
refused 3 "line 2: format 'wave' isn't one of wav|flac|mp3|" batch list.jsonl
printf 'id,colour\na,b\n' >list.csv
refused 3 "line 1: unknown field 'colour'" batch list.csv
printf '{"text":"a"}\n{"text":"a" "id":"b"}\n' >list.jsonl
refused 3 "line 2: ',' or '}' was expected" batch list.jsonl
printf '{"id":"a"}\n' >list.jsonl
refused 3 "one of text and text_file" batch list.jsonl
printf '{"text":"a","seed":-1}\n' >list.jsonl
refused 3 "seed is a whole number" batch list.jsonl
printf '{"text":"a","speed":5}\n' >list.jsonl
refused 3 "speed is a number from 0.25 to 4" batch list.jsonl
printf 'id,text\na,"b\n' >list.csv
refused 3 "a quote isn't closed" batch list.csv
printf 'id,text\na,b,c\n' >list.csv
refused 3 "more cells than the first line has names" batch list.csv
