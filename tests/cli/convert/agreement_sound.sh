# verify with two models: what it says of their sound, and of what it didn't compare.  SPDX-License-Identifier: Apache-2.0
command -v python3 >/dev/null || skip "no python3"
json() {
    run 0 verify "$@" -q --json
    python3 -c 'import json, sys; r = json.load(open("out")); sys.exit(not eval(sys.argv[1]))' "$want" ||
        fail "kztts verify $*: $want"
}

# a text of several chunks is one utterance here: its prompt is the one that the codes are compared after
for i in 1 2 3 4 5 6 7 8; do
    printf 'This is sentence number %s, and it is not a short one at all. ' $i
done >long
want='r["all"]["equal"] == 1'
json "$MODEL" "$MODEL" --texts long --max-frames 30
json "$MODEL" "$MODEL" --texts long --max-frames 30 --greedy
want='r["codec_samples"] == r["free_samples"] == "same" and r["all"]["codes"] == 30 * 16'
json "$MODEL" "$MODEL" --texts long --max-frames 30
want='r["texts_cut_a"] == r["texts_cut_b"] == 1 and r["mel_texts"] == 1 and r["mel_texts_cut"] == 0'
json "$MODEL" "$MODEL" --texts long --max-frames 30
run 0 verify "$MODEL" "$MODEL" --texts long --max-frames 30 -q
has out "cut       A doesn't end 1 of 1 texts within 30 frames (--max-frames)"

# a codec with another last layer is heard after the same codes
copy_model
python3 - <<'END'
import json, struct
path = "model/speech_tokenizer/model.safetensors"
data = bytearray(open(path, "rb").read())
n = 8 + struct.unpack("<Q", data[:8])[0]
begin, end = json.loads(data[8:n])["decoder.decoder.6.conv.weight"]["data_offsets"]
data[n + begin:n + end] = bytes(end - begin)
open(path, "wb").write(data)
END
want='r["codec_samples"] == r["free_samples"] == "differ" and r["codec_snr_db"] < 60 and r["texts_equal"] == 1'
json "$MODEL" model --texts long --max-frames 30
run 0 verify "$MODEL" model --texts long --max-frames 30 -q
hasnt out "the same samples"

# what one of the two doesn't say is no agreement
rm -r model
copy_model
sed 's/"max_new_tokens": [0-9]*/"max_new_tokens": 5/' "$MODEL/generation_config.json" >model/generation_config.json
want='r["free_samples"] == "differ" and r["free_snr_db"] is not None and r["codec_samples"] == "same"'
json model "$MODEL" --texts long --max-frames 10
near "$(sed -n 's/^ *"seconds_b": \([0-9.]*\),/\1/p' out)" 0.8 0.001
run 0 verify model "$MODEL" --texts long --max-frames 10 -q
has out "A doesn't end 1 of 1 texts within 4 frames"
has out "B doesn't end 1 of 1 texts within 10 frames"

# spectra are compared up to 40 s
echo "Hello there. This is it." >text
want='r["seconds_a"] == 40.8 and r["mel_texts"] == r["mel_texts_cut"] == 1'
json "$CHECKPOINTS/mtp-vd" "$CHECKPOINTS/mtp-vd" --texts text --max-frames 510 -s 4
run 0 verify "$CHECKPOINTS/mtp-vd" "$CHECKPOINTS/mtp-vd" --texts text --max-frames 510 -s 4 -q
has out "(of 1 texts the first 40 s)"

# a codec that has heard a recording can't be opened alone
anna
want='r["codec_samples"] == "no decoder" and r["codec_snr_db"] is None and r["free_samples"] == "same"'
json "$KZTTS_MODEL" "$KZTTS_MODEL" -v anna --texts text --max-frames 5
run 0 verify "$KZTTS_MODEL" "$KZTTS_MODEL" -v anna --texts text --max-frames 5 -q
has out "B's codec on A's codes     not compared"
