# verify with two models: how far they agree.  SPDX-License-Identifier: Apache-2.0
printf 'One, two.\n\nThree.\r\n' >texts
run 0 quantize -q "$MODEL" q8.kztts q8
run 0 quantize -q "$MODEL" q4.kztts q4
run 0 convert -q "$MODEL" -o full.kztts

# the same weights in another file: nothing differs
run 0 verify "$MODEL" full.kztts --texts texts --max-frames 10 -q
has out "on        2 texts"
[ "$(grep -c '100.00    100.00    100.00    0.00000     0.0000     0.0000' out)" = 17 ] || fail "16 groups and all"
has out "texts with equal codes     2 of 2"
has out "B's codec on A's codes     the same samples"
[ ! -s err ]

# the table is of the weights: the same by a file and by --quant; the worse weights agree less
run 0 verify "$MODEL" q8.kztts --texts texts --max-frames 10 -q --json
grep -v '"model"' out >file.json
run 0 verify "$MODEL" "$MODEL" --quant q8 --texts texts --max-frames 10 -q --json -t 3
grep -v '"model"' out >option.json
cmp file.json option.json
run 0 verify "$MODEL" q4.kztts --texts texts --max-frames 10 -q --json
python3 - file.json out <<'EOF'
import json, sys
q8, q4 = (json.load(open(path)) for path in sys.argv[1:])
assert q8["texts"] == q4["texts"] == 2 and len(q8["groups"]) == len(q4["groups"]) == 16
assert 0 < q8["all"]["kl"] < q4["all"]["kl"], (q8["all"], q4["all"])
assert 0 < q8["all"]["mean_error"] < q4["all"]["mean_error"]
assert q8["all"]["codes"] == sum(g["codes"] for g in q8["groups"]) == 2 * 10 * 16
assert q4["codec_samples"] == "same" and q4["codec_snr_db"] is None and q4["seconds_a"] == 1.6
EOF
run 0 verify "$CHECKPOINTS/mtp-vd" "$CHECKPOINTS/mtp-vd" --quant q8 --texts texts --max-frames 3 -q -s 5
has out "predictor q8"
