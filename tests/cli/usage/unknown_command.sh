# An unknown command is refused with the nearest one.  SPDX-License-Identifier: Apache-2.0
refused 2 "did you mean 'say'" sya hello
refused 2 "there is no command 'serve'" serve
