# The modes differ from frame 300 on only.  SPDX-License-Identifier: Apache-2.0
say --greedy --max-frames 310 --codes codes --format null hello
head -n 300 codes >short
same "$("$KZTTS" decode -q --format md5 --mode reference short)" "$("$KZTTS" decode -q --format md5 short)"
differ "$("$KZTTS" decode -q --format md5 --mode reference codes)" "$("$KZTTS" decode -q --format md5 codes)"
