# An option without its value is refused.  SPDX-License-Identifier: Apache-2.0
refused 2 "--top-k needs a value" say hello --top-k
refused 2 "-s needs a value" say hello -s
