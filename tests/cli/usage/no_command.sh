# Without a command: how it is used, exit 2.  SPDX-License-Identifier: Apache-2.0
run 2
has err "usage: kztts COMMAND"
[ ! -s out ]
