# A weight file with bytes behind the last tensor.  SPDX-License-Identifier: Apache-2.0
copy_model
printf 'more' >>model/model.safetensors
refused 8 "model.safetensors" say hello
