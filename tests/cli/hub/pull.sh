# A repository comes whole, in the hub client's layout; then nothing is asked for.  SPDX-License-Identifier: Apache-2.0
want=$(say --format md5 hello)
repository
hub
run 0 pull -q test/model
same "$(cat out)" "$PWD/cache/$snapshot"
diff -r repo "cache/$snapshot" || fail "not the same files"
same "$(cat cache/models--test--model/refs/main)" "${snapshot##*/}"
link=$(readlink "cache/$snapshot/speech_tokenizer/config.json")
case $link in ../../../blobs/*) ;; *) fail "the link is $link" ;; esac
[ -d cache/.locks/models--test--model ] || fail "no locks"
: >requests
same "$("$KZTTS" say -q -hf test/model --max-frames 3 --format md5 hello)" "$want" "from the cache"
same "$("$KZTTS" say -q --offline -hf test/model@main --max-frames 3 --format md5 hello)" "$want" offline
run 0 info -hf test/model -hff config.json --help
[ ! -s requests ] || fail "asked for: $(cat requests)"
HF_HUB_OFFLINE=1 run 0 inspect -q -hf test/model
run 0 models verify test/model
has out "ok: "
run 0 models path test/model
same "$(cat out)" "$PWD/cache/$snapshot"
run 0 models
has out "test/model"
has out "a whole model"
run 0 models list --json
has out '"whole": true'
run 0 models rm -q --force test/model
[ ! -e cache/models--test--model ] || fail "it is still there"
HF_TOKEN=hf_secret run 0 info -q -hf test/model
grep -q "token=Bearer hf_secret" requests || fail "no token was sent"
