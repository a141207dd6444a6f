# No sound on a terminal when it is asked for.  SPDX-License-Identifier: Apache-2.0
on_terminal "'$KZTTS' say --max-frames 1 -o - hello 2>'$PWD/err'"
same $rc 2
has err "standard output is a terminal"
on_terminal "'$KZTTS' say --max-frames 1 --format pcm hello 2>'$PWD/err'"
same $rc 2
has err "standard output is a terminal"
