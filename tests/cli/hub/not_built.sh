# Without libcurl nothing is fetched, and what is in the cache works.  SPDX-License-Identifier: Apache-2.0
bare=$(dirname "$PROGRAM")/tests/kztts_bare
[ -x "$bare" ] || skip "the program without libraries isn't there"
with=$KZTTS
without=$bare
if [ -n "$emulator" ]; then
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$emulator" "$bare" >bare
    chmod +x bare
    without=./bare
fi
repository
hub
KZTTS=$without
refused 6 "is built without libcurl, so it can't be fetched" pull -q test/model
refused 6 "is built without libcurl" say -q -hf test/model hello
[ ! -s requests ] || fail "asked for: $(cat requests)"
KZTTS=$with
run 0 pull -q test/model
want=$(say -hf test/model --format md5 hello)
KZTTS=$without
same "$(say -hf test/model --format md5 hello)" "$want" "from the cache"
run 0 doctor -m repo
has out "warn hub"
has out "this build has no libcurl"
has out "warn writes"
has out "wav, f32, pcm, md5"
has out "not flac without libFLAC (package libflac-dev)"
has out "warn audio"
has out "libasound2-dev"
has out "no libsoxr"
