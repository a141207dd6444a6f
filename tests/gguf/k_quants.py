#!/usr/bin/env python3
"""Files of K-quants say what their numbers say in 8 bits, and as prepared files the same.  SPDX-License-Identifier: Apache-2.0

    KZTTS=build/kztts tests/gguf/k_quants.py

The bundled voice gets matrices of random blocks, and what the PyPI package `gguf` makes of them as F32 beside them: it has
no quantisers of these types. Rows that are no whole blocks of 256 are Q5_0, as other tools have it. Needs numpy and
`gguf`; not a part of any test suite.
"""
import os
import re
import sys
import tempfile

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Q

import gguf_files as g
import test_gguf as t

SOURCE = os.path.join(t.TOP, "voices", "kazeia-mini")
HALVES = {Q.Q2_K: [80, 82], Q.Q3_K: [108], Q.Q4_K: [0, 2], Q.Q5_K: [0, 2], Q.Q6_K: [208], Q.Q5_0: [0]}
MATRICES = r"\.blk\.|_embd|_head|_proj"
MIXED = [("Q4_K with Q6_K", Q.Q4_K, r"attn_v|_head|_embd"), ("Q5_K with Q6_K", Q.Q5_K, r"attn_v|_embd")]


def blocks(rng, kind, n):
    raw = rng.integers(0, 256, (n, gguf.GGML_QUANT_SIZES[kind][1]), dtype=np.uint8)
    for at in HALVES[kind]:
        scale = rng.uniform(1e-4, 1e-3, n) * rng.choice([-1, 1], n)
        raw[:, at:at + 2] = scale.astype(np.float16).view(np.uint8).reshape(n, 2)
    return raw


def make(rng, folder, kind, other):
    """The same numbers as blocks and as floats; returns their paths."""
    paths = []
    made = {name: g.make(SOURCE, "A", "F32") for name in ("blocks", "floats")}
    for i, (name, _, shape, _) in enumerate(made["blocks"][0].tensors):
        if len(shape) != 2 or not re.search(MATRICES, name):
            continue
        used = Q.Q5_0 if shape[1] % 256 else Q.Q6_K if re.search(other, name) else kind
        raw = blocks(rng, used, shape[0] * shape[1] // gguf.GGML_QUANT_SIZES[used][0])
        back = gguf.quants.dequantize(raw.reshape(shape[0], -1), used).astype(np.float32)
        made["blocks"][0].tensors[i] = (name, int(used), shape, raw.tobytes())
        made["floats"][0].tensors[i] = (name, g.F32, shape, back.tobytes())
    for name, (talker, codec) in made.items():
        os.makedirs(os.path.join(folder, name), exist_ok=True)
        paths.append(os.path.join(folder, name, "talker.gguf"))
        talker.write(paths[-1])
        codec.write(os.path.join(folder, name, "codec.gguf"))
    return paths


def main():
    rng, heard = np.random.default_rng(3), set()
    for kind in HALVES:
        g.ROW_BYTES[int(kind)] = lambda n, k=kind: n // gguf.GGML_QUANT_SIZES[k][0] * gguf.GGML_QUANT_SIZES[k][1]
    with tempfile.TemporaryDirectory() as folder:
        for name, kind, other in [(k.name, k, "^$") for k in HALVES if k != Q.Q5_0] + MIXED:
            told, plain = make(rng, folder, kind, other)
            got = t.speak(told, folder)
            t.check("%s: as its numbers in 8 bits" % name, got == t.speak(plain, folder, "--quant", "q8"))
            heard.add(got)
            prepared = os.path.join(folder, "prepared.kztts")
            t.run("convert", "-q", "--force", told, "-o", prepared)
            t.check("%s: prepared, the same" % name, t.speak(prepared, folder) == got)
        t.check("each file has its own sound", len(heard) == 5 + len(MIXED))
    return 1 if t.failed else 0


if __name__ == "__main__":
    sys.exit(main())
