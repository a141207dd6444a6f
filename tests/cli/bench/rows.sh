# A row for each set of types and number of threads, with every sample, and the sound that say makes.
# SPDX-License-Identifier: Apache-2.0
command -v python3 >/dev/null || skip "no python3"
run 0 bench -t 1-2 --quant stored/q8 -r 2 --max-frames 3 -o json -oe csv
mv err rows.csv
for quant in stored q8; do
    run 0 say --greedy --max-frames 3 --format md5 -o - --quant $quant \
        "Hello, world. This is a test of how quickly the whole chain works on this machine."
    cat out >>said
done
run 0 bench -t 1 --quant stored/q8 -r 1 --max-frames 3 --no-warmup -o jsonl
mv out rows.jsonl
run 0 bench -t 1 --codec-threads 2 -r 4 --max-frames 3 -o json -oe csv
mv out four.json
mv err four.csv
run 0 bench -t 1 --cpu c -r 1 --max-frames 2 -o json -oe csv
mv out portable.json
mv err portable.csv
run 0 bench -t 1,2 --codec-threads 0,1,3 -r 1 --max-frames 3 --no-warmup -o csv
mv out pairs.csv
run 0 bench -t 1 --quant stored/q8 -r 2 --max-frames 3 -o json
python3 - <<'END'
import csv, json, statistics
again = json.load(open("out"))
lines = [json.loads(line) for line in open("rows.jsonl")]
table = list(csv.DictReader(open("rows.csv")))
assert len(again) == len(lines) == 2 and len(table) == 4
assert [(row["weights"], row["threads"]) for row in table] == [
    ("bf16/bf16/f32", "1"), ("bf16/bf16/f32", "2"), ("q8/q8/f32", "1"), ("q8/q8/f32", "2")]
pairs = list(csv.DictReader(open("pairs.csv")))
assert [(row["threads"], row["codec_threads"]) for row in pairs] == [
    ("1", "1"), ("1", "1"), ("1", "3"), ("2", "2"), ("2", "1"), ("2", "3")]
assert len({row["md5"] for row in pairs + table[:1]}) == 1
for row in again:
    assert row["codec_threads"] == 1
    assert row["limits"]["codec_read_gb_s"] == row["limits"]["read_gb_s"]
    assert row["frames"] == 3 and row["prompt_rows"] > 0 and row["load_ms"] > 0 and row["peak_mib"] > 1
    for name in "prefill_ms first_ms again_ms talker_ms predictor_ms heads_ms codec_ms rtf frames_s".split():
        samples = row[name]["samples"]
        assert len(samples) == 2 and min(samples) > 0, name
        assert abs(row[name]["median"] - sum(samples) / 2) < 1e-3, name
    passes, parts = row["predictor_passes"], ["input_ms", "layers_ms", "head_ms", "sampling_ms"]
    assert passes and all(list(p) == parts and min(p.values()) >= 0 for p in passes)
    spent = sum(sum(p.values()) for p in passes)
    assert 0 < spent < row["predictor_ms"]["median"] + 1e-3
    assert sum(p["head_ms"] + p["sampling_ms"] for p in passes) < row["heads_ms"]["median"] + 1e-3
    assert row["limits"]["read_gb_s"] > 0 and row["percent"]["talker"] > 0
    assert (row["limits"]["fma_gflop_s"] is None) == (row["cpu"] == "c")
assert len(lines[0]["rtf"]["samples"]) == 1

# of four samples the median is between the two in the middle; both formats have it
(four,), (table_row,) = json.load(open("four.json")), csv.DictReader(open("four.csv"))
for name, metric in ((name, m) for name, m in four.items() if isinstance(m, dict) and "samples" in m):
    assert len(metric["samples"]) == 4
    assert abs(metric["median"] - statistics.median(metric["samples"])) < 2e-4, name
    assert abs(metric["sd"] - statistics.stdev(metric["samples"])) < 2e-4, name
    assert abs(float(table_row[name]) - metric["median"]) < 2e-4, name
for stage, percent in four["percent"].items():
    assert abs(float(table_row[stage + "_percent"] or 0) - (percent or 0)) < 0.06, stage
read = four["limits"]["codec_read_gb_s"]
assert read > 0 and abs(float(table_row["codec_read_gb_s"]) - read) < 0.02
assert (four["limits"]["codec_fma_gflop_s"] is None) == (table_row["codec_fma_gflop_s"] == "")

# what isn't known is an empty field where JSON has null
(portable,), (table_row,) = json.load(open("portable.json")), csv.DictReader(open("portable.csv"))
assert portable["limits"]["fma_gflop_s"] is portable["limits"]["codec_fma_gflop_s"] is portable["percent"]["codec"] is None
unknown = "fma_gflop_s codec_fma_gflop_s int8_gop_s codec_percent prefill_percent".split()
assert [table_row[name] for name in unknown] == [""] * 5
assert float(table_row["read_gb_s"]) > 0 and float(table_row["talker_percent"]) > 0
said = open("said").read().split()
assert [row["md5"] for row in table] == [said[0], said[0], said[1], said[1]]
assert [row["md5"] for row in again] == [row["md5"] for row in lines] == said
END
