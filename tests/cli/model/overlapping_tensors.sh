# Two tensors in the same bytes.  SPDX-License-Identifier: Apache-2.0
copy_model
change model/model.safetensors '[8192,16384]' '[4096,12288]'
refused 8 "model.safetensors" say hello
