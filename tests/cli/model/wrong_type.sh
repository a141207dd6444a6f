# A config.json of another kind of model.  SPDX-License-Identifier: Apache-2.0
copy_model
change model/config.json '"model_type": "qwen3_tts",' '"model_type": "llama",'
refused 8 "model_type" say hello
