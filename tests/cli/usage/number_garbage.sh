# Numbers are read whole.  SPDX-License-Identifier: Apache-2.0
refused 2 "--top-k: '5x' isn't a whole number from 0 to 1000000" say --top-k 5x hello
refused 2 "'' isn't a whole number" say --max-frames "" hello
refused 2 "' 5' isn't a whole number" say --max-frames " 5" hello
refused 2 "'+5' isn't a whole number" say --max-frames +5 hello
refused 2 "'0x10' isn't a number from 0 to 100" say --temp 0x10 hello
refused 2 "'1,5' isn't a number from 0 to 100" say --temp 1,5 hello
