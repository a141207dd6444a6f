# A terminal without a text: usage, exit 2, no waiting.  SPDX-License-Identifier: Apache-2.0
command -v script >/dev/null || skip "no program script (package bsdutils) to make a terminal with"
rc=0
script -qec "'$KZTTS' say >'$PWD/out' 2>'$PWD/err'" /dev/null >/dev/null || rc=$?
same $rc 2
has err "no text: give it as words, with -f FILE, or on standard input"
[ ! -s out ]
