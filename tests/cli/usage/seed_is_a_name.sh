# -s with a name: the hint that it is the seed.  SPDX-License-Identifier: Apache-2.0
refused 2 "-s is the seed; a voice is chosen with -v" say -s vivian hello
