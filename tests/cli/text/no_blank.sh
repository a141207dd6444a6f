# 10 kB without a blank.  SPDX-License-Identifier: Apache-2.0
head -c 10240 /dev/zero | tr '\0' a >a.txt
run 0 say --max-frames 1 --format null -f a.txt
has err "frames=1 "
