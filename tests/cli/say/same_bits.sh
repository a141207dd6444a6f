# The same bits for all numbers of threads, CPU levels, and predictors with and without cache.  SPDX-License-Identifier: Apache-2.0
want=$(say --max-frames 12 --format md5 hello)
for threads in 1 2 3 8; do
    same "$(say --max-frames 12 -t $threads --format md5 hello)" "$want" "$threads threads"
done
for threads in 1 2 3 8; do
    same "$(say --max-frames 12 -t 2 --codec-threads $threads --format md5 hello)" "$want" "$threads threads of the codec"
done
same "$(KZTTS_CODEC_THREADS=3 say --max-frames 12 --format md5 hello)" "$want" KZTTS_CODEC_THREADS
"$KZTTS" info --json | tr '{' '\n' | sed -n 's/.*"name": "\([a-z0-9]*\)", "usable": true.*/\1/p' >levels
has levels c
for level in $(cat levels); do
    same "$(say --max-frames 12 --cpu $level --format md5 hello)" "$want" "$level"
done
same "$(KZTTS_CP_NO_NEON=1 say --max-frames 12 --format md5 hello)" "$want" KZTTS_CP_NO_NEON
same "$(KZTTS_CP_CACHE=0 say --max-frames 12 --format md5 hello)" "$want" KZTTS_CP_CACHE
same "$(say --max-frames 12 --split off --format md5 hello)" "$want" split
same "$(say --max-frames 12 --split auto --format md5 hello)" "$want" split
