# Only what is asked for comes; a file of its own with -hff.  SPDX-License-Identifier: Apache-2.0
repository
hub
run 0 pull -q test/model --include "config.json,speech_*.json"
[ -f "cache/$snapshot/speech_tokenizer/config.json" ] || fail "no speech_tokenizer/config.json"
[ ! -e "cache/$snapshot/model.safetensors" ] || fail "the weights came"
: >requests
refused 6 "none of the" pull -q test/model --include "*.xyz"
refused 6 "and the network is off" say -q --offline -hf test/model hello
run 0 inspect -q -hf test/model
grep -q model.safetensors requests || fail "the weights weren't fetched"
