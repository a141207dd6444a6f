# Weights that are no numbers.  SPDX-License-Identifier: Apache-2.0
copy_model
size=$(size model/model.safetensors)
printf '\377\377\377\377' | dd of=model/model.safetensors bs=1 seek=$((size - 4)) conv=notrunc 2>/dev/null
refused 8 "not a finite number" say hello
