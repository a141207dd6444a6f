# A tensor of another shape.  SPDX-License-Identifier: Apache-2.0
copy_model
change model/model.safetensors 'lm_head.0.weight":{"dtype":"BF16","shape":[64,64]' 'lm_head.0.weight":{"dtype":"BF16","shape":[32,128]'
refused 8 "model.safetensors" say hello
