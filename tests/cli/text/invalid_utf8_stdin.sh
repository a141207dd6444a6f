# The same from standard input.  SPDX-License-Identifier: Apache-2.0
printf 'abc\200' >in
rc=0
"$KZTTS" say <in >out 2>err || rc=$?
same $rc 3
has err "standard input: invalid UTF-8 at byte offset 3 (0x80)"
