# Two options that contradict each other.  SPDX-License-Identifier: Apache-2.0
refused 2 "contradict" say --greedy --sample hello
