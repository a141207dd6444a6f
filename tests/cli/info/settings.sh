# Threads and CPU level are what is asked for.  SPDX-License-Identifier: Apache-2.0
run 0 info -t 3 --cpu c --json
has out '"threads": 3'
has out '"cpu": "c"'
