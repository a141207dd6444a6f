# A file instead of a model directory.  SPDX-License-Identifier: Apache-2.0
refused 6 "config.json" say -m "$MODEL/config.json" hello
