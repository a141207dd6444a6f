# A file that can't be written to its end: what is there is kept, and the next pull goes on.  SPDX-License-Identifier: Apache-2.0
mkdir repo
head -c 100000 "$MODEL/model.safetensors" >repo/a.bin
hub
rc=0
(
    trap '' XFSZ
    ulimit -f 100
    "$KZTTS" pull -q test/model
) >out 2>err || rc=$?
same $rc 1
has err "can't write 'a.bin' to the cache"
has err "what is there is kept"
run 0 pull -q test/model
has requests "range=bytes=51200-"
cmp repo/a.bin "cache/$snapshot/a.bin"
