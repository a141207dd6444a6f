# What encode doesn't take.  SPDX-License-Identifier: Apache-2.0
clip a.wav
refused 5 "only a base model has an encoder for recordings" encode a.wav --codes codes
[ ! -e codes ] || fail "codes was left behind"
base_model
refused 2 "no recording" encode
refused 2 "one recording at a time" encode a.wav a.wav
refused 6 "none.wav" encode none.wav
echo text >b.wav
refused 8 "can't be read as a recording" encode b.wav
clip long.wav rate=4000 words=120
refused 2 "60 s" encode long.wav --codes codes
[ ! -e codes ] || fail "codes was left behind"
[ ! -c /dev/full ] || refused 1 "can't write '/dev/full'" encode a.wav --codes /dev/full
