# A cut at every tenth: the pull goes on by itself, and a new one goes on where the last ended.  SPDX-License-Identifier: Apache-2.0
mkdir repo
head -c 100000 "$MODEL/model.safetensors" >repo/a.bin
hub cut=10000
run 0 pull -q test/model
cmp repo/a.bin "cache/$snapshot/a.bin"
same "$(grep -c 'range=bytes=' requests)" 9
for tenth in 0 1 2 3 4 5 6 7 8 9; do
    rm -rf cache/models--test--model/snapshots cache/models--test--model/refs
    blob=$(echo cache/models--test--model/blobs/*)
    head -c $((tenth * 10000)) repo/a.bin >"$blob.incomplete"
    rm -f "$blob"
    hub
    run 0 pull -q test/model
    cmp repo/a.bin "cache/$snapshot/a.bin"
    [ $tenth = 0 ] || has requests "range=bytes=$((tenth * 10000))-"
done
rm -rf cache
hub norange=1 cut=60000
run 7 pull -q test/model
hub norange=1
run 0 pull -q test/model
cmp repo/a.bin "cache/$snapshot/a.bin"
[ -z "$(find cache -name '*.incomplete')" ] || fail "something is left"
