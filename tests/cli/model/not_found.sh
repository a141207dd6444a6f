# A model directory that isn't there.  SPDX-License-Identifier: Apache-2.0
refused 6 "none/here" say -m none/here hello
refused 6 "none/here" info -m none/here
refused 6 "none/here" decode -m none/here "$TOP/README.md"
refused 6 "no model 'nobody': there is no such directory" say -m nobody hello
