# A tensor of an unknown type.  SPDX-License-Identifier: Apache-2.0
copy_model
change model/model.safetensors 'lm_head.0.weight":{"dtype":"BF16"' 'lm_head.0.weight":{"dtype":"XY16"'
refused 8 "XY16" say hello
