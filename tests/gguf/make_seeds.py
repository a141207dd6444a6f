#!/usr/bin/env python3
"""Seeds of the fuzz target: the beginnings of files of every layout.  SPDX-License-Identifier: Apache-2.0

    make_seeds.py OUT_DIR
"""
import os
import sys

import gguf_files as g

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def shrink(f):
    """A few tokens and tensors; of the latter two rows and no more than 32 numbers each."""
    short = {"tokenizer.ggml.tokens": 12, "tokenizer.ggml.token_type": 12, "tokenizer.ggml.merges": 6}
    f.keys = [(n, k, v[:short[n]] if n in short else v) for n, k, v in f.keys]
    few = f.tensors[::max(1, len(f.tensors) // 12)]
    f.tensors = []
    for name, kind, shape, raw in few:
        row = 32 if kind == g.Q8_0 else min(shape[-1], 8)
        small = [1] * (len(shape) - 1) + [row]
        f.tensor(name, kind, small, raw[:g.ROW_BYTES[kind](row)])
    return f


def main():
    out = sys.argv[1]
    os.makedirs(out, exist_ok=True)
    for layout, name, kind in (("A", "tiny-cv", "Q8_0"), ("B", "tiny-cv", "stored"), ("C", "odd-base", "F32"), ("D", "odd-base", "F32")):
        files = g.make(os.path.join(TOP, "tests", "golden", "checkpoints", name), layout, kind)
        for half, f in zip(("talker", "codec"), files):
            shrink(f).write(os.path.join(out, "%s_%s" % (layout.lower(), half)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
