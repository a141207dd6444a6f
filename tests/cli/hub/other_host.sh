# The token isn't sent on to another host.  SPDX-License-Identifier: Apache-2.0
mkdir repo
echo hello >repo/a.bin
hub redirect=1
HF_TOKEN=hf_secret run 0 pull -q test/model
cmp repo/a.bin "cache/$snapshot/a.bin"
grep elsewhere requests >away || fail "no redirect"
has away "token=- host=localhost"
grep -v elsewhere requests >home
has home "token=Bearer hf_secret"
hasnt away hf_secret
