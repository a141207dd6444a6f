# A bar on a terminal only, and not with -q or TERM=dumb.  SPDX-License-Identifier: Apache-2.0
on_terminal "'$KZTTS' say --cpu c --greedy --max-frames 30 --format null hello"
same $rc 0
has screen "#"
has screen "] "
has screen "s of audio, rtf"
on_terminal "TERM=dumb '$KZTTS' say --cpu c --greedy --max-frames 30 --format null hello"
hasnt screen ".....#"
hasnt screen "#....."
on_terminal "'$KZTTS' say -q --cpu c --greedy --max-frames 30 --format null hello"
hasnt screen "rtf"
run 0 say --cpu c --greedy --max-frames 30 --format null hello
hasnt err ".....#"
hasnt err "#....."
