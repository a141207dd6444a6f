#!/usr/bin/env python3
"""Damaged GGUF files, each with the message that it gets, word for word.  SPDX-License-Identifier: Apache-2.0

    KZTTS=build/kztts tests/gguf/test_damaged.py [--show]

--show prints what the program says now instead of comparing. Files are those of the smallest checkpoint in layout A,
changed in one place; @ stands for their folder.
"""
import copy
import os
import struct
import subprocess
import sys
import tempfile

import gguf_files as g

TOP = os.environ.get("KZ_SOURCE_DIR") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
KZTTS = os.environ.get("KZTTS_EMULATOR", "").split() + [os.environ["KZTTS"]]
SOURCE = os.path.join(TOP, "tests", "golden", "checkpoints", "tiny-cv")
FORMAT, NOT_FOUND = 8, 6

# ---- ways to damage: each gets (talker, codec), two File objects, and changes or returns bytes of the talker ----------


def patched(offset, raw):
    def change(talker, codec):
        data = bytearray(talker.data())
        data[offset:offset + len(raw)] = raw
        return bytes(data)
    return change


def cut(n):
    return lambda talker, codec: talker.data()[:n]


def set_key(name, kind, v, half=0):
    def change(*files):
        f = files[half]
        assert any(k[0] == name for k in f.keys), name
        f.keys = [(name, kind, v) if k[0] == name else k for k in f.keys]
    return change


def drop_key(name, half=0):
    def change(*files):
        f = files[half]
        n = len(f.keys)
        f.keys = [k for k in f.keys if k[0] != name]
        assert len(f.keys) == n - 1, name
    return change


def add_key(name, kind, v):
    return lambda talker, codec: talker.key(name, kind, v)


def find(f, name):
    return [i for i, t in enumerate(f.tensors) if t[0] == name][0]


def drop_tensor(name, half=0):
    def change(*files):
        del files[half].tensors[find(files[half], name)]
    return change


def reshape(name, shape, half=0):
    def change(*files):
        t = files[half].tensors
        i = find(files[half], name)
        t[i] = (name, t[i][1], shape, t[i][3])
    return change


def twice(name):
    return lambda talker, codec: talker.tensors.append(talker.tensors[find(talker, name)])


def entry(name, offset, raw):
    """Patches the directory's entry of a tensor, offset bytes behind its name."""
    def change(talker, codec):
        data = bytearray(talker.data())
        at = data.index(g.string(name)) + len(g.string(name)) + offset
        data[at:at + len(raw)] = raw
        return bytes(data)
    return change


def value_of(name, offset, raw):
    """The same for a key's type and value."""
    def change(talker, codec):
        data = bytearray(talker.data())
        at = data.index(g.string(name)) + len(g.string(name)) + offset
        data[at:at + len(raw)] = raw
        return bytes(data)
    return change


def not_finite(name):
    def change(talker, codec):
        i = find(talker, name)
        n, k, s, raw = talker.tensors[i]
        talker.tensors[i] = (n, k, s, struct.pack("<f", float("nan")) + raw[4:])
    return change


def set_list(name, item, value, half=0):
    def change(*files):
        f = files[half]
        i = [j for j, k in enumerate(f.keys) if k[0] == name][0]
        v = list(f.keys[i][2])
        v[item] = value
        f.keys[i] = (name, f.keys[i][1], v)
    return change


def shorten(name):
    def change(talker, codec):
        i = [j for j, k in enumerate(talker.keys) if k[0] == name][0]
        talker.keys[i] = (name, talker.keys[i][1], talker.keys[i][2][:-1])
    return change


U64 = lambda n: struct.pack("<Q", n)
U32 = lambda n: struct.pack("<I", n)
P = "qwen3-tts."
CODEC = "qwen3-tts-tokenizer."

