# An unknown letter is refused; a text that begins with a dash is mentioned.  SPDX-License-Identifier: Apache-2.0
refused 2 "no option '-x'" say -x hello
has err "after --"
