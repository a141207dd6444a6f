# A hub that says nothing is given up.  SPDX-License-Identifier: Apache-2.0
mkdir repo
echo hello >repo/a.bin
hub slow=30
HF_HUB_ETAG_TIMEOUT=1
refused 7 "is too slow" pull -q test/model
