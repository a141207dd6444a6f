# Codes from a file and from standard input, blank lines, tabs and CRLF.  SPDX-License-Identifier: Apache-2.0
say --codes codes --format null hello
want=$("$KZTTS" decode -q --format md5 codes)
same "$("$KZTTS" decode -q --format md5 - <codes)" "$want"
{ printf '\357\273\277'; sed 's/ /\t  /g; s/$/\r/' codes; echo; echo '  '; } >other
same "$("$KZTTS" decode -q --format md5 other)" "$want"
run 0 decode --format md5 codes
grep -q '^ok audio=0\.24s wall=[0-9.]*s rtf=[0-9.]* load=[0-9]*ms frames=3 mode=continuous out=-$' err || fail summary
run 0 decode -q -o a.wav codes
wav_complete a.wav
same "$("$KZTTS" decode -q --format md5 -t 1 codes)" "$want"
same "$("$KZTTS" decode -q --format md5 --cpu c -t 3 codes)" "$want"
same "$("$KZTTS" decode -q --format md5 -t 1 --codec-threads 3 codes)" "$want"
