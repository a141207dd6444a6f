# Every option has its variable; the command line goes first.  SPDX-License-Identifier: Apache-2.0
want=$(say --format md5 -s 5 -v ryan -l german --temp 1.5 hello)
export KZTTS_SEED=5 KZTTS_VOICE=ryan KZTTS_LANGUAGE=german KZTTS_TEMP=1.5
same "$(say --format md5 hello)" "$want"
same "$(KZTTS_FORMAT=md5 say hello)" "$want"
differ "$(say --format md5 -s 6 hello)" "$want" "the command line goes first"
unset KZTTS_SEED KZTTS_VOICE KZTTS_LANGUAGE KZTTS_TEMP
export KZTTS_QUIET=1 KZTTS_MAX_FRAMES=2 KZTTS_OUTPUT=a.wav KZTTS_CODES=codes
run 0 say hello
[ ! -s err ]
same "$(wav_frames a.wav)" 2
same "$(grep -c . codes)" 2
unset KZTTS_QUIET KZTTS_OUTPUT KZTTS_CODES
same "$(KZTTS_GREEDY=1 say --format md5 hello)" "$(say --greedy --format md5 hello)"
same "$(KZTTS_GREEDY=1 say --sample --format md5 hello)" "$(say --format md5 hello)" "--sample on the command line"
same "$(KZTTS_GREEDY=0 say --format md5 hello)" "$(say --format md5 hello)"
same "$(KZTTS_SEED= say --format md5 hello)" "$(say --format md5 hello)" "an empty variable"
threads() {
    "$KZTTS" info | sed -n 's/^threads *//p'
}
same "$(KZTTS_THREADS=3 threads)" 3
same "$(GGML_NUM_THREADS=2 threads)" 2
same "$(KZTTS_THREADS=3 GGML_NUM_THREADS=2 threads)" 3
