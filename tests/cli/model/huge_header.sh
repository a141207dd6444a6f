# A header that claims to be longer than the file.  SPDX-License-Identifier: Apache-2.0
copy_model
printf '\377\377\377\377\377\377\377\177' >start
{ cat start; tail -c +9 "$MODEL/model.safetensors"; } >model/model.safetensors
refused 8 "model.safetensors" say hello
