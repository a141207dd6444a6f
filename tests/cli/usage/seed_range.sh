# Seeds below -1 and above 64 bits are refused.  SPDX-License-Identifier: Apache-2.0
refused 2 "'-2' isn't a whole number from -1" say -s -2 hello
refused 2 "'18446744073709551616' isn't" say -s 18446744073709551616 hello
run 0 say -s 18446744073709551615 --max-frames 1 --format null hello
has err "seed=18446744073709551615"
