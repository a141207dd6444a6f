# A bad value in the environment names the variable.  SPDX-License-Identifier: Apache-2.0
KZTTS_TOP_K=many
export KZTTS_TOP_K
refused 2 "KZTTS_TOP_K: 'many' isn't a whole number" say hello
