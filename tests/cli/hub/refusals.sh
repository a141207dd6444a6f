# What a hub can answer, with what to do.  SPDX-License-Identifier: Apache-2.0
mkdir repo
echo hello >repo/a.txt
try() {
    behaviour=$1
    shift
    hub "$behaviour"
    refused "$@" pull -q test/model
}
try status=401 7 "401: it needs a token: set HF_TOKEN"
HF_TOKEN=hf_bad refused 7 "401: the token (HF_TOKEN) is wrong" pull -q test/model
hasnt err hf_bad
try status=403 7 "403: accept the model's terms"
try status=404 7 "404: check the name and the revision"
try status=429:3600 7 "429 and asks to wait 3600 s"
try status=503:1 7 "503: the hub has trouble"
same "$(grep -c GET requests)" 3 "tries"
try status=429:1 7 "429: too many requests"
try fail_data=403 7 "a.txt of test/model"
[ ! -e cache/models--test--model/refs/main ] || fail "a ref without its files"
hub once=429
run 0 pull test/model
has err "trying again in 1 s"
hub_stop
rm -r cache
refused 7 "the list of files of test/model" pull -q test/model
