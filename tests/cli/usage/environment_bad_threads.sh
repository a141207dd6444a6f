# A bad GGML_NUM_THREADS is named.  SPDX-License-Identifier: Apache-2.0
export GGML_NUM_THREADS=lots
refused 2 "GGML_NUM_THREADS: 'lots'" say hello
