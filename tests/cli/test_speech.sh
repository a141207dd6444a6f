# Speech, codes and what models say of themselves, with the program in KZTTS: how ctest calls run.sh.  SPDX-License-Identifier: Apache-2.0
exec sh "$(dirname "$0")/run.sh" "$KZTTS" "" say stream batch decode info voices
