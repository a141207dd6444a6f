# What was made over by another run, or only begun, isn't taken for done.  SPDX-License-Identifier: Apache-2.0
KZTTS_MODEL=$TOP/voices/kazeia-mini
printf '%s\n' '{"id":"a","text":"Yes."}' '{"id":"b","text":"No."}' >list.jsonl
mkdir folder
run 0 batch --max-frames 4 -o folder list.jsonl
cp folder/a.wav want
run 0 batch --max-frames 3 -o folder list.jsonl
same "$(grep -c '"status":"ok"' out)" 2
! cmp -s folder/a.wav want || fail "the limit of frames changes nothing"
run 0 batch --max-frames 4 -o folder list.jsonl
same "$(grep -c '"status":"ok"' out)" 2
cmp folder/a.wav want
run 0 batch --max-frames 3 -o ./folder/ list.jsonl
run 0 batch --max-frames 4 -o folder list.jsonl
same "$(grep -c '"status":"ok"' out)" 2 "another spelling of the folder"
cmp folder/a.wav want
run 0 batch --max-frames 4 -o folder list.jsonl
same "$(grep -c '"status":"skipped"' out)" 2
# a moved folder is no new work, but what was overwritten in it before is
mv folder moved
run 0 batch --max-frames 4 -o moved list.jsonl
same "$(grep -c '"status":"skipped"' out)" 2
run 0 batch --max-frames 3 -o moved list.jsonl
mv moved again
run 0 batch --max-frames 3 -o again list.jsonl
same "$(grep -c '"status":"skipped"' out)" 2
# an item that fails half-way leaves a part of a file that was there
limited() {
    rc=0
    (ulimit -f "$1" && trap "" XFSZ && exec "$KZTTS" batch --max-frames 4 -o again list.jsonl >out 2>err) || rc=$?
    same $rc "$2"
}
limited 4 20
run 0 batch --max-frames 3 -o again list.jsonl
same "$(grep -c '"status":"ok"' out)" 2
# a journal that can't be written ends all
yes '' | head -c 99990 >>list.jsonl.journal
limited $((($(size list.jsonl.journal) + 511) / 512)) 1
has err "can't write the journal 'list.jsonl.journal': File too large"
same "$(grep -c "can't write" err)" 1