TABLE = [
    ('empty file', 8,
     'kztts: @/talker.gguf: neither a model directory nor a prepared or GGUF file'),
    ('other magic', 8,
     'kztts: @/talker.gguf: neither a model directory nor a prepared or GGUF file'),
    ('version 1', 8,
     'kztts: @/talker.gguf: GGUF version 1; versions 2 and 3 can be read'),
    ('version 4', 8,
     'kztts: @/talker.gguf: GGUF version 4; versions 2 and 3 can be read'),
    ('big endian', 8,
     'kztts: @/talker.gguf: a big-endian GGUF file; only little-endian ones can be read'),
    ('cut in the header', 8,
     'kztts: @/talker.gguf: truncated: the file ends at byte 20, inside the header'),
    ('cut in the keys', 8,
     'kztts: @/talker.gguf: 94 tensors in a file of 300 bytes; at most 65536 can be read'),
    ('cut in the data', 8,
     'kztts: @/talker.gguf: tensor "talker.blk.2.ffn_down.weight": 20480 bytes at offset 970240 of 974752 bytes of data: truncated?'),
    ('too many tensors', 8,
     'kztts: @/talker.gguf: 1099511627776 tensors in a file of 1273376 bytes; at most 65536 can be read'),
    ('too many keys', 8,
     'kztts: @/talker.gguf: 1099511627776 keys in a file of 1273376 bytes; at most 65536 can be read'),
    ('length of a key', 8,
     'kztts: @/talker.gguf: a key at byte 24: a length of 9223372036854775808, expected 1 to 65535'),
    ('key with a control character', 8,
     'kztts: @/talker.gguf: a key "a?b" holds a control character'),
    ('unknown type of a key', 8,
     'kztts: @/talker.gguf: key "general.name": type 13 isn\'t one that can be read (0 to 12)'),
    ('array of arrays', 8,
     'kztts: @/talker.gguf: key "tokenizer.ggml.merges": an array of type 9 isn\'t one that can be read (0 to 12 but 9, arrays in arrays)'),
    ('array too long', 8,
     'kztts: @/talker.gguf: key "tokenizer.ggml.merges": an array of 2305843009213693952 elements in a file of 1273376 bytes: truncated or damaged'),
    ('string too long', 8,
     'kztts: @/talker.gguf: key "general.name": a string of 4611686018427387904 bytes in a file of 1273376 bytes: truncated or damaged'),
    ('key twice', 8,
     'kztts: @/talker.gguf: key "general.name" is there twice'),
    ('alignment', 8,
     'kztts: @/talker.gguf: key "general.alignment": expected a power of two from 1 to 1048576, found 24 of type u32'),
    ('five dimensions', 8,
     'kztts: @/talker.gguf: tensor "talker.text_proj.fc1.bias": 5 dimensions, expected 1 to 4'),
    ('a dimension of 0', 8,
     'kztts: @/talker.gguf: tensor "talker.text_proj.fc1.bias": a dimension of 0'),
    ('sizes whose product overflows', 8,
     'kztts: @/talker.gguf: tensor "talker.text_proj.fc1.weight": the product of its shape is too large'),
    ('unknown type of a tensor', 8,
     'kztts: @/talker.gguf: tensor "talker.text_proj.fc1.bias": type unknown (77); these can be read: F32, F16, BF16, Q8_0, Q6_K, Q5_K, Q5_1, Q5_0, Q4_K, Q4_1, Q4_0, IQ4_NL, MXFP4, Q3_K, Q2_K'),
    ("type that can't be read", 8,
     'kztts: @/talker.gguf: tensor "talker.text_proj.fc1.bias": type IQ2_XXS (16); these can be read: F32, F16, BF16, Q8_0, Q6_K, Q5_K, Q5_1, Q5_0, Q4_K, Q4_1, Q4_0, IQ4_NL, MXFP4, Q3_K, Q2_K'),
    ('rows that are no whole blocks', 8,
     'kztts: @/talker.gguf: tensor "talker.text_proj.fc1.bias": rows of 96 aren\'t whole blocks of 256 (Q4_K)'),
    ('offset not aligned', 8,
     'kztts: @/talker.gguf: tensor "talker.text_proj.fc1.bias": offset 33 is no multiple of the alignment 32'),
    ('offset past the end', 8,
     'kztts: @/talker.gguf: tensor "talker.text_proj.fc1.bias": 384 bytes at offset 1099511627776 of 1248128 bytes of data: truncated?'),
    ('tensors overlap', 8,
     'kztts: @/talker.gguf: tensors "code_pred.lm_head.0.weight" and "talker.text_proj.fc1.bias" overlap'),
    ('tensor twice', 8,
     'kztts: @/talker.gguf: tensor "talker.text_projection.linear_fc1.bias" is there twice'),
    ('no architecture', 8,
     'kztts: @/talker.gguf: key "general.architecture": expected a string, found nothing'),
    ("architecture isn't a string", 8,
     'kztts: @/talker.gguf: key "general.architecture": expected a string, found u32'),
    ('another architecture', 8,
     'kztts: @/talker.gguf: architecture "llama", an unknown layout. Known are A ("qwen3-tts" with talker.block_count), B ("qwen3-tts" with block_count), C ("qwen3tts" with talker.n_layers), D ("qwen3tts" with block_count, "clip"), and their codecs. Convert it from the released checkpoint'),
    ('another layout', 8,
     'kztts: @/talker.gguf: architecture "qwen3_tts_tokenizer", a codec of codec.cpp\'s layout. Known are A ("qwen3-tts" with talker.block_count), B ("qwen3-tts" with block_count), C ("qwen3tts" with talker.n_layers), D ("qwen3tts" with block_count, "clip"), and their codecs. Convert it from the released checkpoint'),
    ('missing key', 8,
     'kztts: @/talker.gguf: layout A: key "qwen3-tts.talker.attention.head_count" is missing'),
    ('key of another type', 8,
     'kztts: @/talker.gguf: key "qwen3-tts.talker.block_count": expected a whole number, found type string'),
    ('key out of range', 8,
     'kztts: @/talker.gguf (layout A), read as config.json: talker_config.num_hidden_layers: expected an integer from 1 to 512, found 0 (key "qwen3-tts.talker.block_count")'),
    ("heads that don't fit", 8,
     'kztts: @/talker.gguf (layout A), read as config.json: talker_config.code_predictor_config.num_attention_heads must be a multiple of num_key_value_heads (num_attention_heads 3, num_key_value_heads 2, head_dim 32) (key "qwen3-tts.code_pred.attention.head_count")'),
    ('another number of layers', 8,
     'kztts: @/talker.gguf: layout A: tensor "talker.blk.3.attn_norm.weight" is missing; expected shape [64]'),
    ('lists of unequal length', 8,
     'kztts: @/talker.gguf: keys "qwen3-tts.codec.speaker_names" and "qwen3-tts.codec.speaker_ids": expected a list of strings and one as long of whole numbers, at most 256'),
    ('speaker id beyond the table', 8,
     'kztts: @/talker.gguf (layout A), read as config.json: talker_config.spk_id.serena: expected an integer from 0 to 1087, found 1000000'),
    ('dialect that is no language', 8,
     'kztts: @/talker.gguf (layout A), read as config.json: talker_config.spk_is_dialect.serena: expected false or a name of codec_language_id, found "martian_dialect"'),
    ('eos beyond the table', 8,
     'kztts: @/talker.gguf (layout A), read as config.json: talker_config.codec_eos_token_id: expected an integer from 0 to 1087, found 1000000 (key "qwen3-tts.codec.eos_id")'),
    ('another kind of model', 8,
     'kztts: @/talker.gguf (layout A), read as config.json: tts_model_type: expected "custom_voice", "voice_design" or "base", found "singing" (key "qwen3-tts.model_type")'),
    ('missing tensor', 8,
     'kztts: @/talker.gguf: layout A: tensor "code_pred.lm_head.14.weight" is missing; expected shape [64, 64]'),
    ('tensor of another shape', 8,
     'kztts: @/talker.gguf: layout A: tensor "talker.codec_head.weight": expected shape [1088, 64] of F32, BF16 or F16, or quantised, found [64, 1088] of BF16'),
    ("weights that aren't finite", 8,
     'kztts: @/talker.gguf: layout A: tensor "talker.output_norm.weight": value 0 is not a finite number'),
    ('no tokens', 8,
     'kztts: @/talker.gguf: layout A: key "tokenizer.ggml.tokens": expected a list of strings'),
    ('tokens of another tokenizer', 8,
     'kztts: @/talker.gguf: layout A: key "tokenizer.ggml.model": expected "gpt2" (byte-level BPE)'),
    ('another pre-tokenizer', 8,
     'kztts: @/talker.gguf: layout A: key "tokenizer.ggml.pre": expected "qwen2", or no such key'),
    ('empty token', 8,
     'kztts: @/talker.gguf: key "tokenizer.ggml.tokens": token 5 is empty'),
    ('token twice', 8,
     'kztts: @/talker.gguf (layout A), read as vocab.json: token "!" is there twice'),
    ("token that isn't UTF-8", 8,
     "kztts: @/talker.gguf (layout A), read as vocab.json: byte 2562 isn't UTF-8; the file is damaged"),
    ('types for fewer tokens', 8,
     'kztts: @/talker.gguf: layout A: key "tokenizer.ggml.token_type": expected a list of whole numbers, one for each token'),
    ('empty merge', 8,
     'kztts: @/talker.gguf: key "tokenizer.ggml.merges": rule 0 is empty'),
    ('merge of one token', 8,
     'kztts: @/talker.gguf (layout A), read as merges.txt: line 1, "ab", isn\'t two tokens with a space between'),
    ("a split file's part alone", 8,
     "kztts: @/talker.gguf: a part of a split file (key split.count), but its name doesn't end in -00001-of-00002.gguf or the like; the other parts can't be found"),
    ('codec: missing key', 8,
     'kztts: @/codec.gguf: layout A: key "qwen3-tts-tokenizer.decoder.codebook_size" is missing'),
    ('codec: another number of codes', 8,
     'kztts: @/codec.gguf (layout A), read as speech_tokenizer/config.json: encoder_valid_num_quantizers: expected 15 (decoder_config.num_quantizers), found 16 (key "qwen3-tts-tokenizer.decoder.num_quantizers")'),
    ('codec: another rate', 8,
     'kztts: @/codec.gguf (layout A), read as speech_tokenizer/config.json: decode_upsample_rate: expected 1920 (the product of upsampling_ratios and upsample_rates), found 960 (key "qwen3-tts-tokenizer.decode_upsample_rate")'),
    ('codec: missing tensor', 8,
     'kztts: @/codec.gguf: layout A: tensor "tok_dec.vq_rest.14.codebook" is missing; expected shape [64, 16]'),
    ('codec: tensor of another shape', 8,
     'kztts: @/codec.gguf: layout A: tensor "tok_dec.pre_conv.bias": expected shape [64] of F32, BF16 or F16, or quantised, found [8, 8] of F32'),
]

