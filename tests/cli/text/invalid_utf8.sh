# A byte that isn't UTF-8 is named with its offset.  SPDX-License-Identifier: Apache-2.0
refused 3 "byte offset 2 (0xff)" say "$(printf 'ab\377c')"
refused 3 "byte offset 6 (0xc3)" say "Hello" "$(printf '\303')"
