# A terminal without a text: usage, exit 2, no waiting.  SPDX-License-Identifier: Apache-2.0
rc=0
need_terminal
script -qec "'$KZTTS' say >'$PWD/out' 2>'$PWD/err'" /dev/null >/dev/null || rc=$?
same $rc 2
has err "no text: give it as words, with -f FILE, or on standard input"
[ ! -s out ]
