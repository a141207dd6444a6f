# A weight file cut off: in the data, in the header, at once.  SPDX-License-Identifier: Apache-2.0
copy_model
for size in 1000000 5000 7 0; do
    head -c $size "$MODEL/model.safetensors" >model/model.safetensors
    refused 8 "model.safetensors" say hello
done
