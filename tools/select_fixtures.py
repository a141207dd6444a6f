#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes tests/golden's data from a complete fixtures folder: the telling part of it, small enough for the repository.

    tools/select_fixtures.py FIXTURES [OUT]

OUT (default: tests/golden beside this script's folder) gets checkpoints/, a folder a group, and manifest.json, all in
the layout of FIXTURES; what was there of these is replaced, nothing else is touched. Run it again after the fixtures
were made anew. The manifest says why groups are left out, and the golden tests repeat it.
"""
import argparse
import json
import os
import shutil
import sys

# One of each shape: predictor as wide as the talker with preset voices; narrower, projected, voices by description;
# odd sizes, clones, a codec window of 11.
CHECKPOINTS = ["tiny-cv", "mtp-vd", "odd-base"]
CHECKPOINT_FILES = [
    "config.json", "generation_config.json", "merges.txt", "model.safetensors", "preprocessor_config.json",
    "tokenizer_config.json", "vocab.json", "speech_tokenizer/config.json", "speech_tokenizer/model.safetensors",
    "speech_tokenizer/preprocessor_config.json",
]

# Groups taken whole as far as they use these checkpoints, and groups of which only some cases are taken.
WHOLE = ["prompt", "batch", "predictor"]
SOME = {
    "speak": [
        "cv_default", "cv_streaming", "cv_streaming_long_text", "cv_strong_penalty", "cv_64_frames",
        "cv_eos_is_second_token", "cv_eos_is_third_token", "cv_two_token_cap", "vd_instruct",
        "clone_odd_xvector", "clone_odd_icl", "clone_odd_nonstreaming",
    ],
    "encode": ["odd_burst", "odd_stages"],
    "speaker": ["odd_shortest", "odd_stages"],
    "decode": ["odd_1", "odd_3_stages", "odd_31", "odd_626"],
    "sampling": [
        "min_length_hides_eos", "greedy", "penalty_repeated_history", "top_k_ties", "top_p_08", "top_p_zero",
        "top_p_without_top_k", "all_together", "greedy_penalty_flips", "greedy_first_step", "predictor_own_values",
        "predictor_greedy",
    ],
}
LEFT_OUT = {
    "tokenizer": "the released vocabulary is too large for the repository",
}
LIMIT = 11_300_000  # bytes; the tests' sources come on top


def wanted(case):
    group = case["group"]
    if case.get("checkpoint", CHECKPOINTS[0]) not in CHECKPOINTS:
        return False
    return group in WHOLE or case["case"] in SOME.get(group, [])


def copy(source, target):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copyfile(source, target)
    return os.path.getsize(target)


def short(case):
    """The entry without what no test reads."""
    kept = {k: v for k, v in case.items() if k not in ("stats", "processors")}
    kept["tensors"] = {
        name: {k: v for k, v in t.items() if k != "meaning"} for name, t in case["tensors"].items()
    }
    return kept


def write_manifest(path, manifest, cases):
    head = {
        "origin": "a part of the project's fixtures, taken by tools/select_fixtures.py",
        "made_with": manifest["made_with"],
        "tolerance": manifest["tolerance"],
        "left_out": LEFT_OUT,
        "checkpoints": {k: v for k, v in manifest["checkpoints"].items() if k in CHECKPOINTS},
        "sha256": {k: v for k, v in manifest["sha256"].items() if k.split("/")[0] in CHECKPOINTS},
    }
    with open(path, "w", encoding="utf-8") as f:
        f.write(json.dumps(head, indent=1, ensure_ascii=False)[:-2] + ',\n "cases": [\n')
        lines = [json.dumps(short(c), ensure_ascii=False, separators=(", ", ": ")) for c in cases]
        f.write(",\n".join(lines) + "\n ]\n}\n")
    return os.path.getsize(path)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("fixtures")
    ap.add_argument("out", nargs="?", default=os.path.join(here, "..", "tests", "golden"))
    args = ap.parse_args()
    with open(os.path.join(args.fixtures, "manifest.json"), encoding="utf-8") as f:
        manifest = json.load(f)
    cases = [c for c in manifest["cases"] if wanted(c)]
    missing = {(g, n) for g, names in SOME.items() for n in names} - {(c["group"], c["case"]) for c in cases}
    if missing:
        sys.exit("not in %s: %s" % (args.fixtures, sorted(missing)))
    for folder in ["checkpoints", *{c["group"] for c in manifest["cases"]}]:
        shutil.rmtree(os.path.join(args.out, folder), ignore_errors=True)
    total = 0
    for name in CHECKPOINTS:
        for part in CHECKPOINT_FILES:
            at = os.path.join("checkpoints", name, part)
            total += copy(os.path.join(args.fixtures, at), os.path.join(args.out, at))
    for case in cases:
        total += copy(os.path.join(args.fixtures, case["file"]), os.path.join(args.out, case["file"]))
    total += write_manifest(os.path.join(args.out, "manifest.json"), manifest, cases)
    print("%d cases, %d checkpoints, %.2f MB" % (len(cases), len(CHECKPOINTS), total / 1e6))
    if total > LIMIT:
        sys.exit("more than %.1f MB: select less" % (LIMIT / 1e6))


if __name__ == "__main__":
    main()
