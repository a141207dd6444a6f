#!/usr/bin/env python3
"""GGUF files for the tests, in the layouts A to D, from a checkpoint directory.  SPDX-License-Identifier: Apache-2.0

    gguf_files.py CHECKPOINT OUT_DIR --layout A|B|C|D [--type F32|stored|Q8_0] [--parts N]

writes OUT_DIR/talker.gguf and OUT_DIR/codec.gguf (layout D: mmproj.gguf). Needs nothing but Python. The layouts are
written down here a second time, on purpose: what the reader believes is held against it.

Types: F32 widens everything; stored keeps what the checkpoint has (vectors as F32); Q8_0 is that with the matrices of
talker and code predictor in blocks.
"""
import argparse
import array
import json
import math
import os
import re
import struct
import sys

F32, F16, Q8_0, BF16 = 0, 1, 8, 30
ROW_BYTES = {F32: lambda n: 4 * n, F16: lambda n: 2 * n, BF16: lambda n: 2 * n, Q8_0: lambda n: n // 32 * 34}

# ---- the container ------------------------------------------------------------------------------------------------

KINDS = {"u8": (0, "<B"), "i8": (1, "<b"), "u16": (2, "<H"), "i16": (3, "<h"), "u32": (4, "<I"), "i32": (5, "<i"),
         "f32": (6, "<f"), "bool": (7, "<?"), "u64": (10, "<Q"), "i64": (11, "<q"), "f64": (12, "<d")}


def string(s):
    raw = s if isinstance(s, bytes) else s.encode()
    return struct.pack("<Q", len(raw)) + raw


def value(kind, v):
    if kind == "str":
        return struct.pack("<I", 8) + string(v)
    if kind.startswith("[]"):
        item = kind[2:]
        number = 8 if item == "str" else KINDS[item][0]
        body = b"".join(string(x) if item == "str" else struct.pack(KINDS[item][1], x) for x in v)
        return struct.pack("<IIQ", 9, number, len(v)) + body
    number, form = KINDS[kind]
    return struct.pack("<I", number) + struct.pack(form, v)


class File:
    """Keys and tensors of one file; tensors are (name, type, shape with the outermost size first, bytes)."""

    def __init__(self, architecture, version=3, alignment=32):
        self.version, self.alignment = version, alignment
        self.keys, self.tensors = [("general.architecture", "str", architecture)], []
        if alignment != 32:
            self.key("general.alignment", "u32", alignment)

    def key(self, name, kind, v):
        self.keys.append((name, kind, v))

    def tensor(self, name, kind, shape, raw):
        assert len(raw) == math.prod(shape[:-1]) * ROW_BYTES[kind](shape[-1]), name
        self.tensors.append((name, kind, shape, raw))

    def pieces(self):
        head = [b"GGUF", struct.pack("<IQQ", self.version, len(self.tensors), len(self.keys))]
        head += [string(name) + value(kind, v) for name, kind, v in self.keys]
        offset = 0
        for name, kind, shape, raw in self.tensors:
            head.append(string(name) + struct.pack("<I", len(shape)) +
                        b"".join(struct.pack("<Q", n) for n in reversed(shape)) + struct.pack("<IQ", kind, offset))
            offset += len(raw) + -len(raw) % self.alignment
        for raw in [b"".join(head)] + [t[3] for t in self.tensors]:
            yield raw
            yield bytes(-len(raw) % self.alignment)

    def data(self):
        return b"".join(self.pieces())

    def write(self, path):
        with open(path, "wb") as f:
            for piece in self.pieces():
                f.write(piece)


def split(file, path, n):
    """The same as n files, as ggml's tool splits them: keys in the first, tensors in order."""
    per = -(-len(file.tensors) // n)
    for i in range(n):
        part = File("", file.version, 32)
        part.alignment = file.alignment
        part.keys = list(file.keys) if i == 0 else []
        part.key("split.no", "u16", i)
        part.key("split.count", "u16", n)
        part.key("split.tensors.count", "i32", len(file.tensors))
        part.tensors = file.tensors[i * per:(i + 1) * per]
        part.write("%s-%05d-of-%05d.gguf" % (path[:-5], i + 1, n))


# ---- numbers ------------------------------------------------------------------------------------------------------


def floats(dtype, raw):
    """Widened to an array of f32, exactly."""
    out = array.array("f")
    if dtype == "BF16":
        wide = bytearray(2 * len(raw))
        wide[2::4], wide[3::4] = raw[0::2], raw[1::2]
        out.frombytes(bytes(wide))
    elif dtype == "F16":
        out.extend(struct.unpack("<%de" % (len(raw) // 2), raw))
    else:
        out.frombytes(raw)
    return out


def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def q8_0(values):
    """Blocks as ggml's reference makes them, every step rounded to f32."""
    out = []
    for i in range(0, len(values), 32):
        block = values[i:i + 32]
        d = f32(max(map(abs, block)) / 127)
        inverse = f32(1 / d) if d else 0.0
        scaled = array.array("f", [x * inverse for x in block])
        out.append(struct.pack("<e32b", d, *[int(math.copysign(math.floor(abs(x) + 0.5), x)) for x in scaled]))
    return b"".join(out)


# ---- checkpoints --------------------------------------------------------------------------------------------------


def load_json(*path):
    with open(os.path.join(*path), encoding="utf-8") as f:
        return json.load(f)


def load_tensors(path):
    with open(path, "rb") as f:
        raw = f.read()
    n = struct.unpack("<Q", raw[:8])[0]
    head = json.loads(raw[8:8 + n])
    head.pop("__metadata__", None)
    return {name: (e["dtype"], e["shape"], raw[8 + n + e["data_offsets"][0]:8 + n + e["data_offsets"][1]])
            for name, e in sorted(head.items())}


def save_tensors(path, tensors):
    head, at = {}, 0
    for name, (dtype, shape, raw) in tensors.items():
        head[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + len(raw)]}
        at += len(raw)
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + b"".join(raw for _, _, raw in tensors.values()))


class Checkpoint:
    def __init__(self, path):
        codec = os.path.join(path, "speech_tokenizer")
        self.config, self.codec_config = load_json(path, "config.json"), load_json(codec, "config.json")
        self.generation = load_json(path, "generation_config.json")
        self.tensors = load_tensors(os.path.join(path, "model.safetensors"))
        self.codec = load_tensors(os.path.join(codec, "model.safetensors"))
        self.vocab = load_json(path, "vocab.json")
        self.added = {int(i): e["content"] for i, e in load_json(path, "tokenizer_config.json")["added_tokens_decoder"].items()}
        with open(os.path.join(path, "merges.txt"), encoding="utf-8") as f:
            self.merges = [m for m in f.read().split("\n") if m and not m.startswith("#version")]


# ---- tensors ------------------------------------------------------------------------------------------------------

LAYER = {"input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm", "self_attn.q_proj": "attn_q",
         "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
         "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm", "mlp.gate_proj": "ffn_gate",
         "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down", "mlp.fc1": "ffn_up", "mlp.fc2": "ffn_down"}


def layer(rest, table=LAYER, attn_scale="attn_scale", ffn_scale="ffn_scale"):
    if rest == "self_attn_layer_scale.scale":
        return attn_scale
    if rest == "mlp_layer_scale.scale":
        return ffn_scale
    stem, _, suffix = rest.rpartition(".")
    return table[stem] + "." + suffix


def name_a(name, raw_units=False):
    """A checkpoint's name in layout A (or B, which numbers residual units as the checkpoint does); None: not there."""
    def sub(pattern, text):
        m = re.fullmatch(pattern, name)
        return m and (text(m) if callable(text) else m.expand(text))
    unit = lambda m: int(m.group(2)) - (0 if raw_units else 2)
    return (
        sub(r"talker\.model\.layers\.(\d+)\.(.+)", lambda m: "talker.blk.%s.%s" % (m[1], layer(m[2])))
        or sub(r"talker\.code_predictor\.model\.layers\.(\d+)\.(.+)", lambda m: "code_pred.blk.%s.%s" % (m[1], layer(m[2])))
        or sub(r"talker\.model\.text_embedding\.(.+)", r"talker.text_embd.\1")
        or sub(r"talker\.model\.codec_embedding\.(.+)", r"talker.codec_embd.\1")
        or sub(r"talker\.model\.norm\.(.+)", r"talker.output_norm.\1")
        or sub(r"talker\.codec_head\.(.+)", r"talker.codec_head.\1")
        or sub(r"talker\.text_projection\.linear_fc(\d)\.(.+)", r"talker.text_proj.fc\1.\2")
        or sub(r"talker\.code_predictor\.model\.norm\.(.+)", r"code_pred.output_norm.\1")
        or sub(r"talker\.code_predictor\.small_to_mtp_projection\.(.+)", r"code_pred.mtp_proj.\1")
        or sub(r"talker\.code_predictor\.model\.codec_embedding\.(.+)", r"code_pred.codec_embd.\1")
        or sub(r"talker\.code_predictor\.lm_head\.(.+)", r"code_pred.lm_head.\1")
        or sub(r"speaker_encoder\.blocks\.0\.conv\.(.+)", r"spk_enc.conv0.\1")
        or sub(r"speaker_encoder\.blocks\.(\d)\.res2net_block\.blocks\.(\d)\.conv\.(.+)", r"spk_enc.blk.\1.res2net.\2.\3")
        or sub(r"speaker_encoder\.blocks\.(\d)\.se_block\.(.+)", r"spk_enc.blk.\1.se.\2")
        or sub(r"speaker_encoder\.blocks\.(\d)\.(tdnn\d)\.conv\.(.+)", r"spk_enc.blk.\1.\2.\3")
        or sub(r"speaker_encoder\.asp\.tdnn\.conv\.(.+)", r"spk_enc.asp.tdnn.\1")
        or sub(r"speaker_encoder\.asp\.conv\.(.+)", r"spk_enc.asp.conv.\1")
        or sub(r"speaker_encoder\.mfa\.conv\.(.+)", r"spk_enc.mfa.\1")
        or sub(r"speaker_encoder\.fc\.(.+)", r"spk_enc.fc.\1")
        or sub(r"encoder\.encoder\.layers\.(\d+)\.conv\.(.+)", r"tok_enc.conv.\1.\2")
        or sub(r"encoder\.encoder\.layers\.(\d+)\.block\.(\d)\.conv\.(.+)", r"tok_enc.res.\1.blk.\2.\3")
        or sub(r"encoder\.encoder_transformer\.layers\.(\d+)\.(.+)", lambda m: "tok_enc.blk.%s.%s" % (m[1], layer(m[2])))
        or sub(r"encoder\.downsample\.conv\.(.+)", r"tok_enc.downsample.\1")
        or sub(r"encoder\.quantizer\.(semantic|acoustic)_residual_vector_quantizer\.((?:in|out)put_proj\..+)", r"tok_enc.vq_\1.\2")
        or sub(r"decoder\.pre_conv\.conv\.(.+)", r"tok_dec.pre_conv.\1")
        or sub(r"decoder\.pre_transformer\.layers\.(\d+)\.(.+)", lambda m: "tok_dec.pre_tfm.blk.%s.%s" % (m[1], layer(m[2])))
        or sub(r"decoder\.pre_transformer\.(.+)", r"tok_dec.pre_tfm.\1")
        or sub(r"decoder\.upsample\.(\d)\.0\.conv\.(.+)", r"tok_dec.upsample.\1.conv.\2")
        or sub(r"decoder\.upsample\.(\d)\.1\.dwconv\.conv\.(.+)", r"tok_dec.upsample.\1.dwconv.\2")
        or sub(r"decoder\.upsample\.(\d)\.1\.(.+)", r"tok_dec.upsample.\1.\2")
        or sub(r"decoder\.decoder\.(0|6)\.conv\.(.+)", r"tok_dec.dec.\1.conv.\2")
        or sub(r"decoder\.decoder\.5\.(.+)", r"tok_dec.dec.5.snake.\1")
        or sub(r"decoder\.decoder\.(\d)\.block\.0\.(.+)", r"tok_dec.dec.\1.snake.\2")
        or sub(r"decoder\.decoder\.(\d)\.block\.1\.conv\.(.+)", r"tok_dec.dec.\1.conv_t.\2")
        or sub(r"decoder\.decoder\.(\d)\.block\.(\d)\.(act\d)\.(.+)", lambda m: "tok_dec.dec.%s.res.%d.%s.%s" % (m[1], unit(m), m[3], m[4]))
        or sub(r"decoder\.decoder\.(\d)\.block\.(\d)\.(conv\d)\.conv\.(.+)", lambda m: "tok_dec.dec.%s.res.%d.%s.%s" % (m[1], unit(m), m[3], m[4]))
        or sub(r"decoder\.quantizer\.rvq_(first|rest)\.output_proj\.(.+)", r"tok_dec.vq_\1.output_proj.\2"))


def name_c(name):
    a = name_a(name)
    if a is None:
        return None
    if name.startswith("speaker_encoder."):
        return "speaker." + name[len("speaker_encoder."):]
    for begin, new in (("talker.text_embd.", "talker.token_embd_text."), ("talker.codec_embd.", "talker.token_embd."),
                       ("talker.codec_head.", "talker.output."), ("code_pred.codec_embd.", "code_pred.token_embd."),
                       ("code_pred.lm_head.", "code_pred.output."), ("code_pred.mtp_proj.", "code_pred.small_to_mtp.")):
        if a.startswith(begin):
            return new + a[len(begin):]
    if not a.startswith("tok_"):
        return a
    m = re.fullmatch(r"encoder\.encoder_transformer\.layers\.(\d+)\.(.+)", name)
    if m:
        table = {"input_layernorm": "norm1", "post_attention_layernorm": "norm2", "self_attn.q_proj": "attn_q",
                 "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_o",
                 "mlp.fc1": "fc1", "mlp.fc2": "fc2"}
        part = layer(m[2], table, "attn_ls", "ffn_ls")
        return "codec.enc.xfmr.blk.%s.%s" % (m[1], short(part))
    m = re.fullmatch(r"decoder\.pre_transformer\.layers\.(\d+)\.(.+)", name)
    if m:
        part = layer(m[2], dict(LAYER, **{"self_attn.o_proj": "attn_o"}), "attn_ls_w", "ffn_ls_w")
        return "codec.dec.xfmr.blk.%s.%s" % (m[1], short(part))
    stage = {1: 0, 4: 1, 7: 2, 10: 3}
    rules = [
        (r"encoder\.encoder\.layers\.0\.conv", lambda m: "codec.enc.seanet.init"),
        (r"encoder\.encoder\.layers\.14\.conv", lambda m: "codec.enc.seanet.final"),
        (r"encoder\.encoder\.layers\.(\d+)\.block\.(\d)\.conv",
         lambda m: "codec.enc.seanet.blk.%d.%s" % (stage[int(m[1])], "short" if m[2] == "1" else "exp")),
        (r"encoder\.encoder\.layers\.(\d+)\.conv", lambda m: "codec.enc.seanet.ds.%d." % (int(m[1]) // 3 - 1)),
        (r"encoder\.downsample\.conv", lambda m: "codec.enc.ds"),
        (r"encoder\.quantizer\.(sem|ac)\w+\.(in|out)put_proj", lambda m: "codec.enc.rvq.%s.%s" % (m[1], m[2])),
        (r"decoder\.quantizer\.rvq_(\w+)\.output_proj", lambda m: "codec.dec.rvq_%s.out_proj" % m[1]),
        (r"decoder\.pre_conv\.conv", lambda m: "codec.dec.pre_conv"),
        (r"decoder\.pre_transformer\.(in|out)put_proj", lambda m: "codec.dec.xfmr.%s_proj" % m[1]),
        (r"decoder\.pre_transformer\.norm", lambda m: "codec.dec.xfmr.norm"),
        (r"decoder\.upsample\.(\d)\.0\.conv", lambda m: "codec.dec.up.%s.tconv" % m[1]),
        (r"decoder\.upsample\.(\d)\.1\.dwconv\.conv", lambda m: "codec.dec.up.%s.cnx.dw" % m[1]),
        (r"decoder\.upsample\.(\d)\.1\.pwconv(\d)", lambda m: "codec.dec.up.%s.cnx.pw%s" % (m[1], m[2])),
        (r"decoder\.upsample\.(\d)\.1\.norm", lambda m: "codec.dec.up.%s.cnx.norm" % m[1]),
        (r"decoder\.decoder\.0\.conv", lambda m: "codec.dec.in_conv"),
        (r"decoder\.decoder\.6\.conv", lambda m: "codec.dec.out_conv"),
        (r"decoder\.decoder\.5", lambda m: "codec.dec.out_snake"),
        (r"decoder\.decoder\.(\d)\.block\.0", lambda m: "codec.dec.blk.%d.snake" % (int(m[1]) - 1)),
        (r"decoder\.decoder\.(\d)\.block\.1\.conv", lambda m: "codec.dec.blk.%d.tconv" % (int(m[1]) - 1)),
        (r"decoder\.decoder\.(\d)\.block\.(\d)\.(act\d|conv\d)(?:\.conv)?",
         lambda m: "codec.dec.blk.%d.res.%d.%s" % (int(m[1]) - 1, int(m[2]) - 2, m[3])),
    ]
    stem, _, suffix = name.rpartition(".")
    if suffix == "gamma":
        return re.sub(r"decoder\.upsample\.(\d)\.1\.gamma", r"codec.dec.up.\1.cnx.gamma", name)
    for pattern, text in rules:
        m = re.fullmatch(pattern, stem)
        if m:
            base = text(m)
            end = {"weight": "w", "bias": "b", "alpha": "a", "beta": "b"}[suffix]
            return base + end if base.endswith(".") else base + "_" + end
    raise ValueError(name)


def short(part):
    return part.replace(".weight", "_w").replace(".bias", "_b")


def name_d(name):
    """Of layout D, for what goes over one by one."""
    m = re.fullmatch(r"talker\.model\.layers\.(\d+)\.(.+)", name)
    if m:
        return "blk.%s.%s" % (m[1], layer(m[2]))
    table = dict(LAYER, **{"input_layernorm": "ln1", "post_attention_layernorm": "ln2", "self_attn.o_proj": "attn_out"})
    for begin, new in ((r"talker\.code_predictor\.model\.layers", "a.gen.code.blk"),
                       (r"decoder\.pre_transformer\.layers", "a.gen.wav.tfm.blk")):
        m = re.fullmatch(begin + r"\.(\d+)\.(.+)", name)
        if m:
            return "%s.%s.%s" % (new, m[1], layer(m[2], table, "ls1.weight", "ls2.weight"))
    rules = [
        (r"talker\.model\.norm\.(.+)", r"output_norm.\1"), (r"talker\.codec_head\.(.+)", r"output.\1"),
        (r"talker\.code_predictor\.model\.norm\.(.+)", r"a.gen.code.output_norm.\1"),
        (r"talker\.code_predictor\.small_to_mtp_projection\.(.+)", r"a.gen.code.proj_in.\1"),
        (r"speaker_encoder\.blocks\.0\.conv\.(.+)", r"a.conv1d.0.\1"),
        (r"speaker_encoder\.blocks\.(\d)\.res2net_block\.blocks\.(\d)\.conv\.(.+)", r"a.blk.\1.res2.\2.\3"),
        (r"speaker_encoder\.blocks\.(\d)\.se_block\.conv(\d)\.(.+)", r"a.blk.\1.se_conv\2.\3"),
        (r"speaker_encoder\.blocks\.(\d)\.tdnn(\d)\.conv\.(.+)", r"a.blk.\1.conv_pw\2.\3"),
        (r"speaker_encoder\.mfa\.conv\.(.+)", r"a.conv_out.\1"), (r"speaker_encoder\.asp\.tdnn\.conv\.(.+)", r"a.asp_tdnn.\1"),
        (r"speaker_encoder\.asp\.conv\.(.+)", r"a.asp_attn.\1"), (r"speaker_encoder\.fc\.(.+)", r"mm.a.fc.\1"),
        (r"decoder\.quantizer\.rvq_(first|rest)\.(in|out)put_proj\.(.+)", r"a.gen.wav.quant.\1.\2_proj.\3"),
        (r"decoder\.pre_conv\.conv\.(.+)", r"a.gen.wav.pre_conv.\1"),
        (r"decoder\.pre_transformer\.(in|out)put_proj\.(.+)", r"a.gen.wav.tfm.\1_proj.\2"),
        (r"decoder\.pre_transformer\.norm\.(.+)", r"a.gen.wav.tfm.output_norm.\1"),
        (r"decoder\.upsample\.(\d)\.0\.conv\.(.+)", r"a.gen.wav.up.blk.\1.conv.\2"),
        (r"decoder\.upsample\.(\d)\.1\.dwconv\.conv\.(.+)", r"a.gen.wav.up.blk.\1.dwconv.\2"),
        (r"decoder\.upsample\.(\d)\.1\.pwconv(\d)\.(.+)", r"a.gen.wav.up.blk.\1.pw\2.\3"),
        (r"decoder\.upsample\.(\d)\.1\.(norm\..+|gamma)", r"a.gen.wav.up.blk.\1.\2"),
        (r"decoder\.decoder\.0\.conv\.(.+)", r"a.gen.wav.dac.entry.\1"),
        (r"decoder\.decoder\.6\.conv\.(.+)", r"a.gen.wav.dac.post_conv.\1"),
        (r"decoder\.decoder\.5\.(.+)", r"a.gen.wav.dac.post_snake.\1"),
    ]
    for pattern, text in rules:
        m = re.fullmatch(pattern, name)
        if m:
            return m.expand(text)
    m = re.fullmatch(r"decoder\.decoder\.(\d)\.block\.(\d)\.(.+)", name)
    if m:
        begin, i = "a.gen.wav.dac.blk.%d." % (int(m[1]) - 1), int(m[2])
        if i == 0:
            return begin + "snake." + m[3]
        return begin + ("conv." + m[3].replace("conv.", "") if i == 1 else
                        "res.%d.%s" % (i - 2, re.sub(r"(conv\d)\.conv", r"\1", m[3])))
    return None


def is_matrix_of_lm(name):
    """What is run in 8 bits when a checkpoint is opened with --quant q8."""
    return re.search(r"(layers\.\d+\..*_proj|codec_head|lm_head\.\d+|small_to_mtp_projection)\.weight$", name) and \
        name.startswith("talker.")


def put(file, name, ours, tensor, kind, shape=None):
    dtype, own, raw = tensor
    shape = shape or own
    if kind == "Q8_0" and is_matrix_of_lm(ours) and shape[-1] % 32 == 0:
        file.tensor(name, Q8_0, shape, q8_0(floats(dtype, raw)))
    elif kind == "F32" or dtype == "F32" or len(shape) < 2:
        file.tensor(name, F32, shape, floats(dtype, raw).tobytes())
    else:
        file.tensor(name, {"BF16": BF16, "F16": F16}[dtype], shape, raw)


BOOK = re.compile(r"(?:decoder\.quantizer\.rvq_(first|rest)\.vq\.layers\.(\d+)\._codebook\.embedding_sum|"
                  r"encoder\.quantizer\.(semantic|acoustic)_residual_vector_quantizer\.layers\.(\d+)\.codebook\.embed_sum)$")


def usage_of(codec, name):
    return codec[re.sub(r"(embedding|embed)_sum$", "cluster_usage", name)]


def divided(codec, name):
    dtype, (n, d), raw = codec[name]
    sums, usage = floats(dtype, raw), floats(*usage_of(codec, name)[::2])
    for i in range(n):
        share = max(usage[i], f32(1e-5))
        for k in range(d):
            sums[i * d + k] = sums[i * d + k] / share  # the array rounds to f32
    return sums.tobytes()


def put_books(file, codec, n_code, book_name, sums=False):
    for name in codec:
        m = BOOK.match(name)
        if not m or (m[3] == "acoustic" and int(m[4]) >= n_code - 1):
            continue
        new = book_name("dec" if m[1] else "enc", m[1] or m[3], int(m[2] or m[4]))
        if new is None:
            continue
        if sums:  # how older files of layout B are
            file.tensor(new, F32, codec[name][1], floats(*codec[name][::2]).tobytes())
            use = usage_of(codec, name)
            file.tensor(new.replace("codebook", "usage"), F32, use[1], floats(*use[::2]).tobytes())
        else:
            file.tensor(new, F32, codec[name][1], divided(codec, name))


# ---- keys ---------------------------------------------------------------------------------------------------------


def lm_keys(file, prefix, c):
    for key, name in (("embedding_length", "hidden_size"), ("feed_forward_length", "intermediate_size"),
                      ("block_count", "num_hidden_layers"), ("vocab_size", "vocab_size"),
                      ("context_length", "max_position_embeddings"), ("attention.head_count", "num_attention_heads"),
                      ("attention.head_count_kv", "num_key_value_heads"), ("attention.key_length", "head_dim")):
        file.key(prefix + key, "u32", c[name])
    file.key(prefix + "rope.freq_base", "f32", c["rope_theta"])
    file.key(prefix + "attention.layer_norm_rms_epsilon", "f32", c["rms_norm_eps"])


def tokens_a(c):
    n = 1 + max(max(c.vocab.values()), max(c.added))
    tokens, kinds = ["<|unused-%d|>" % i for i in range(n)], [5] * n
    for t, i in c.vocab.items():
        tokens[i], kinds[i] = t, 1
    for i, t in c.added.items():
        tokens[i], kinds[i] = t, 4
    return tokens, kinds


def text_keys(file, c, tokens, kinds=None, model=True, pre=None):
    if model:
        file.key("tokenizer.ggml.model", "str", "gpt2")
    if pre:
        file.key("tokenizer.ggml.pre", "str", pre)
    file.key("tokenizer.ggml.tokens", "[]str", tokens)
    if kinds:
        file.key("tokenizer.ggml.token_type", "[]i32", kinds)
    file.key("tokenizer.ggml.merges", "[]str", c.merges)


CODEC_IDS = {"pad": "codec_pad_id", "bos": "codec_bos_id", "eos": "codec_eos_token_id", "think": "codec_think_id",
             "nothink": "codec_nothink_id", "think_bos": "codec_think_bos_id", "think_eos": "codec_think_eos_id"}
TEXT_IDS = ("im_start", "im_end", "tts_pad", "tts_bos", "tts_eos")


def talker_a(c):
    f, t = File("qwen3-tts"), c.config["talker_config"]
    f.key("general.name", "str", "test")
    for key in ("tokenizer_type", "tts_model_size", "tts_model_type"):
        f.key("qwen3-tts." + key.replace("tts_", ""), "str", c.config[key])
    f.key("qwen3-tts.num_code_groups", "u32", t["num_code_groups"])
    lm_keys(f, "qwen3-tts.talker.", t)
    for key in ("text_vocab_size", "text_hidden_size"):
        f.key("qwen3-tts.talker." + key, "u32", t[key])
    lm_keys(f, "qwen3-tts.code_pred.", t["code_predictor_config"])
    if "speaker_encoder_config" in c.config:
        f.key("qwen3-tts.spk_enc.embedding_length", "u32", c.config["speaker_encoder_config"]["enc_dim"])
        f.key("qwen3-tts.spk_enc.sample_rate", "u32", 24000)
    for key, name in CODEC_IDS.items():
        f.key("qwen3-tts.codec.%s_id" % key, "u32", t[name])
    f.key("qwen3-tts.codec.language_names", "[]str", list(t["codec_language_id"]))
    f.key("qwen3-tts.codec.language_ids", "[]i32", list(t["codec_language_id"].values()))
    if t["spk_id"]:
        f.key("qwen3-tts.codec.speaker_names", "[]str", list(t["spk_id"]))
        f.key("qwen3-tts.codec.speaker_ids", "[]i32", list(t["spk_id"].values()))
        f.key("qwen3-tts.codec.speaker_dialects", "[]str", [t["spk_is_dialect"].get(n) or "" for n in t["spk_id"]])
    for key in TEXT_IDS:
        f.key("qwen3-tts.text.%s_id" % key, "u32", c.config[key + "_token_id"])
    g = c.generation
    for pre in ("", "subtalker_"):
        f.key("generation.%sdo_sample" % pre, "bool", g["subtalker_dosample" if pre else "do_sample"])
        f.key("generation.%stop_k" % pre, "u32", g[pre + "top_k"])
        f.key("generation.%stop_p" % pre, "f32", g[pre + "top_p"])
        f.key("generation.%stemperature" % pre, "f32", g[pre + "temperature"])
    f.key("generation.repetition_penalty", "f32", g["repetition_penalty"])
    f.key("generation.max_new_tokens", "u32", g["max_new_tokens"])
    text_keys(f, c, *tokens_a(c))
    return f


def codec_a(c):
    f, k, d, e = File("qwen3-tts-tokenizer"), c.codec_config, c.codec_config["decoder_config"], c.codec_config["encoder_config"]
    p = "qwen3-tts-tokenizer."
    for key in ("input_sample_rate", "output_sample_rate", "decode_upsample_rate", "encode_downsample_rate",
                "encoder_valid_num_quantizers"):
        f.key(p + key, "u32", k[key])
    for key in ("latent_dim", "codebook_dim", "codebook_size", "decoder_dim", "hidden_size", "intermediate_size", "head_dim",
                "num_attention_heads", "num_key_value_heads", "num_hidden_layers", "num_quantizers",
                "num_semantic_quantizers", "sliding_window"):
        f.key(p + "decoder." + key, "u32", d[key])
    f.key(p + "decoder.rms_norm_eps", "f32", d["rms_norm_eps"])
    f.key(p + "decoder.rope_theta", "f32", d["rope_theta"])
    f.key(p + "decoder.upsample_rates", "[]i32", d["upsample_rates"])
    f.key(p + "decoder.upsampling_ratios", "[]i32", d["upsampling_ratios"])
    for key in ("num_filters", "kernel_size", "last_kernel_size", "residual_kernel_size", "num_residual_layers",
                "dilation_growth_rate", "compress", "hidden_size", "intermediate_size", "head_dim", "num_attention_heads",
                "num_key_value_heads", "num_hidden_layers", "codebook_dim", "codebook_size", "num_quantizers",
                "num_semantic_quantizers"):
        f.key(p + "encoder." + key, "u32", e[key])
    f.key(p + "encoder.norm_eps", "f32", e["norm_eps"])
    f.key(p + "encoder.rope_theta", "f32", e["rope_theta"])
    f.key(p + "encoder.upsampling_ratios", "[]i32", e["upsampling_ratios"])
    return f


def talker_b(c):
    f, t, p = File("qwen3-tts"), c.config["talker_config"], c.config["talker_config"]["code_predictor_config"]
    f.key("general.file_type", "str", "F32")  # as one writer has it
    lm_keys(f, "qwen3-tts.", t)
    f.key("qwen3-tts.text_vocab_size", "u32", t["text_vocab_size"])
    f.key("qwen3-tts.text_hidden_size", "u32", t["text_hidden_size"])
    f.key("qwen3-tts.num_code_groups", "u32", t["num_code_groups"])
    f.key("qwen3-tts.model_type", "str", c.config["tts_model_type"])
    f.key("qwen3-tts.model_size", "str", c.config["tts_model_size"])
    for key, name in (("layer_count", "num_hidden_layers"), ("vocab_size", "vocab_size"),
                      ("embedding_length", "hidden_size"), ("feed_forward_length", "intermediate_size")):
        f.key("qwen3-tts.code_predictor." + key, "u32", p[name])
    if "speaker_encoder_config" in c.config:
        f.key("qwen3-tts.speaker_encoder.embedding_length", "u32", c.config["speaker_encoder_config"]["enc_dim"])
        f.key("qwen3-tts.speaker_encoder.sample_rate", "u32", 24000)
    if t["spk_id"]:
        f.key("qwen3-tts.speaker.names", "[]str", list(t["spk_id"]))
        f.key("qwen3-tts.speaker.ids", "[]u32", list(t["spk_id"].values()))
        f.key("qwen3-tts.speaker.dialects", "[]str", [t["spk_is_dialect"].get(n) or "false" for n in t["spk_id"]])
    f.key("qwen3-tts.language.names", "[]str", list(t["codec_language_id"]))
    f.key("qwen3-tts.language.ids", "[]u32", list(t["codec_language_id"].values()))
    for key in ("pad", "bos", "eos"):
        f.key("qwen3-tts.codec.%s_id" % key, "u32", t[CODEC_IDS[key]])
    for key in ("think", "nothink", "think_bos", "think_eos"):  # other spellings that loaders take
        f.key("qwen3-tts.codec_%s_id" % key, "u32", t[CODEC_IDS[key]])
    for key in ("bos", "eos", "pad"):
        f.key("qwen3-tts.tts.%s_token_id" % key, "u32", c.config["tts_%s_token_id" % key])
    n = t["text_vocab_size"]
    tokens = ["[PAD%d]" % i for i in range(n)]
    for token, i in c.vocab.items():
        tokens[i] = token
    for name in ("im_start", "im_end"):  # these have no other key, and small models other ids than the default
        tokens[c.config[name + "_token_id"]] = "<|%s|>" % name
    kinds = [3 if t.startswith("<|im_") else 5 if t.startswith("[PAD") else 1 for t in tokens]
    text_keys(f, c, tokens, kinds, pre="qwen2")
    return f


def codec_b(c):
    f, d, e = File("qwen3-tts-tokenizer"), c.codec_config["decoder_config"], c.codec_config["encoder_config"]
    p = "qwen3-tts-tokenizer."
    f.key(p + "num_codebooks", "u32", d["num_quantizers"])
    f.key(p + "codebook_size", "u32", d["codebook_size"])
    f.key(p + "sample_rate", "u32", c.codec_config["output_sample_rate"])
    f.key(p + "frame_rate", "f32", 12.5)
    f.key(p + "upsample_rates", "[]i32", d["upsample_rates"])
    f.key(p + "encoder.hidden_size", "u32", e["hidden_size"])
    f.key(p + "encoder.num_layers", "u32", e["num_hidden_layers"])
    f.key(p + "encoder.num_heads", "u32", e["num_attention_heads"])
    f.key(p + "decoder.hidden_size", "u32", d["hidden_size"])
    f.key(p + "decoder.num_layers", "u32", d["num_hidden_layers"])
    f.key(p + "decoder.num_heads", "u32", d["num_attention_heads"])
    if d["sliding_window"] != 72:  # released models have no other, and files no key
        f.key(p + "decoder.sliding_window", "u32", d["sliding_window"])
    return f


def talker_c(c):
    f, t, p = File("qwen3tts"), c.config["talker_config"], c.config["talker_config"]["code_predictor_config"]
    for prefix, d in (("talker.", t), ("code_pred.", p)):
        for key, name in (("n_layers", "num_hidden_layers"), ("d_model", "hidden_size"), ("n_heads", "num_attention_heads"),
                          ("n_kv_heads", "num_key_value_heads"), ("vocab_size", "vocab_size"),
                          ("n_code_groups", "num_code_groups")):
            f.key("qwen3tts." + prefix + key, "u32", d[name])
    for key, name in (("head_dim", "head_dim"), ("ff_dim", "intermediate_size"), ("text_vocab_size", "text_vocab_size"),
                      ("text_hidden_size", "text_hidden_size"), ("max_pos", "max_position_embeddings")):
        f.key("qwen3tts.talker." + key, "u32", t[name])
    for name in CODEC_IDS.values():
        f.key("qwen3tts.talker." + name, "u32", t[name])
    f.key("qwen3tts.talker.rope_theta", "f32", t["rope_theta"])
    f.key("qwen3tts.talker.rms_norm_eps", "f32", t["rms_norm_eps"])
    f.key("qwen3tts.tts_model_type", "str", c.config["tts_model_type"])
    f.key("general.name", "str", "qwen3-tts-%s-%s" % (c.config["tts_model_size"], c.config["tts_model_type"]))
    if "speaker_encoder_config" in c.config:
        f.key("qwen3tts.speaker.enc_dim", "u32", c.config["speaker_encoder_config"]["enc_dim"])
        f.key("qwen3tts.speaker.sample_rate", "u32", 24000)
    for key in TEXT_IDS + ("assistant",):
        f.key("qwen3tts.%s_token_id" % key, "u32", c.config[key + "_token_id"])
    languages = t["codec_language_id"]
    f.key("qwen3tts.codec_language_names", "[]str", sorted(languages))
    f.key("qwen3tts.codec_language_ids", "[]i32", [languages[n] for n in sorted(languages)])
    if t["spk_id"]:
        names = sorted(t["spk_id"])
        f.key("qwen3tts.spk_names", "[]str", names)
        f.key("qwen3tts.spk_token_ids", "[]i32", [t["spk_id"][n] for n in names])
        f.key("qwen3tts.spk_dialect_token_ids", "[]i32", [languages.get(t["spk_is_dialect"].get(n), 0) for n in names])
    text_keys(f, c, [t for t, i in sorted(c.vocab.items(), key=lambda x: x[1])], model=False)
    return f


def codec_c(c):
    f, k, d, e = File("qwen3tts_tokenizer"), c.codec_config, c.codec_config["decoder_config"], c.codec_config["encoder_config"]
    p = "qwen3tts_codec."
    f.key(p + "input_sample_rate", "u32", k["input_sample_rate"])
    f.key(p + "output_sample_rate", "u32", k["output_sample_rate"])
    f.key(p + "frame_rate", "f32", 12.5)
    for key, name in (("n_layers", "num_hidden_layers"), ("d_model", "hidden_size"), ("n_heads", "num_attention_heads"),
                      ("ff_dim", "intermediate_size"), ("n_quantizers", "num_quantizers"), ("codebook_size", "codebook_size"),
                      ("latent_dim", "latent_dim"), ("decoder_dim", "decoder_dim"), ("sliding_window", "sliding_window"),
                      ("head_dim", "head_dim")):
        f.key(p + "dec." + key, "u32", d[name])
    f.key(p + "dec.rope_theta", "f32", d["rope_theta"])
    f.key(p + "dec.rms_norm_eps", "f32", d["rms_norm_eps"])
    f.key(p + "dec.upsample_rates", "[]u32", d["upsample_rates"])
    f.key(p + "dec.upsampling_ratios", "[]u32", d["upsampling_ratios"])
    f.key(p + "enc.n_heads", "u32", e["num_attention_heads"])
    return f


# ---- files --------------------------------------------------------------------------------------------------------


def layouts_abc(c, kind, layout, old=False):
    talker, codec = {"A": (talker_a, codec_a), "B": (talker_b, codec_b), "C": (talker_c, codec_c)}[layout]
    talker, codec = talker(c), codec(c)
    rename = {"A": name_a, "B": lambda n: name_a(n, True), "C": name_c}[layout]
    for name, tensor in c.tensors.items():
        put(talker, rename(name), name, tensor, kind)
    for name, tensor in c.codec.items():
        if rename(name):
            put(codec, rename(name), name, tensor, "stored" if kind == "Q8_0" else kind)

    def book(side, which, i):
        if layout != "C":
            return "tok_%s.vq_%s.%d.codebook" % (side, which, i)
        if side == "dec":
            return "codec.dec.rvq_first.codebook" if which == "first" else "codec.dec.rvq_rest.%d.codebook" % i
        return "codec.enc.rvq.sem.cb" if which == "semantic" else "codec.enc.rvq.ac.%d.cb" % i
    put_books(codec, c.codec, c.codec_config["decoder_config"]["num_quantizers"], book, sums=old)
    return talker, codec


def project_text(c):
    """The text table behind the text projection, as f32."""
    get = lambda n: floats(*c.tensors[n][::2])
    rows, text = c.tensors["talker.model.text_embedding.weight"][1]
    w = [get("talker.text_projection.linear_fc%d.weight" % i) for i in (1, 2)]
    b = [get("talker.text_projection.linear_fc%d.bias" % i) for i in (1, 2)]
    table, out = get("talker.model.text_embedding.weight"), array.array("f")
    split_rows = lambda m: [m[i:i + text].tolist() for i in range(0, len(m), text)]
    w1, w2 = split_rows(w[0]), split_rows(w[1])
    for row in split_rows(table):
        hidden = [sum(map(float.__mul__, r, row)) + bias for r, bias in zip(w1, b[0])]
        hidden = [x / (1 + math.exp(-x)) for x in hidden]
        out.extend(sum(map(float.__mul__, r, hidden)) + bias for r, bias in zip(w2, b[1]))
    return out.tobytes()


def snake_folded(name, tensor):
    x = floats(*tensor[::2])
    new = (lambda v: math.exp(v)) if name.endswith("alpha") else (lambda v: 1 / (math.exp(v) + 1e-9))
    return array.array("f", map(new, x)).tobytes()


def layout_d(c, kind):
    t, p = c.config["talker_config"], c.config["talker_config"]["code_predictor_config"]
    talker, media = File("qwen3tts"), File("clip")
    lm_keys(talker, "qwen3tts.", dict(t, vocab_size=t["text_vocab_size"] + t["vocab_size"]))
    names = ["<|codec_%d|>" % i for i in range(t["vocab_size"])]
    for key, v in t.items():
        if key.endswith("_id") and isinstance(v, int):
            names[v] = "<|%s|>" % key[:-3]
        elif key.endswith("_id") and isinstance(v, dict):
            for name, i in v.items():
                names[i] = "<|%s_%s|>" % (key[:-3], name)
    tokens, kinds = tokens_a(c)
    kinds = [3 if k == 4 else k for k in kinds]
    more = t["text_vocab_size"] - len(tokens)
    tokens += ["[PAD%d]" % (len(tokens) + i) for i in range(more)]
    text_keys(talker, c, tokens + names, kinds + [5] * more + [3] * len(names), pre="qwen2")
    talker.key("tokenizer.ggml.eos_token_id", "u32", t["text_vocab_size"] + t["codec_eos_token_id"])

    codec_rows = c.tensors["talker.model.codec_embedding.weight"]
    talker.tensor("token_embd.weight", F32, [t["text_vocab_size"] + t["vocab_size"], t["hidden_size"]],
                  project_text(c) + floats(*codec_rows[::2]).tobytes())
    media.key("clip.has_audio_encoder", "bool", True)
    media.key("clip.audio.num_mel_bins", "u32", 128)
    media.key("clip.has_gen_audio_encoder", "bool", True)
    for key, name in (("embedding_length", "hidden_size"), ("feed_forward_length", "intermediate_size"),
                      ("block_count", "num_hidden_layers"), ("attention.head_count", "num_attention_heads"),
                      ("attention.head_count_kv", "num_key_value_heads")):
        media.key("clip.gen.audio." + key, "u32", p[name])
    media.key("clip.gen.audio.attention.layer_norm_epsilon", "f32", p["rms_norm_eps"])
    stacks = {"model.codec_embedding": "a.gen.code.embd.weight", "lm_head": "a.gen.code.head.weight"}
    for part, new in stacks.items():
        pages = [c.tensors["talker.code_predictor.%s.%d.weight" % (part, i)] for i in range(t["num_code_groups"] - 1)]
        put(media, new, "talker.code_predictor.%s.0.weight" % part,
            (pages[0][0], [len(pages)] + pages[0][1], b"".join(p[2] for p in pages)), kind)
    for name, tensor in c.tensors.items():
        new = name_d(name)
        if new:
            put(media if new.startswith(("a.", "mm.")) else talker, new, name, tensor, kind)
    for name, tensor in c.codec.items():
        new = name_d(name) if name.startswith("decoder.") else None
        if new and re.search(r"(alpha|beta)$", name):
            media.tensor(new, F32, tensor[1], snake_folded(name, tensor))
        elif new:
            squeezed = tensor[1][:-1] if ".quant." in new else tensor[1]
            put(media, new, name, tensor, "stored" if kind == "Q8_0" else kind, squeezed)
    first = "decoder.quantizer.rvq_first.vq.layers.0._codebook.embedding_sum"
    media.tensor("a.gen.wav.quant.first.codebook.weight", F32, c.codec[first][1], divided(c.codec, first))
    rest = [n for n in c.codec if re.match(r"decoder\.quantizer\.rvq_rest\.vq\.layers\.\d+\._codebook\.embedding_sum", n)]
    rest.sort(key=lambda n: int(re.search(r"layers\.(\d+)", n)[1]))
    media.tensor("a.gen.wav.quant.rest.codebook.weight", F32, [len(rest)] + c.codec[rest[0]][1],
                 b"".join(divided(c.codec, n) for n in rest))
    return talker, media


def make(checkpoint, layout, kind="F32", old=False):
    c = checkpoint if isinstance(checkpoint, Checkpoint) else Checkpoint(checkpoint)
    return layout_d(c, kind) if layout == "D" else layouts_abc(c, kind, layout, old)


def write(checkpoint, out, layout, kind="F32", parts=1, old=False):
    talker, codec = make(checkpoint, layout, kind, old)
    os.makedirs(out, exist_ok=True)
    if parts > 1:
        split(talker, os.path.join(out, "talker.gguf"), parts)
    else:
        talker.write(os.path.join(out, "talker.gguf"))
    codec.write(os.path.join(out, "mmproj.gguf" if layout == "D" else "codec.gguf"))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("checkpoint")
    ap.add_argument("out")
    ap.add_argument("--layout", choices="ABCD", default="A")
    ap.add_argument("--type", choices=["F32", "stored", "Q8_0"], default="F32")
    ap.add_argument("--parts", type=int, default=1)
    ap.add_argument("--old", action="store_true", help="layout B: sums and usage instead of divided codebooks")
    a = ap.parse_args()
    write(a.checkpoint, a.out, a.layout, a.type, a.parts, a.old)
    return 0


if __name__ == "__main__":
    sys.exit(main())
