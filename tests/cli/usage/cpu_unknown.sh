# An unknown CPU level is refused.  SPDX-License-Identifier: Apache-2.0
refused 2 "z80" say --cpu z80 hello
refused 2 "z80" decode --cpu z80 "$TOP/README.md"
