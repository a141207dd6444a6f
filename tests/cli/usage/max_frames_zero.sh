# --max-frames begins at 1.  SPDX-License-Identifier: Apache-2.0
refused 2 "--max-frames: '0' isn't a whole number from 1" say --max-frames 0 hello
