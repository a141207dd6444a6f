# md5 and null are fine on a terminal.  SPDX-License-Identifier: Apache-2.0
on_terminal "'$KZTTS' say -q --max-frames 3 --format md5 hello"
same $rc 0
has screen "$(say --format md5 hello)"
[ ! -e kztts-out.wav ]
