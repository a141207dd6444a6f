# Sizes that can't be.  SPDX-License-Identifier: Apache-2.0
copy_model
change model/config.json '"text_hidden_size": 96' '"text_hidden_size": -1'
refused 8 "text_hidden_size" say hello
cp "$MODEL/config.json" model
chmod u+w model/config.json
change model/config.json '"num_code_groups": 16' '"num_code_groups": 100000000'
refused 8 "num_code_groups" say hello
