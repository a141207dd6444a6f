# Seeds and sampling options act; greedy doesn't depend on the seed.  SPDX-License-Identifier: Apache-2.0
base=$(say --max-frames 6 --format md5 hello)
same "$(say --max-frames 6 --format md5 -s 0 hello)" "$base" "seed 0 is the default"
same "$(say --max-frames 6 --format md5 --sample hello)" "$base" "the model draws by default"
differ "$(say --max-frames 6 --format md5 -s 1 hello)" "$base" seed
differ "$(say --max-frames 6 --format md5 --temp 0.5 hello)" "$base" temp
differ "$(say --max-frames 6 --format md5 --top-k 2 hello)" "$base" top-k
differ "$(say --max-frames 6 --format md5 --top-p 0.3 hello)" "$base" top-p
differ "$(say --max-frames 6 --format md5 --sub-temp 0.3 hello)" "$base" sub-temp
differ "$(say --max-frames 6 --format md5 --sub-top-k 2 hello)" "$base" sub-top-k
differ "$(say --max-frames 6 --format md5 --sub-top-p 0.3 hello)" "$base" sub-top-p
greedy=$(say --max-frames 6 --format md5 --greedy hello)
differ "$greedy" "$base"
same "$(say --max-frames 6 --format md5 --greedy -s 9 hello)" "$greedy"
same "$(say --max-frames 6 --format md5 --temp 0 --sub-temp 0 hello)" "$greedy"
same "$(say --max-frames 6 --format md5 --top-k 1 --sub-top-k 1 hello)" "$greedy"
differ "$(say --max-frames 30 --format md5 --greedy --repeat-penalty 5 hello)" "$(say --max-frames 30 --format md5 --greedy hello)"
same "$(say --max-frames 6 --format md5 --subtalker-temperature 0.3 hello)" "$(say --max-frames 6 --format md5 --sub-temp 0.3 hello)"
