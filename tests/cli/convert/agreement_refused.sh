# Models that can't be compared.  SPDX-License-Identifier: Apache-2.0
refused 2 "a prepared file, or two models to compare" verify
refused 2 "a prepared file, or two models to compare" verify a b c
refused 6 "no model 'none'" verify "$MODEL" none
refused 5 "these models can't be compared: custom_voice" verify "$MODEL" "$CHECKPOINTS/mtp-vd" --max-frames 2
refused 5 "it speaks with cloned ones" verify "$CHECKPOINTS/odd-base" "$CHECKPOINTS/odd-base"
refused 6 "can't open 'none.txt'" verify "$MODEL" "$MODEL" --texts none.txt
printf '\n  \n' >blank
refused 3 "there is no text to compare the models on" verify "$MODEL" "$MODEL" --texts blank
refused 2 "is not understood" verify "$MODEL" "$MODEL" --quant q7
echo '...' >dots
refused 3 "there is nothing to speak" verify "$MODEL" "$MODEL" --texts dots
yes word | tr '\n' ' ' | head -c 400000 >endless
refused 3 "one utterance takes at most 30000" verify "$MODEL" "$MODEL" --texts endless
