# Ids separated by blanks; words, files and pipes are the same.  SPDX-License-Identifier: Apache-2.0
run 0 tokenize Hello there
[ ! -s err ]
grep -qE '^[0-9]+( [0-9]+)*$' out
want=$(cat out)
same "$(printf 'Hello there\n' | "$KZTTS" tokenize)" "$want"
same "$("$KZTTS" tokenize "")" ""
