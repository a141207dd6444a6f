# A line a frame, a number a code group; decode gives the same sound.  SPDX-License-Identifier: Apache-2.0
run 0 say -q --max-frames 7 --format md5 --codes codes hello
same "$(grep -c . codes)" 7
while read -r line; do
    same "$(echo $line | wc -w | tr -d ' ')" 16
done <codes
same "$("$KZTTS" decode -q --format md5 codes)" "$(cat out)"
