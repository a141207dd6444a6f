#!/usr/bin/env python3
# A recording for tests: syllables of a buzzing voice between pauses, with faults on request.
# SPDX-License-Identifier: Apache-2.0
"""clip.py FILE [key=value]...

rate (24000), words (8: of 0.4 s, with pauses of 0.12 s), start and end (0.2: s of silence), gain (0.3), hum (0: a tone
all along), cut (0: 1 = ends in the middle of a word), rest: raw bytes appended as they are
"""
import math
import struct
import sys

o = dict(rate=24000, words=8, start=0.2, end=0.2, gain=0.3, hum=0.0, cut=0)
for word in sys.argv[2:]:
    key, value = word.split("=")
    o[key] = type(o[key])(value)

rate = o["rate"]
samples = [0.0] * int(o["start"] * rate)
for word in range(o["words"]):
    n = int(0.4 * rate)
    pitch = 110 + 12 * math.sin(word)
    for i in range(n):
        t = i / rate
        shape = math.sin(math.pi * i / n) ** 0.5
        tone = sum(math.sin(2 * math.pi * pitch * k * t + word) / k for k in range(1, 7) if pitch * k < rate / 2)
        samples.append(o["gain"] * shape * tone)
    samples += [0.0] * int(0.12 * rate)
if o["cut"]:
    samples = samples[: -int(0.12 * rate) - int(0.2 * rate)]
else:
    samples += [0.0] * int(o["end"] * rate)
seed = 1
values = []
for i, x in enumerate(samples):
    seed = (seed * 1103515245 + 12345) % 2147483648
    x += o["hum"] * math.sin(2 * math.pi * 177 * i / rate) + 0.0003 * (seed / 1073741824 - 1)
    values.append(max(-32768, min(32767, math.floor(x * 32768))))
data = struct.pack(f"<{len(values)}h", *values)
head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 1, 1, rate, 2 * rate, 2, 16,
                   b"data", len(data))
with open(sys.argv[1], "wb") as f:
    f.write(head + data)
