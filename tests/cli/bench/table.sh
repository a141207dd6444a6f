# The table for people; with the portable level no peak is known.  SPDX-License-Identifier: Apache-2.0
run 0 bench -t 1 -r 1 --max-frames 2 --cpu c
has out "| 0b6 tiny-cv | bf16/bf16/f32 | c | 1 | 2 |"
sed '/^The code/,$d' out >rows
sed '1,/^The code/d' out >passes
for table in rows passes; do
    heads=$(sed -n 's/[^|]//g; /^|/p' $table | sort -u | grep -c .)
    same "$heads" 1 "columns of head and rows of $table"
done
[ "$(grep -c '^|' rows)" -eq 3 ]
has rows "| - | - |"
# every code but the first has a pass
has passes "| bf16/bf16/f32 | 1 | 1 |"
has passes "| bf16/bf16/f32 | 1 | all |"
run 0 bench -t 1 --codec-threads 2 -r 1 --max-frames 2
has out "| 1, codec 2 | 2 |"
grep -q '| [0-9.]*, [0-9.]*, codec [0-9.]* |' out || fail "what the codec's threads read"
