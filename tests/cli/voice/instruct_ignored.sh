# An instruction that the model can't follow is said, and changes nothing.  SPDX-License-Identifier: Apache-2.0
run 0 say --max-frames 2 --format md5 -i "Very happy." hello
has err "kztts: note: "
has err "instruct"
same "$(cat out)" "$(say --max-frames 2 --format md5 hello)"
run 0 say -q --max-frames 2 --format md5 -i "Very happy." hello
[ ! -s err ]
