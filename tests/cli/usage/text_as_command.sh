# A text instead of a command: a hint.  SPDX-License-Identifier: Apache-2.0
refused 2 "kztts say 'Hello there'" "Hello there"
