# What design doesn't take.  SPDX-License-Identifier: Apache-2.0
design=$CHECKPOINTS/mtp-vd
refused 2 "no description" design -m "$design" -o a
refused 2 "one description, in quotes" design -m "$design" a deep voice -o a
refused 2 "name the voice with -o NAME" design -m "$design" "A deep voice."
refused 3 "the description is empty" design -m "$design" "  " -o a
refused 2 "--text is what is said to be cloned: it belongs to --base" design -m "$design" "A voice." -o a --text hello
refused 5 "only a voice_design model makes a voice of a description" design "A voice." -o a
refused 5 "only a base model takes the designed voice over" design -m "$design" "A voice." -o a --base "$MODEL"
refused 6 "no such model directory" design -m "$design" "A voice." -o a --base ./none
run 0 design -q -m "$design" "A voice." -o a
refused 5 "a voice_design checkpoint speaks with it" say -m "$CHECKPOINTS/odd-base" -v a hello
[ ! -e "$XDG_DATA_HOME/kztts/voices/b.kzvoice" ]
