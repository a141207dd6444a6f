#!/usr/bin/env python3
"""A checkpoint of full size through GGUF files of all layouts, and one that kztts wrote through another reader.
SPDX-License-Identifier: Apache-2.0

    KZTTS=build/kztts tests/gguf/full_round_trip.py CHECKPOINT WORK_DIR

Needs numpy and the PyPI package `gguf`, 3 times the checkpoint's size on disk and 6 times in memory. Greedy codes must be
those of the checkpoint, with --quant q8 for the Q8_0 file; what kztts wrote must hold the checkpoint's numbers. Layout D
holds texts that numpy projected, with roundings of its own, and rows in 8 bits turn those into other codes: its Q8_0 file
must say what its stored one says with --quant q8. Not a part of any test suite.
"""
import os
import shutil
import subprocess
import sys

import gguf
import numpy as np

import gguf_files as g

KZTTS = os.environ["KZTTS"]
FRAMES = "4"


def floats(dtype, raw):
    if dtype == "BF16":
        return (np.frombuffer(raw, np.uint16).astype(np.uint32) << 16).view(np.float32)
    return np.frombuffer(raw, np.float16 if dtype == "F16" else np.float32).astype(np.float32)


def q8_0(values):
    return gguf.quants.quantize(values, gguf.GGMLQuantizationType.Q8_0).tobytes()


def divided(codec, name):
    dtype, shape, raw = codec[name]
    usage = np.maximum(floats(*g.usage_of(codec, name)[::2]), np.float32(1e-5))
    return (floats(dtype, raw).reshape(shape) / usage[:, None]).tobytes()


def project_text(c):
    get = lambda n: floats(*c.tensors[n][::2]).reshape(c.tensors[n][1])
    p, x = "talker.text_projection.linear_fc", get("talker.model.text_embedding.weight")
    out = []
    for i in range(0, len(x), 4096):
        h = x[i:i + 4096] @ get(p + "1.weight").T + get(p + "1.bias")
        out.append((h / (1 + np.exp(-h))) @ get(p + "2.weight").T + get(p + "2.bias"))
    return np.concatenate(out).astype(np.float32).tobytes()


g.floats, g.q8_0, g.divided, g.project_text = floats, q8_0, divided, project_text


def codes(model, work, *args):
    path = os.path.join(work, "codes.txt")
    subprocess.run([KZTTS, "say", "-q", "-m", model, "--greedy", "--max-frames", FRAMES, "--codes", path, "--format", "null",
                    "-o", "-", *args, "Hello there."], check=True, stdin=subprocess.DEVNULL)
    with open(path, encoding="ascii") as f:
        return f.read()


def read_back(c, path):
    """Every tensor of a file that kztts wrote, against the checkpoint."""
    n = 0
    names = {g.name_a(name): name for name in list(c.tensors) + list(c.codec)}
    for file in (path, path[:-5] + "-tokenizer.gguf"):
        reader = gguf.GGUFReader(file)
        for t in reader.tensors:
            name = names.get(t.name)
            if not name:
                assert "codebook" in t.name, t.name
                continue
            dtype, shape, raw = (c.tensors if name in c.tensors else c.codec)[name]
            assert list(reversed(t.shape.tolist())) == shape, t.name
            ours = gguf.quants.dequantize(t.data, t.tensor_type).astype(np.float32).reshape(-1)
            assert np.array_equal(ours, floats(dtype, raw)), t.name
            n += 1
    return n


def main():
    source, work = sys.argv[1:3]
    c = g.Checkpoint(source)
    base = c.config["tts_model_type"] == "base"
    args = []
    os.makedirs(work, exist_ok=True)
    if base:
        clip = os.path.join(work, "clip.wav")
        subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), "..", "cli", "clip.py"), clip], check=True)
        args = ["--ref", clip, "--x-vector-only"]
    elif c.config["tts_model_type"] == "custom_voice":
        args = ["-v", next(iter(c.config["talker_config"]["spk_id"]))]
    stored = codes(source, work, *args)  # widening to F32 changes no number
    want = {"stored": stored, "F32": stored, "Q8_0": codes(source, work, "--quant", "q8", *args)}
    failed = 0
    for layout, kind in [(a, b) for a in "ABC" + "D" * base for b in ("stored", "F32", "Q8_0")]:
        out = os.path.join(work, layout + kind)
        g.write(c, out, layout, kind)
        talker = os.path.join(out, "talker.gguf")
        same = codes(talker, work, *args) == want[kind]
        if layout == "D" and kind == "stored":
            want["Q8_0"] = codes(talker, work, "--quant", "q8", *args)
        print("layout %s, %s: %s" % (layout, kind, "same codes" if same else "OTHER CODES"), flush=True)
        failed += not same
        shutil.rmtree(out)
    path = os.path.join(work, "written.gguf")
    subprocess.run([KZTTS, "convert", "-q", "--force", source, "-o", path], check=True)
    same = codes(path, work, *args) == want["stored"]
    print("written by kztts: %s, %d tensors as in the checkpoint" % ("same codes" if same else "OTHER CODES", read_back(c, path)))
    return 1 if failed or not same else 0


if __name__ == "__main__":
    sys.exit(main())
