# What stream refuses.  SPDX-License-Identifier: Apache-2.0
refused 2 "standard input" stream --format null words
refused 2 "--text-mode full can't" stream --commit token --text-mode full --format null
refused 3 "nothing to speak" stream --format null
printf 'a\0b' | refused 3 "NUL byte" stream --format null
printf 'a\377b' | refused 3 "UTF-8" stream --format null
