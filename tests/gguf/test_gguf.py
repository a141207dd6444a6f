#!/usr/bin/env python3
"""Models as GGUF files of the layouts A to D say the same as the checkpoints they came from.  SPDX-License-Identifier: Apache-2.0

The program is in KZTTS. Files are made here (gguf_files.py), in a folder that goes away.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import gguf_files as g

TOP = os.environ.get("KZ_SOURCE_DIR") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
CHECKPOINTS = os.path.join(TOP, "tests", "golden", "checkpoints")
KZTTS = os.environ.get("KZTTS_EMULATOR", "").split() + [os.environ["KZTTS"]]
FRAMES = "6"
TEXT = "Hello there, you two."
failed = []


def run(*args, rc=0):
    p = subprocess.run(KZTTS + list(args), stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if p.returncode != rc:
        raise AssertionError("kztts %s ended with %d, expected %d: %s" % (" ".join(args), p.returncode, rc, p.stderr))
    return p


def speak(model, folder, *args):
    """(codes, md5 of the sound) of a greedy utterance."""
    codes = os.path.join(folder, "codes.txt")
    p = run("say", "-q", "-m", model, "--greedy", "--max-frames", FRAMES, "--codes", codes, "--format", "md5", "-o", "-",
            *args, TEXT)
    with open(codes, encoding="ascii") as f:
        return f.read(), p.stdout.strip()


def check(what, condition):
    print("%s %s" % ("ok    " if condition else "FAILED", what))
    if not condition:
        failed.append(what)


def write_clip(path):
    script = os.path.join(TOP, "tests", "cli", "clip.py")
    subprocess.run([sys.executable, script, path], check=True)


MODELS = {"tiny-cv": ["-v", "serena", "-l", "german"], "mtp-vd": ["-i", "a warm voice"], "odd-base": []}
WORDS = "one two three four five six seven eight words"


def arguments(name, folder, clip):
    return MODELS[name] + (["--ref", clip, "-T", WORDS] if name == "odd-base" else [])


def same_precision(folder, clip):
    for name in MODELS:
        source = os.path.join(CHECKPOINTS, name)
        c = g.Checkpoint(source)
        args = arguments(name, folder, clip)
        want = speak(source, folder, *args)
        for layout in "ABC":
            for kind in ("F32", "stored"):
                out = os.path.join(folder, "%s-%s-%s" % (name, layout, kind))
                g.write(c, out, layout, kind)
                got = speak(os.path.join(out, "talker.gguf"), folder, *args)
                check("%s, layout %s, %s: codes and sound" % (name, layout, kind), got == want)
                if kind == "stored":
                    shutil.rmtree(out)


def eight_bits(folder, clip):
    for name in MODELS:
        source = os.path.join(CHECKPOINTS, name)
        args = arguments(name, folder, clip)
        # odd sizes: rows that are no whole blocks stay as they are in a file, and so only some of it is in 8 bits there
        if name == "odd-base":
            continue
        want = speak(source, folder, "--quant", "q8", *args)
        float_codes = speak(source, folder, *args)
        check("%s, q8: not the sound of the checkpoint" % name, want[1] != float_codes[1])
        for layout in "ABC":
            out = os.path.join(folder, "%s-%s-q8" % (name, layout))
            g.write(source, out, layout, "Q8_0")
            got = speak(os.path.join(out, "talker.gguf"), folder, *args)
            check("%s, layout %s, Q8_0: codes and sound as with --quant q8" % (name, layout), got == want)
            shutil.rmtree(out)


def other_ways(folder, clip):
    source = os.path.join(CHECKPOINTS, "tiny-cv")
    c, args = g.Checkpoint(source), MODELS["tiny-cv"]
    want = speak(source, folder, *args)
    out = os.path.join(folder, "split")
    g.write(c, out, "A", parts=3)
    for part in (1, 3):
        got = speak(os.path.join(out, "talker-%05d-of-00003.gguf" % part), folder, *args)
        check("split in three, opened by part %d" % part, got == want)
    out = os.path.join(folder, "old")
    g.write(c, out, "B", old=True)
    check("layout B with sums and usage", speak(os.path.join(out, "talker.gguf"), folder, *args) == want)

    talker, codec = g.make(c, "A")
    talker.version, talker.alignment = 2, 64
    talker.key("general.alignment", "u32", 64)
    out = os.path.join(folder, "version2")
    os.makedirs(out)
    talker.write(os.path.join(out, "talker.gguf"))
    codec.write(os.path.join(out, "codec.gguf"))
    check("version 2, alignment 64", speak(os.path.join(out, "talker.gguf"), folder, *args) == want)

    mixed = os.path.join(folder, "tiny-cv-A-F32", "talker.gguf")
    for codec in (os.path.join(folder, "tiny-cv-C-F32", "codec.gguf"), os.path.join(source, "speech_tokenizer")):
        check("codec of %s" % codec[len(folder):], speak(mixed, folder, "--codec", codec, *args) == want)


def sizes_of_one_left_out(folder, clip):
    """Other tools drop sizes of 1 at the outer end."""
    source = os.path.join(CHECKPOINTS, "tiny-cv")
    talker, codec = g.make(source, "A")
    codec.tensors = [(n, k, s[1:] if s[0] == 1 and len(s) > 1 else s, r) for n, k, s, r in codec.tensors]
    out = os.path.join(folder, "ones")
    os.makedirs(out)
    talker.write(os.path.join(out, "talker.gguf"))
    codec.write(os.path.join(out, "codec.gguf"))
    args = MODELS["tiny-cv"]
    check("sizes of 1 left out", speak(os.path.join(out, "talker.gguf"), folder, *args) == speak(source, folder, *args))


Q4_1 = 3
g.ROW_BYTES[Q4_1] = lambda n: n // 32 * 20


def q4_1(values):
    """Blocks, and the numbers that they stand for."""
    out, back = [], g.array.array("f")
    half = lambda x: g.struct.unpack("<e", g.struct.pack("<e", x))[0]
    for i in range(0, len(values), 32):
        block = values[i:i + 32]
        low = half(min(block))
        d = half((max(block) - low) / 15)
        q = [min(15, max(0, round((x - low) / d))) if d else 0 for x in block]
        out.append(g.struct.pack("<ee16B", d, low, *[q[k] | q[k + 16] << 4 for k in range(16)]))
        back.extend(d * x + low for x in q)
    return b"".join(out), back.tobytes()


def types_without_kernel(folder, clip):
    """They are widened; matrices become q8 then, as floats with --quant q8 do, tables are read as they are."""
    source = os.path.join(CHECKPOINTS, "tiny-cv")
    files = {}
    for name in ("blocks", "floats"):
        files[name] = g.make(source, "A", "F32")
        talker = files[name][0]
        for i, (n, kind, shape, raw) in enumerate(talker.tensors):
            if len(shape) == 2 and re.search(r"\.blk\.|_embd|_head", n):
                blocks, back = q4_1(g.floats("F32", raw))
                talker.tensors[i] = (n, Q4_1, shape, blocks) if name == "blocks" else (n, kind, shape, back)
        out = os.path.join(folder, name)
        os.makedirs(out)
        talker.write(os.path.join(out, "talker.gguf"))
        files[name][1].write(os.path.join(out, "codec.gguf"))
    blocks, plain = (os.path.join(folder, n, "talker.gguf") for n in ("blocks", "floats"))
    args = MODELS["tiny-cv"]
    want = speak(plain, folder, "--quant", "q8", *args)
    check("Q4_1: codes and sound of its numbers in 8 bits", speak(blocks, folder, *args) == want)
    check("Q4_1: not those of floats", speak(plain, folder, *args)[1] != want[1])
    prepared = os.path.join(folder, "blocks.kztts")
    run("convert", "-q", blocks, "-o", prepared)
    check("Q4_1: a prepared file says the same", speak(prepared, folder, *args) == want)
    told = json.loads(run("info", "--json", "-m", blocks).stdout)
    check("Q4_1: run as q8", told["talker_weights"] == "q8" and "tables Q4_1" in told["weight_types"])


def parts_alone(folder, clip):
    source, made = os.path.join(CHECKPOINTS, "tiny-cv"), os.path.join(folder, "tiny-cv-A-F32")
    text = "Hello <|im_end|> world, 42 times."
    for layout in "ABC":
        talker = os.path.join(folder, "tiny-cv-%s-F32" % layout, "talker.gguf")
        check("layout %s: token ids" % layout,
              run("tokenize", "-m", talker, text).stdout == run("tokenize", "-m", source, text).stdout)
    talker = os.path.join(made, "talker.gguf")
    check("layout A: special tokens act", run("tokenize", "--special", "-m", talker, text).stdout ==
          run("tokenize", "--special", "-m", source, text).stdout)
    codes = os.path.join(folder, "codes.txt")
    speak(source, folder, *MODELS["tiny-cv"])
    want = run("decode", "-q", "-m", source, "--format", "md5", "-o", "-", codes).stdout
    for model in (talker, os.path.join(made, "codec.gguf")):
        check("decode with %s" % os.path.basename(model),
              run("decode", "-q", "-m", model, "--format", "md5", "-o", "-", codes).stdout == want)


def told(folder, clip):
    source, talker = os.path.join(CHECKPOINTS, "tiny-cv"), os.path.join(folder, "tiny-cv-B-F32", "talker.gguf")
    keys = ("type", "model_size", "sample_rate", "frame_samples", "code_groups", "codebook_size", "voices", "languages",
            "instruct", "clone", "design", "tokenizer")
    ours, theirs = (json.loads(run("info", "--json", "-m", m).stdout) for m in (talker, source))
    for key in keys:
        check("info: %s" % key, ours[key] == theirs[key])
    check("info: format", ours["format"] == "GGUF, layout B" and theirs["format"] == "safetensors")
    inspected = json.loads(run("inspect", "--json", talker).stdout)
    check("inspect: as info", inspected["voices"] == ours["voices"] and inspected["weight_types"] == ours["weight_types"])
    check("info: types", re.search(r"talker F32", ours["weight_types"]) is not None)


def checkpoint_for_d(folder):
    """Layout D says nothing of the codec's settings: heads of 64 and a window of 72, as released."""
    source, out = os.path.join(CHECKPOINTS, "odd-base"), os.path.join(folder, "base-for-d")
    shutil.copytree(source, out)
    codec = os.path.join(out, "speech_tokenizer")
    os.chmod(codec, 0o755)
    for name in ("config.json", "model.safetensors"):
        os.chmod(os.path.join(codec, name), 0o644)
    config = g.load_json(codec, "config.json")
    d = config["decoder_config"]
    d.update(num_attention_heads=1, num_key_value_heads=1, head_dim=64, sliding_window=72)
    with open(os.path.join(codec, "config.json"), "w", encoding="utf-8") as f:
        json.dump(config, f)
    tensors, x = g.load_tensors(os.path.join(codec, "model.safetensors")), 1
    for name, (dtype, shape, raw) in tensors.items():
        m = re.fullmatch(r"decoder\.pre_transformer\.layers\.\d+\.self_attn\.([qkvo])_proj\.weight", name)
        if not m:
            continue
        values = g.array.array("f")
        for _ in range(64 * d["hidden_size"]):
            x = (x * 1664525 + 1013904223) % 2 ** 32
            values.append((x / 2 ** 31 - 1) / 8)
        tensors[name] = ("F32", [d["hidden_size"], 64] if m[1] == "o" else [64, d["hidden_size"]], values.tobytes())
    g.save_tensors(os.path.join(codec, "model.safetensors"), tensors)
    return out


