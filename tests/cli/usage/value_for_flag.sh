# A flag takes no value.  SPDX-License-Identifier: Apache-2.0
refused 2 "--greedy takes no value" say --greedy=yes hello
