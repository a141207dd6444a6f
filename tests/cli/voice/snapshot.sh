# What a clone's recording leaves is kept beside the voice: same bits with and without, made again when it doesn't fit.
# SPDX-License-Identifier: Apache-2.0
anna
file=$XDG_DATA_HOME/kztts/voices/anna.kzvoice
kept=$file.snapshot
cp "$file" ./anna.kzvoice # outside the user's folder nothing is kept
want=$(say --format md5 -v ./anna.kzvoice hello)
[ ! -e "$kept" ] && [ ! -e ./anna.kzvoice.snapshot ] || fail "a snapshot of a file elsewhere"
same "$want" "$(say --format md5 -v anna hello)"
[ -s "$kept" ] || fail "no snapshot"
cp "$kept" first
same "$want" "$(say --format md5 -v anna hello)"
cmp -s "$kept" first || fail "a snapshot that fits was made again"
other=$(say --format md5 -v ./anna.kzvoice "another text, of other words")
same "$other" "$(say --format md5 -v anna "another text, of other words")"
quantised=$(say --format md5 -v ./anna.kzvoice --quant q4_0 hello)
differ "$quantised" "$want"
same "$quantised" "$(say --format md5 -v anna --quant q4_0 hello)" "a snapshot of other weights was used"
head -c 500 first >"$kept" # damaged: made again
same "$want" "$(say --format md5 -v anna hello)"
cmp -s "$kept" first || fail "a damaged snapshot was not made again"
change "$kept" "kzsnapshot/3" "kzsnapshot/9"
same "$want" "$(say --format md5 -v anna hello)"
cmp -s "$kept" first || fail "a snapshot of another kind was not made again"
clip anna.wav gain=0.2
"$KZTTS" clone -q anna.wav -o anna -T "$WORDS" --consent "I am Anna" --force || fail "clone"
stale=$(say --format md5 -v anna hello)
cp "$file" ./anna.kzvoice
same "$stale" "$(say --format md5 -v ./anna.kzvoice hello)"
cmp -s "$kept" first && fail "the snapshot of another recording was kept"
"$KZTTS" voices rm -q --force anna || fail "rm"
[ ! -e "$kept" ] || fail "the snapshot outlived its voice"