def layout_d(folder, clip):
    source = checkpoint_for_d(folder)
    made = os.path.join(folder, "D")
    g.write(source, made, "D", "F32")
    talker = os.path.join(made, "talker.gguf")
    args = ["--ref", clip, "--x-vector-only"]
    want, got = speak(source, folder, *args), speak(talker, folder, *args)
    check("layout D: codes", got[0] == want[0])
    sound = [os.path.join(folder, n) for n in ("want.f32", "got.f32")]
    for model, path in zip((source, talker), sound):
        run("say", "-q", "-m", model, "--greedy", "--max-frames", FRAMES, "-o", path, *args, TEXT)
    a, b = (g.floats("F32", open(p, "rb").read()) for p in sound)
    check("layout D: sound but for the last bits", len(a) == len(b) and
          max(map(abs, (x - y for x, y in zip(a, b)))) <= 1e-3 * max(map(abs, a)))
    check("layout D: token ids", run("tokenize", "-m", talker, TEXT).stdout == run("tokenize", "-m", source, TEXT).stdout)
    ours, theirs = (json.loads(run("info", "--json", "-m", m).stdout) for m in (talker, source))
    check("layout D: type and languages", ours["type"] == theirs["type"] and
          sorted(ours["languages"]) == sorted(theirs["languages"]))
    p = run("say", "-q", "-m", talker, "--ref", clip, "-T", WORDS, "-o", "-", "--format", "null", TEXT, rc=5)
    check("layout D: a recording with its words is refused", "the codec's file has no encoder" in p.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        clip = os.path.join(folder, "clip.wav")
        write_clip(clip)
        for test in (same_precision, eight_bits, other_ways, sizes_of_one_left_out, types_without_kernel, parts_alone, told, layout_d):
            try:
                test(folder, clip)
            except (AssertionError, KeyError) as e:
                check("%s: %s: %s" % (test.__name__, type(e).__name__, e), False)
    print("%d failed" % len(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
