# A recording from a pipe.  SPDX-License-Identifier: Apache-2.0
base_model
clip a.wav
run 0 clone -q a.wav -o a --consent mine
"$KZTTS" clone -q - -o b --consent mine <a.wav
same "$(say --format md5 -v a hello)" "$(say --format md5 -v b hello)"
same "$(say --format md5 --ref - hello <a.wav)" "$(say --format md5 -v a hello)"
