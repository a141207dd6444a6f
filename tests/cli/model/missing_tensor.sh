# A tensor with another name.  SPDX-License-Identifier: Apache-2.0
copy_model
change model/model.safetensors '"talker.code_predictor.lm_head.0.weight"' '"talker.code_predictor.lm_head.0.weighs"'
refused 8 "talker.code_predictor.lm_head.0.weight" say hello
