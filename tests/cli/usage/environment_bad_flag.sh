# Flags in the environment are 1 or 0.  SPDX-License-Identifier: Apache-2.0
export KZTTS_CP_CACHE=maybe
refused 2 "KZTTS_CP_CACHE: 'maybe' isn't 1 or 0" say hello
unset KZTTS_CP_CACHE
export KZTTS_GREEDY=perhaps
refused 2 "KZTTS_GREEDY: 'perhaps'" say hello
