# Options come after the command.  SPDX-License-Identifier: Apache-2.0
refused 2 "before the command" -m x say hello
