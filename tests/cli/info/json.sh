# The same as JSON.  SPDX-License-Identifier: Apache-2.0
run 0 info --json
command -v python3 >/dev/null || skip "no python3"
python3 - <<'END'
import json
info = json.load(open("out"))
assert info["type"] == "custom_voice" and info["sample_rate"] == 24000 and info["frame_samples"] == 1920
assert info["code_groups"] == 16 and info["codebook_size"] == 64 and info["parameters"] > 500000
assert info["voices"][0] == "serena" and len(info["voices"]) == 9 and "german" in info["languages"]
assert info["cpu"] in [level["name"] for level in info["cpu_levels"] if level["usable"]]
assert info["threads"] >= 1 and info["weight_bytes"] > 2000000 and info["stream_bytes"] > 0
END
