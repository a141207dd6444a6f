# Names, options and models that aren't there.  SPDX-License-Identifier: Apache-2.0
HF_HUB_CACHE=$PWD/cache
export HF_HUB_CACHE
unset KZTTS_MODEL
refused 2 "pull which model?" pull
refused 2 "one model at a time" pull a/b c/d
for name in a a/b/c ../b a/.. "a b/c" a/b--c a/b@../c a/b@; do
    refused 2 "'$name'" pull "$name" --offline
done
refused 2 "pull takes --include '*Q8_0*'" pull a/b:Q8_0
refused 2 "-m and -hf both name a model" info -m x -hf a/b
refused 2 "-hff names a file" info -hff a
refused 6 "and the network is off" pull --offline a/b
refused 6 "and the network is off" info --offline -hf a/b
TRANSFORMERS_OFFLINE=1 refused 6 "Qwen/Qwen3-TTS-12Hz-0.6B-Base@main" info -hf 0.6b-base
HF_ENDPOINT=ftp://x refused 2 "HF_ENDPOINT" pull a/b
refused 2 "which model?" models path
refused 2 "no action" models fetch
refused 6 "a/b isn't in" models path a/b
mkdir -p cache/models--a--b/blobs
refused 2 "--force does it without asking" models rm a/b
refused 6 "has no revision 'main'" models path a/b
echo hello >cache/models--a--b/blobs/0123456789012345678901234567890123456789
run 8 models verify a/b
has err "1 of 1 files of a/b are damaged"
printf hello >cache/models--a--b/blobs/0123456789012345678901234567890123456789
mv cache/models--a--b/blobs/0* cache/models--a--b/blobs/b6fc4c620b67d95f953a5c1c1230aaab5db5a1b0
run 0 models verify a/b