CASES = [
    ("empty file", cut(0)),
    ("other magic", patched(0, b"GGML")),
    ("version 1", patched(4, U32(1))),
    ("version 4", patched(4, U32(4))),
    ("big endian", patched(4, U32(3)[::-1])),
    ("cut in the header", cut(20)),
    ("cut in the keys", cut(300)),
    ("cut in the data", cut(1000000)),
    ("too many tensors", patched(8, U64(2 ** 40))),
    ("too many keys", patched(16, U64(2 ** 40))),
    ("length of a key", patched(24, U64(2 ** 63))),
    ("key with a control character", add_key("a\x1bb", "u32", 1)),
    ("unknown type of a key", value_of("general.name", 0, U32(13))),
    ("array of arrays", value_of("tokenizer.ggml.merges", 4, U32(9))),
    ("array too long", value_of("tokenizer.ggml.merges", 8, U64(2 ** 61))),
    ("string too long", value_of("general.name", 4, U64(2 ** 62))),
    ("key twice", add_key("general.name", "str", "again")),
    ("alignment", add_key("general.alignment", "u32", 24)),
    ("five dimensions", entry("talker.text_proj.fc1.bias", 0, U32(5))),
    ("a dimension of 0", entry("talker.text_proj.fc1.bias", 4, U64(0))),
    ("sizes whose product overflows", entry("talker.text_proj.fc1.weight", 4, U64(2 ** 40) + U64(2 ** 40))),
    ("unknown type of a tensor", entry("talker.text_proj.fc1.bias", 12, U32(77))),
    ("type that can't be read", entry("talker.text_proj.fc1.bias", 12, U32(16))),
    ("rows that are no whole blocks", entry("talker.text_proj.fc1.bias", 12, U32(12))),
    ("offset not aligned", entry("talker.text_proj.fc1.bias", 16, U64(33))),
    ("offset past the end", entry("talker.text_proj.fc1.bias", 16, U64(2 ** 40))),
    ("tensors overlap", entry("talker.text_proj.fc1.bias", 16, U64(0))),
    ("tensor twice", twice("talker.text_proj.fc1.bias")),
    ("no architecture", drop_key("general.architecture")),
    ("architecture isn't a string", set_key("general.architecture", "u32", 7)),
    ("another architecture", set_key("general.architecture", "str", "llama")),
    ("another layout", set_key("general.architecture", "str", "qwen3_tts_tokenizer")),
    ("missing key", drop_key(P + "talker.attention.head_count")),
    ("key of another type", set_key(P + "talker.block_count", "str", "three")),
    ("key out of range", set_key(P + "talker.block_count", "u32", 0)),
    ("heads that don't fit", set_key(P + "code_pred.attention.head_count", "u32", 3)),
    ("another number of layers", set_key(P + "talker.block_count", "u32", 4)),
    ("lists of unequal length", shorten(P + "codec.speaker_ids")),
    ("speaker id beyond the table", set_list(P + "codec.speaker_ids", 0, 10 ** 6)),
    ("dialect that is no language", set_list(P + "codec.speaker_dialects", 0, "martian_dialect")),
    ("eos beyond the table", set_key(P + "codec.eos_id", "u32", 10 ** 6)),
    ("another kind of model", set_key(P + "model_type", "str", "singing")),
    ("missing tensor", drop_tensor("code_pred.lm_head.14.weight")),
    ("tensor of another shape", reshape("talker.codec_head.weight", [64, 1088])),
    ("weights that aren't finite", not_finite("talker.output_norm.weight")),
    ("no tokens", drop_key("tokenizer.ggml.tokens")),
    ("tokens of another tokenizer", set_key("tokenizer.ggml.model", "str", "llama")),
    ("another pre-tokenizer", add_key("tokenizer.ggml.pre", "str", "gpt-4o")),
    ("empty token", set_list("tokenizer.ggml.tokens", 5, "")),
    ("token twice", set_list("tokenizer.ggml.tokens", 5, "!")),
    ("token that isn't UTF-8", set_list("tokenizer.ggml.tokens", 300, b"\xff\xfe")),
    ("types for fewer tokens", shorten("tokenizer.ggml.token_type")),
    ("empty merge", set_list("tokenizer.ggml.merges", 0, "")),
    ("merge of one token", set_list("tokenizer.ggml.merges", 0, "ab")),
    ("a split file's part alone", add_key("split.count", "u16", 2)),
    ("codec: missing key", drop_key(CODEC + "decoder.codebook_size", 1)),
    ("codec: another number of codes", set_key(CODEC + "decoder.num_quantizers", "u32", 15, 1)),
    ("codec: another rate", set_key(CODEC + "decode_upsample_rate", "u32", 960, 1)),
    ("codec: missing tensor", drop_tensor("tok_dec.vq_rest.14.codebook", 1)),
    ("codec: tensor of another shape", reshape("tok_dec.pre_conv.bias", [8, 8], 1)),
]


