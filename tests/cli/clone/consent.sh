# Without a statement of consent no voice is made; on a terminal it is asked for.  SPDX-License-Identifier: Apache-2.0
base_model
clip a.wav
refused 2 "needs the person's consent: state it with --consent" clone a.wav -o anna
refused 2 "--consent: the statement is empty" clone a.wav -o anna --consent " "
[ ! -e "$XDG_DATA_HOME" ] || fail "something was made"
run 0 say --max-frames 1 --format null --ref a.wav hello
[ ! -e "$XDG_DATA_HOME" ] || fail "say --ref stores nothing"
rc=0
need_terminal
(sleep 1; echo "I am Anna, my own voice") | script -qec "'$KZTTS' clone -q a.wav -o anna" screen >/dev/null || rc=$?
same $rc 0
has screen "consent:"
"$KZTTS" voices show anna >out
has out "I am Anna, my own voice"
