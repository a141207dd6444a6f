# A file instead of a model.  SPDX-License-Identifier: Apache-2.0
refused 8 "neither a model directory nor a prepared or GGUF file" say -m "$MODEL/config.json" hello
