# 10 kB without a blank.  SPDX-License-Identifier: Apache-2.0
yes assistant | tr -d '\n' | head -c 10240 >a.txt
same "$(size a.txt)" 10240
run 0 say --split off --max-frames 1 --format null -f a.txt
has err "frames=1 "
