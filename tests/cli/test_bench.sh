# Measuring, with the program in KZTTS: how ctest calls run.sh.  SPDX-License-Identifier: Apache-2.0
exec sh "$(dirname "$0")/run.sh" "$KZTTS" "" bench
