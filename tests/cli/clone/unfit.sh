# Recordings that no voice can be made of.  SPDX-License-Identifier: Apache-2.0
base_model
c() { refused "$1" "$2" clone "$3" -o anna --consent x; }
clip short.wav words=1 start=0 end=0
c 8 "speech" short.wav
clip silent.wav gain=0 words=12
c 8 "silent" silent.wav
clip hum.wav gain=0 hum=0.3 words=8
c 8 "no speech stands out" hum.wav
clip long.wav rate=4000 words=120
c 8 "the limit is 60 s" long.wav
clip a.wav
refused 3 "transcript: too long for the recording" clone a.wav -o anna --consent x -T "$(yes many words | head -n 60 | tr '\n' ' ')"
[ ! -e "$XDG_DATA_HOME" ] || fail "something was made"
