#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Clones on three more random base models, against recorded data of the official implementation.

    rolled.py TESTS           runs golden_encode, golden_speaker and golden_speak of the folder TESTS
    rolled.py --make FOLDER   only makes the models, for recording: FOLDER/rolled-1, ...

A checkpoint is megabytes; but turning the elements of every tensor of one by some places gives another random model of
the same shapes, byte for byte the same everywhere. So only the cases are stored (rolled/, in the layout of fixtures).
"""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "checkpoints", "odd-base")
PLACES = {"rolled-1": 3, "rolled-2": 1009, "rolled-3": 30011}
SIZE = {"F32": 4, "BF16": 2, "F16": 2}
GROUPS = ("encode", "speaker", "speak")


def roll(source, target, places):
    with open(source, "rb") as f:
        data = f.read()
    n_header = struct.unpack("<Q", data[:8])[0]
    begin = 8 + n_header
    out = bytearray(data)
    for name, tensor in json.loads(data[8:begin]).items():
        if name == "__metadata__":
            continue
        first, last = (begin + offset for offset in tensor["data_offsets"])
        size = SIZE[tensor["dtype"]]
        shift = places % ((last - first) // size) * size
        out[first:last] = data[last - shift:last] + data[first:last - shift]
    with open(target, "wb") as f:
        f.write(out)


def make(folder):
    for name, places in PLACES.items():
        target = os.path.join(folder, name)
        shutil.copytree(SOURCE, target)
        for part in ("model.safetensors", os.path.join("speech_tokenizer", "model.safetensors")):
            os.chmod(os.path.join(target, part), 0o644)
            roll(os.path.join(SOURCE, part), os.path.join(target, part), places)


def run(tests, folder):
    """Whether all cases of a group passed; the tests take such a folder as the full set."""
    good = True
    for group in GROUPS:
        done = subprocess.run([os.path.join(tests, "golden_" + group)], capture_output=True, text=True, check=False,
                              env={**os.environ, "KZTTS_SHARED": folder})
        text = done.stdout + done.stderr
        found = re.search(r"/fixtures\): (\d+) cases, (\d+) failed", text)
        if done.returncode or not found or int(found.group(1)) < len(PLACES):
            print(text)
            good = False
        else:
            print(f"{group}: {found.group(1)} cases, {found.group(2)} failed")
    return good


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--make":
        return make(sys.argv[2])
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        fixtures = os.path.join(folder, "fixtures")
        shutil.copytree(os.path.join(HERE, "rolled"), fixtures)
        make(os.path.join(fixtures, "checkpoints"))
        return 0 if run(sys.argv[1], folder) else 1


if __name__ == "__main__":
    sys.exit(main())
