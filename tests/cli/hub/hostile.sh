# A hub that lies: nothing outside the cache, nothing unchecked.  SPDX-License-Identifier: Apache-2.0
mkdir repo
echo hello >repo/a.bin
for name in ../../../evil /evil a/../../evil . a//b "a\\b" ""; do
    hub "name=$name"
    refused 8 "lead out of the cache" pull -q test/model
done
[ ! -e cache/models--test--model ] || fail "something was written"
for list in "" "{" "[]" '{"sha": 1}' '{"sha": "../../evil", "siblings": []}' \
    '{"sha": "0123456789abcdef0123456789abcdef01234567", "siblings": [7]}' \
    '{"sha": "0123456789abcdef0123456789abcdef01234567", "siblings": [{"rfilename": "a", "size": -1, "blobId": "x"}]}'; do
    hub "list=$list"
    run 8 pull -q test/model
done
hub corrupt=1
refused 8 "came damaged" pull -q test/model
hub longer=1
refused 8 "sends more than it said" pull -q test/model
[ ! -e "cache/$snapshot/a.bin" ] || fail "it is there all the same"
