# What info says.  SPDX-License-Identifier: Apache-2.0
run 0 info
has out "custom_voice"
has out "24000 Hz"
has out "16 codes a frame"
has out "vivian"
has out "german"
has out "MiB"
[ ! -s err ]
