# A preset goes before a voice of yours of that name.  SPDX-License-Identifier: Apache-2.0
anna
cp "$XDG_DATA_HOME/kztts/voices/anna.kzvoice" "$XDG_DATA_HOME/kztts/voices/vivian.kzvoice"
KZTTS_MODEL=$MODEL
run 0 say -v vivian --max-frames 1 --format null hello
has err "voice=vivian"
