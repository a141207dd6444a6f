# -v "" is no speaker, as in the official call.  SPDX-License-Identifier: Apache-2.0
run 0 say -v "" --max-frames 3 --format md5 hello
has err "voice=none"
differ "$(cat out)" "$(say --format md5 hello)"
