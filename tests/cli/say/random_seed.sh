# -s -1 draws a seed, prints it, and it gives the same sound again.  SPDX-License-Identifier: Apache-2.0
run 0 say -s -1 --max-frames 3 --format md5 hello
seed=$(sed -n 's/.* seed=\([0-9]*\) .*/\1/p' err)
same "$(say -s "$seed" --format md5 hello)" "$(cat out)"
run 0 say -s -1 --max-frames 1 --format null hello
hasnt err "seed=$seed "
