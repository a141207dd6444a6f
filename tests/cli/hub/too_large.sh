# What can't fit is refused before a byte of it comes.  SPDX-License-Identifier: Apache-2.0
mkdir repo
echo hello >repo/a.bin
hash=$(printf '%040d' 7)
hub "list={\"sha\": \"0123456789abcdef0123456789abcdef01234567\", \"siblings\":
    [{\"rfilename\": \"a.bin\", \"size\": 900000000000000, \"blobId\": \"$hash\"}]}"
refused 1 "900000000.0 MB are to be fetched and only" pull -q test/model
has err "HF_HUB_CACHE"
same "$(grep -c resolve requests)" 0 "requests for the file"
[ -z "$(find cache -name '*.incomplete')" ] || fail "it was begun"
