# Hostile names in messages don't reach the terminal as control characters.  SPDX-License-Identifier: Apache-2.0
refused 6 "no model 'a?[31mb'" say -m "$(printf 'a\033[31mb')" hello
