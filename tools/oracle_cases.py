#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random small base models, recordings and texts, spoken by the official implementation and compared with this one.

    tools/oracle_cases.py OUT --oracle FOLDER [--models 20] [--seed 1] [--python PYTHON] [--build build]

For developers: not a part of the tests. FOLDER has the oracle.py and make_checkpoint.py that the fixtures are made with,
PYTHON (with torch, transformers and qwen-tts, see oracle.py) runs them. OUT/fixtures gets a checkpoint, a recording and
four cases a model: codes of the recording, speaker vector, two greedy utterances (by vector, with the recording as
context). Then the golden tests of BUILD run over them: codes exactly, vectors within the bounds. Prints what passed.
"""
import argparse
import json
import math
import os
import random
import re
import subprocess
import sys
import wave

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
RATE = 24000
SIZES = {"tiny": "--out-gain 1", "tiny-mtp": "--out-gain 1", "tiny-odd": "--out-gain 5 --norm-gain 0.02"}
LANGUAGES = ["English", "German", "French", "Chinese", None]
TEXTS = ["Hello, world.", "This is a test.", "Hi.", "One, two, three: go!", "What a day it was...", "Good morning to you all",
         "Ä ö ü, 12 eggs", "She sells sea shells by the sea shore.", "No?", "The harbour wakes before the town."]
GROUPS = ["encode", "speaker", "speak"]


def write_clip(path, rng):
    """Syllables: some harmonics of a gliding tone in noise; 16 bits, so that every reader gets the same numbers."""
    n = rng.randrange(int(0.7 * RATE), int(2.2 * RATE))
    pitch, glide, rate, noise = rng.uniform(80, 260), rng.uniform(-40, 40), rng.uniform(2, 6), rng.uniform(0.001, 0.02)
    weights = [rng.random() / (k + 1) for k in range(8)]
    phase, data = 0.0, bytearray()
    for i in range(n):
        t = i / RATE
        phase += 2 * math.pi * (pitch + glide * math.sin(1.3 * t)) / RATE
        tone = sum(w * math.sin((k + 1) * phase) for k, w in enumerate(weights))
        x = 0.25 * tone * max(0.0, math.sin(math.pi * rate * t)) + rng.gauss(0, noise)
        data += int(max(-32768, min(32767, round(32768 * x)))).to_bytes(2, "little", signed=True)
    with wave.open(path, "wb") as w:
        w.setparams((1, 2, RATE, 0, "NONE", ""))
        w.writeframes(bytes(data))


def make_cases(fixtures, models, seed):
    rng = random.Random(seed)
    os.makedirs(os.path.join(fixtures, "clips"), exist_ok=True)
    cases = {"checkpoints": {}, "encode": [], "speaker": [], "speak": []}
    for i in range(models):
        name, size = f"random-{i}", list(SIZES)[i % len(SIZES)]
        cases["checkpoints"][name] = {
            "make": f"--size {size} --type base --seed {rng.randrange(10, 1 << 30)} --jitter 0.2 --layer-scale 0.5 "
                    f"--gamma 0.5 --eos random {SIZES[size]}"}
        write_clip(os.path.join(fixtures, "clips", name + ".wav"), rng)
        common = {"checkpoint": name, "clip": name}
        cases["encode"].append({"name": f"{name}_encode", **common})
        cases["speaker"].append({"name": f"{name}_speaker", **common})
        for kind in ("xvector", "icl"):
            case = {"name": f"{name}_{kind}", **common, "text": rng.choice(TEXTS), "language": rng.choice(LANGUAGES),
                    "frames": rng.randrange(4, 14), "non_streaming": rng.random() < 0.5}
            if kind == "icl":
                case["ref_text"] = rng.choice(TEXTS)
            cases["speak"].append({k: v for k, v in case.items() if v is not None})
    with open(os.path.join(fixtures, "cases.json"), "w", encoding="utf-8") as f:
        json.dump(cases, f, indent=1)


def compare(build, out):
    passed = failed = 0
    for group in GROUPS:
        run = subprocess.run([os.path.join(build, "tests", f"golden_{group}")], capture_output=True, text=True,
                             env={**os.environ, "KZTTS_SHARED": out}, check=False)
        found = re.search(r"/fixtures\): (\d+) cases, (\d+) failed", run.stdout + run.stderr)
        if run.returncode or not found:
            print(run.stdout + run.stderr)
            failed += int(found.group(2)) if found else 1
        else:
            print(f"{group}: {found.group(1)} cases, {found.group(2)} failed")
            passed += int(found.group(1))
    print(f"{passed} passed, {failed} failed")
    return failed


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("out")
    ap.add_argument("--oracle", required=True)
    ap.add_argument("--models", type=int, default=20)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--python", default=sys.executable)
    ap.add_argument("--build", default=os.path.join(TOP, "build"))
    args = ap.parse_args()
    out = os.path.abspath(args.out)
    fixtures = os.path.join(out, "fixtures")
    make_cases(fixtures, args.models, args.seed)
    subprocess.run([args.python, os.path.join(args.oracle, "oracle.py"), "--fixtures", fixtures, "--only", ",".join(GROUPS),
                    "--scratch", os.path.join(out, "scratch")], check=True)
    return 1 if compare(os.path.abspath(args.build), out) else 0


if __name__ == "__main__":
    sys.exit(main())
