# Voices in any case, languages by name and by code.  SPDX-License-Identifier: Apache-2.0
want=$(say --format md5 -v vivian -l german hello)
same "$(say --format md5 -v Vivian -l de hello)" "$want"
same "$(say --format md5 -v VIVIAN -l German hello)" "$want"
differ "$(say --format md5 -v ryan -l german hello)" "$want"
differ "$(say --format md5 -v vivian -l french hello)" "$want"
run 0 say --max-frames 1 --format null -v vivian -l de hello
has err "voice=vivian lang=de"
