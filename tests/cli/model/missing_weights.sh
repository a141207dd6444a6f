# No model.safetensors.  SPDX-License-Identifier: Apache-2.0
copy_model
rm model/model.safetensors
refused 6 "model.safetensors" say hello
