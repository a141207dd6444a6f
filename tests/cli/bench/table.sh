# The table for people; with the portable level no peak is known.  SPDX-License-Identifier: Apache-2.0
run 0 bench -t 1 -r 1 --max-frames 2 --cpu c
has out "| 0b6 tiny-cv | bf16/bf16/f32 | c | 1 | 2 |"
[ "$(grep -c '^|' out)" -eq 3 ]
heads=$(sed -n 's/[^|]//g; /^|/p' out | sort -u | grep -c .)
same "$heads" 1 "columns of head and row"
has out "| - | - |"
run 0 bench -t 1 --codec-threads 2 -r 1 --max-frames 2
has out "| 1, codec 2 | 2 |"
