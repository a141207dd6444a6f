# A folder without a model.  SPDX-License-Identifier: Apache-2.0
mkdir empty
refused 6 "config.json" say -m empty hello
refused 6 "config.json" info -m ./empty
