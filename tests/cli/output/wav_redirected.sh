# Standard output that is a file gets its sizes, at its own place when it isn't empty.  SPDX-License-Identifier: Apache-2.0
say -o a.wav hello
say hello >b.wav
cmp a.wav b.wav
{ printf 12345678; say hello; } >c
tail -c +9 c >c.wav
cmp a.wav c.wav
printf 12345678 >d
say hello >>d
tail -c +9 d >d.wav
same "$(number d.wav $((48 + $(number d.wav 40 4))) 4)" 4294967295 "appended: the header can't be patched"
