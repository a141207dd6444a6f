# A text that the model has no room for is refused, not cut.  SPDX-License-Identifier: Apache-2.0
head -c 1048576 /dev/zero | tr '\0' a >long.txt
refused 3 "1048576 tokens" say --split off --max-frames 1 --format null -f long.txt
