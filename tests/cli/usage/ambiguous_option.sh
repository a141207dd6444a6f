# A short form of several options is refused.  SPDX-License-Identifier: Apache-2.0
refused 2 "more than one" say --te 1 hello
