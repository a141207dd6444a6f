# Quantised weights: one answer a type, on every CPU level and number of threads.  SPDX-License-Identifier: Apache-2.0
"$KZTTS" info --json | tr '{' '\n' | sed -n 's/.*"name": "\([a-z0-9]*\)", "usable": true.*/\1/p' >levels
has levels c
stored=$(say --max-frames 12 --format md5 hello)
same "$(say --max-frames 12 --quant stored --format md5 hello)" "$stored" stored
for type in q8 q4 q4_0; do
    want=$(say --max-frames 12 --quant $type --format md5 hello)
    differ "$want" "$stored" $type
    same "$(say --max-frames 12 --quant talker=$type,predictor=$type --format md5 hello)" "$want" "both $type"
    for threads in 1 3 8; do
        same "$(say --max-frames 12 --quant $type -t $threads --format md5 hello)" "$want" "$type, $threads threads"
    done
    for level in $(cat levels); do
        same "$(say --max-frames 12 --quant $type --cpu $level --format md5 hello)" "$want" "$type, $level"
    done
done
run 0 info --quant predictor=q4 --json
has out '"talker_weights": "'
has out '"predictor_weights": "q4"'
