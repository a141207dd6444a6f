# A misspelt option is refused with the nearest one.  SPDX-License-Identifier: Apache-2.0
refused 2 "did you mean '--greedy'" say --greddy hello
refused 2 "no option '--loudness'" say --loudness 2 hello
