# A base model can't speak without a cloned voice, which is said.  SPDX-License-Identifier: Apache-2.0
refused 5 "cloned" say -m "$CHECKPOINTS/odd-base" hello
