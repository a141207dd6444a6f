# Two pulls at once share the work: every file comes once, whole.  SPDX-License-Identifier: Apache-2.0
repository
hub slow=0.3
HF_HUB_ETAG_TIMEOUT=60 HF_HUB_DOWNLOAD_TIMEOUT=60 # nothing is asked for again because the machine is busy
"$KZTTS" pull -q test/model >first 2>&1 &
first=$!
run 0 pull -q test/model
wait $first || fail "the first ended with $?: $(cat first)"
same "$(cat first)" "$(cat out)"
same "$(grep -c ' /api/' requests)" 2 "both asked for the list"
same "$(grep '/resolve/' requests | cut -d' ' -f2 | sort | uniq -d)" "" "files that came twice"
diff -r repo "cache/$snapshot" || fail "not the same files"
run 0 models verify test/model
[ -z "$(find cache -name '*.incomplete')" ] || fail "parts were left"
