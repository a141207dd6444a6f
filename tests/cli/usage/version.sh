# The version.  SPDX-License-Identifier: Apache-2.0
run 0 --version
same "$(cat out)" "kztts $(sed -n 's/.*KZTTS_VERSION_STRING "\(.*\)"/\1/p' "$TOP/include/kztts/version.h")"
