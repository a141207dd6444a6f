# What the passes of the code predictor take: a line each, by the option or the variable, and only then.
# SPDX-License-Identifier: Apache-2.0
run 0 info --json
n=$(sed -n 's/.*"code_groups": *\([0-9]*\).*/\1/p' out)
[ "$n" -ge 2 ]
run 0 say --max-frames 3 --format null --cp-profile Hello
[ "$(sed -n '/^ *pass  *input  *layers  *head  *sampling  *ms$/,$p' err | wc -l)" -eq $((n + 1)) ]
tail -n 1 err | grep -q '^ *all  *[0-9.]*  *[0-9.]*  *[0-9.]*  *[0-9.]*  *[0-9.]*$'
export KZTTS_CP_PROFILE=1
run 0 say --max-frames 3 --format null Hello
has err "sampling"
run 0 say --max-frames 3 --format null -q Hello
[ ! -s err ]
KZTTS_CP_PROFILE=0
run 0 say --max-frames 3 --format null Hello
[ "$(grep -c sampling err)" -eq 0 ]
