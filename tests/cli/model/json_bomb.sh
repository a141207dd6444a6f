# JSON nested without end, and a huge one.  SPDX-License-Identifier: Apache-2.0
copy_model
head -c 2000000 /dev/zero | tr '\0' '[' >model/config.json
refused 8 "config.json" say hello
{ printf '{"a":"'; head -c 80000000 /dev/zero | tr '\0' a; printf '"}'; } >model/config.json
refused 8 "config.json" say hello