def speak(folder, change):
    talker, codec = copy.copy(FILES[0]), copy.copy(FILES[1])
    for f in (talker, codec):
        f.keys, f.tensors = list(f.keys), list(f.tensors)
    data = change(talker, codec)
    with open(os.path.join(folder, "talker.gguf"), "wb") as f:
        f.write(data if data is not None else talker.data())
    codec.write(os.path.join(folder, "codec.gguf"))
    p = subprocess.run(KZTTS + ["say", "-q", "-m", os.path.join(folder, "talker.gguf"), "--max-frames", "1", "--format",
                                "null", "-o", "-", "hello"], stdin=subprocess.DEVNULL, capture_output=True)
    return p.returncode, p.stderr.decode(errors="replace").replace(folder, "@").strip()


def main():
    show, wrong, want = "--show" in sys.argv[1:], 0, dict((row[0], row[1:]) for row in TABLE)
    with tempfile.TemporaryDirectory() as folder:
        assert speak(folder, lambda talker, codec: None) == (0, ""), "the undamaged file"
        for name, change in CASES:
            got = speak(folder, change)
            if show:
                print("    (%r, %d,\n     %r)," % (name, got[0], got[1]))
            elif got != want.get(name):
                print("FAILED %s:\n  expected %s\n  found    %s" % (name, want.get(name), got))
                wrong += 1
    if not show and len(want) != len(CASES):
        print("FAILED: %d cases, %d rows of the table" % (len(CASES), len(want)))
        wrong += 1
    if not show:
        print("%d damaged files, %d with another message" % (len(CASES), wrong))
    return 1 if wrong else 0


FILES = g.make(SOURCE, "A", "stored")

if __name__ == "__main__":
    sys.exit(main())
