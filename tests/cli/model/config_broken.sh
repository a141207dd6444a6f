# A config.json that isn't JSON.  SPDX-License-Identifier: Apache-2.0
copy_model
head -c 700 "$MODEL/config.json" >model/config.json
refused 8 "config.json" say hello
: >model/config.json
refused 8 "config.json" say hello
printf '\377\376{}' >model/config.json
refused 8 "config.json" say hello
