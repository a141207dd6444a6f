# A codes file without codes.  SPDX-License-Identifier: Apache-2.0
: >bad
refused 8 "no codes in it" decode --format null bad
printf '\n  \n' >bad
refused 8 "no codes in it" decode --format null bad
