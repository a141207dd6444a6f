# One voice a line; JSON; models without.  SPDX-License-Identifier: Apache-2.0
run 0 voices
same "$(head -n 1 out)" serena
same "$(grep -c . out)" 9
run 0 voices --json
has out '{"name": "vivian", "default": false}'
has out '{"name": "serena", "default": true}'
run 0 voices -m "$CHECKPOINTS/mtp-vd"
[ ! -s out ]
has err "describe one with say -i"
run 0 voices -q -m "$CHECKPOINTS/odd-base" --json
same "$(cat out)" "[]"
[ ! -s err ]
