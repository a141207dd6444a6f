#!/usr/bin/env python3
# An exported voice in the forms of other engines, and damaged ones.  SPDX-License-Identifier: Apache-2.0
"""
  foreign.py VOICE.json      writes qvoice.qvoice, graft.qvoice, delta.qvoice, pair.spk with .rvq and .txt, alone.spk,
                             lonely.spk with .rvq alone, prompt.pt, two.pt, evil.pt, packed.pt, pack.gguf, two.gguf,
                             model.gguf
"""
import io
import json
import struct
import sys
import zipfile

voice = json.load(open(sys.argv[1], encoding="utf-8"))
vector = struct.pack(f"<{len(voice['spk_embedding'])}f", *voice["spk_embedding"])
codes = voice["ref_codes"]
text = voice["ref_text"].encode()
width, frames = len(voice["spk_embedding"]), len(codes)
flat = [code for frame in codes for code in frame]
flat_bytes = struct.pack(f"<{len(flat)}i", *flat)


def u32(*numbers):
    return struct.pack(f"<{len(numbers)}I", *numbers)


def u64(*numbers):
    return struct.pack(f"<{len(numbers)}Q", *numbers)


def write(name, data):
    with open(name, "wb") as f:
        f.write(data)


# ---- .qvoice
head = b"QVCE" + u32(3, width) + vector + u32(len(text)) + text + u32(frames) + flat_bytes
meta = b"META" + u32(0) + bytes(16) + u32(width, width) + struct.pack("<f", 1.5) + b"Anna".ljust(64, b"\0") + u32(7)
parts = b"TPAD" + u32(width) + bytes(12 * width) + b"WOVR" + u32(width, 8, 64) + bytes(
    2 * (8 * 8 + width * 8 + 64 * width) + 4 * (8 + width))
write("qvoice.qvoice", head + meta)
write("graft.qvoice", head + meta + parts)
write("delta.qvoice", head + meta + parts + b"WDLT" + bytes(100))

# ---- .spk and what lies beside it: 11 bits a code, group by group
bits = 0
for i, code in enumerate(frame[g] for g in range(16) for frame in codes):
    bits |= code << (11 * i)
packed = bits.to_bytes(frames * 22, "little")
write("pair.spk", vector)
write("pair.rvq", packed)
write("pair.txt", text + b"\n")
write("alone.spk", vector)
write("lonely.spk", vector)
write("lonely.rvq", packed)


# ---- .pt: as torch.save writes it
def unicode(s):
    return b"X" + u32(len(s.encode())) + s.encode()


def name(module, attribute):
    return b"c" + module.encode() + b"\n" + attribute.encode() + b"\n"


def integer(n):
    return b"J" + struct.pack("<i", n)


def tensor(storage, key, sizes, strides):
    n = 1
    for size in sizes:
        n *= size
    kept = b"(" + unicode("storage") + name("torch", storage) + unicode(key) + unicode("cpu") + integer(n) + b"tQ"
    shape = b"(" + b"".join(map(integer, sizes)) + b"t(" + b"".join(map(integer, strides)) + b"t"
    return name("torch._utils", "_rebuild_tensor_v2") + b"(" + kept + integer(0) + shape + b"\x89" + name(
        "collections", "OrderedDict") + b")RtR"


def item(first):
    return (b"}(" + unicode("ref_code") + tensor("IntStorage", f"{first}", [frames, 16], [16, 1]) +
            unicode("ref_spk_embedding") + tensor("FloatStorage", f"{first + 1}", [width], [1]) +
            unicode("x_vector_only_mode") + b"\x89" + unicode("icl_mode") + b"\x88" + unicode("ref_text") +
            unicode(text.decode()) + b"u")


def prompt(pickle, compression=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as z:
        z.writestr("prompt/data.pkl", b"\x80\2" + pickle + b".")
        z.writestr("prompt/byteorder", "little")
        for i in range(2):
            z.writestr(f"prompt/data/{2 * i}", flat_bytes)
            z.writestr(f"prompt/data/{2 * i + 1}", vector)
    return out.getvalue()


write("prompt.pt", prompt(b"}" + unicode("items") + b"](" + item(0) + b"es"))
write("two.pt", prompt(b"}" + unicode("items") + b"](" + item(0) + item(2) + b"es"))
write("evil.pt", prompt(name("os", "system") + b"(" + unicode("echo evil") + b"tR"))
write("packed.pt", prompt(b"}" + unicode("items") + b"](" + item(0) + b"es", zipfile.ZIP_DEFLATED))


# ---- voice packs
def string(s):
    return u64(len(s)) + s


def pack(names, architecture=b"qwen3tts.voicepack"):
    tensors, data = b"", b""
    for each in names:
        for prefix, ending, dims, kind, content in ((b"voicepack.spk.", b".embd", u64(width), 0, vector),
                                                    (b"voicepack.code.", b".codes", u64(16, frames), 26, flat_bytes)):
            data += bytes(-len(data) % 32)
            tensors += string(prefix + each + ending) + u32(len(dims) // 8) + dims + u32(kind) + u64(len(data))
            data += content
    pairs = [(b"general.architecture", u32(8) + string(architecture)),
             (b"voicepack.names", u32(9, 8) + u64(len(names)) + b"".join(map(string, names))),
             (b"voicepack.ref_texts", u32(9, 8) + u64(len(names)) + string(text) * len(names))]
    head = b"GGUF" + u32(3) + u64(2 * len(names), len(pairs)) + b"".join(string(k) + v for k, v in pairs) + tensors
    return head + bytes(-len(head) % 32) + data


write("pack.gguf", pack([b"anna"]))
write("two.gguf", pack([b"anna", b"ben"]))
write("model.gguf", pack([b"anna"], b"qwen3tts"))
