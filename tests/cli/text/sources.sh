# Words, -f, - and a pipe are the same text; several words and files are joined.  SPDX-License-Identifier: Apache-2.0
want=$(say --format md5 "Hello there.")
same "$(say --format md5 Hello there.)" "$want" words
echo "Hello there." >a.txt
same "$(say --format md5 -f a.txt)" "$want" -f
same "$(say --format md5 - <a.txt)" "$want" -
same "$(say --format md5 <a.txt)" "$want" pipe
same "$(say --format md5 -f - <a.txt)" "$want" "-f -"
same "$(KZTTS_FILE=a.txt say --format md5)" "$want" KZTTS_FILE
printf 'Hello' >b.txt
printf 'there.' >c.txt
same "$(say --format md5 -f b.txt -f c.txt)" "$(say --format md5 "Hello
there.")" "two files"
