# What a GGUF file is.  SPDX-License-Identifier: Apache-2.0
gguf g --layout C
run 0 inspect g/talker.gguf
has out "GGUF, layout C"
has out "talker F32, predictor F32, tables F32, codec F32"
run 0 inspect --json g/talker.gguf
has out '"kind": "gguf"'
printf 'GGUF\003\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' >empty.gguf
refused 8 'key "general.architecture": expected a string, found nothing' inspect empty.gguf
