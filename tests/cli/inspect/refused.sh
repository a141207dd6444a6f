# What inspect can't tell anything about.  SPDX-License-Identifier: Apache-2.0
refused 2 "inspect which file?" inspect
refused 2 "one file at a time" inspect a b
refused 6 "there is no file, folder or voice of yours 'none'" inspect none
echo hello >a.txt
refused 8 "can't be read as a recording" inspect a.txt
echo '{"a": 1}' >a.json
refused 8 "kztts voices import" inspect a.json
cp "$MODEL/model.safetensors" weights.safetensors
refused 8 "without a config.json beside it" inspect weights.safetensors
head -c 200 "$MODEL/model.safetensors" >a.kzvoice
refused 8 "a.kzvoice" inspect a.kzvoice
mkdir empty
refused 6 "config.json" inspect empty
