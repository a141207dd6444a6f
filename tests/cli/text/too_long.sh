# More than 1 MiB is refused, from a file and in parts.  SPDX-License-Identifier: Apache-2.0
head -c 1048577 /dev/zero | tr '\0' a >long.txt
refused 3 "longer than 1048576 bytes" say -f long.txt
head -c 600000 long.txt >half.txt
refused 3 "longer than 1048576 bytes" say -f half.txt -f half.txt
