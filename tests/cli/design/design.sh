# A description becomes a voice: with its seed, or cloned on a base model.  SPDX-License-Identifier: Apache-2.0
design=$CHECKPOINTS/mtp-vd
run 0 design -m "$design" "A deep voice." -o deep -s 7
has err "ok kind=described out="
has err "note: seed 7"
want=$(say --format md5 -m "$design" -i "A deep voice." -s 7 hello)
same "$(say --format md5 -m "$design" -v deep hello)" "$want" "description and seed"
differ "$(say --format md5 -m "$design" -v deep -s 8 hello)" "$want" "-s goes first"
run 0 say -m "$design" -v deep -i "A high voice." --max-frames 3 --format md5 hello
has err "-i is ignored"
same "$(cat out)" "$want"
base_model
run 0 design -m "$design" "A deep voice." -o low -s 7 --base "$KZTTS_MODEL" --max-frames 20
has err "frames=20"
same "$(say --format md5 -m "$design" -v low hello)" "$want" "on its own model by description and seed"
run 0 voices show low
has out "source       designed"
has out "description  A deep voice."
has out "seed         7"
hasnt out "consent"
run 0 say -v low --max-frames 1 --format null hello
has err "voice=low"
run 0 design -m "$design" "A deep voice." -o de -s 7 --base "$KZTTS_MODEL" --max-frames 20 -l de
run 0 voices show de
has out "transcript   Am frühen Morgen"
