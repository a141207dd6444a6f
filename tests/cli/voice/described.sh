# A voice_design model takes the description from -i.  SPDX-License-Identifier: Apache-2.0
KZTTS_MODEL=$CHECKPOINTS/mtp-vd
run 0 say --max-frames 2 --format md5 -i "A deep voice." hello
has err "voice=described"
differ "$(cat out)" "$(say --max-frames 2 --format md5 hello)"
