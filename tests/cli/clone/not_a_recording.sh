# What is no recording.  SPDX-License-Identifier: Apache-2.0
base_model
c() { refused "$1" "$2" clone "$3" -o anna --consent x; }
c 6 "none.wav" none.wav
: >empty.wav
c 8 "empty" empty.wav
echo "hello there, this is no sound" >text.wav
c 8 "can't be read as a recording" text.wav
printf '\211PNG\r\n\032\n0000000000000000' >picture.wav
c 8 "can't be read as a recording" picture.wav
printf '\000\000\000\030ftypmp42\000\000\000\000mp42isom' >film.mp4
c 8 "can't be read as a recording" film.mp4
mkdir folder
c 8 "folder" folder
clip a.wav
head -c 44 a.wav >header.wav
c 8 "header.wav" header.wav
head -c 30000 a.wav >cut.wav
c 8 "cut off" cut.wav
[ ! -e "$XDG_DATA_HOME" ] || fail "something was made"
