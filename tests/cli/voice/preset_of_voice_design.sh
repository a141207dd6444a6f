# A voice_design model has no preset voices.  SPDX-License-Identifier: Apache-2.0
refused 5 "describe the voice" say -m "$CHECKPOINTS/mtp-vd" -v vivian hello
