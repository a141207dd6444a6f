# A codes file above 64 MiB is refused.  SPDX-License-Identifier: Apache-2.0
head -c 67108865 /dev/zero | tr '\0' ' ' >bad
refused 8 "longer than 67108864 bytes" decode --format null bad
