# Numbers have ranges, which are named.  SPDX-License-Identifier: Apache-2.0
refused 2 "--codec-threads: '257' isn't a whole number from 0 to 256" say --codec-threads 257 hello
refused 2 "--codec-threads: '-1' isn't" decode --codec-threads -1 codes
refused 2 "--top-p: '1.5' isn't a number from 0 to 1" say --top-p 1.5 hello
refused 2 "-t: '-3' isn't a whole number from 0 to 256" say -t -3 hello
refused 2 "-t: '257' isn't a whole number from 0 to 256" say -t 257 hello
GGML_NUM_THREADS=257
export GGML_NUM_THREADS
refused 2 "GGML_NUM_THREADS: '257' isn't a whole number from 0 to 256" say hello
unset GGML_NUM_THREADS
refused 2 "'99999999999999999999' isn't a whole number" say --top-k 99999999999999999999 hello
refused 2 "'1e999' isn't a number" say --temp 1e999 hello
refused 2 "from 0.01 to 100" say --repeat-penalty 0 hello
