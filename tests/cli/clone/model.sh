# Only base models clone.  SPDX-License-Identifier: Apache-2.0
clip a.wav
refused 5 "is a custom_voice model; only a base model clones a recording" clone a.wav -o anna --consent x
refused 5 "is a voice_design model" clone a.wav -o anna --consent x -m "$CHECKPOINTS/mtp-vd"
refused 6 "no such model directory" clone a.wav -o anna --consent x -m ./none
