# What the machine can do: every size, every level, every number of threads.  SPDX-License-Identifier: Apache-2.0
run 0 bench limits -t 1,2 -o csv
same "$(head -n 1 out)" "what,level,kib,threads,rate,unit"
same "$(grep -c '^reading,' out)" 14
same "$(grep -c ',1,[0-9.]*,' out)" "$(grep -c ',2,[0-9.]*,' out)"
! grep -q ',0\.00,' out || fail "a rate of nothing"
run 0 bench limits -t 1 -o md
has out "| reading 512 MiB | 1 |"
