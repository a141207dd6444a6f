#!/usr/bin/env python3
"""Write the checkpoint directory in the layout of a released Qwen3-TTS model.

    export.py --lm lm.pt --decoder dec.pt --tokenizer tok --out kazeia-mini

The averaged (EMA) weights are stored: talker in bfloat16, codec in float32.
The codec encoder is not trained (a preset voice never uses it); a very small
random one is stored so that the official classes load without complaint.
The directory is written aside and then renamed.
"""
import argparse
import json
import math
import os
import shutil

import torch
from safetensors.torch import save_file

# greedy: the voice is trained to be deterministic and greedy errs least; the
# temperatures apply when a caller turns sampling on
GENERATION = {
    "do_sample": False, "max_new_tokens": 1024, "repetition_penalty": 1.0,
    "subtalker_dosample": False, "subtalker_temperature": 0.2,
    "subtalker_top_k": 10, "subtalker_top_p": 1.0, "temperature": 0.2,
    "top_k": 10, "top_p": 1.0,
}
ENC = dict(codebook_dim=8, hidden=16, inter=32, head_dim=8, heads=2, layers=1,
           filters=2, ratios=[8, 6, 5, 4])


def encoder_tensors(codes, groups, seed=0):
    g = torch.Generator().manual_seed(seed)
    m, out = ENC, {}

    def w(name, *shape, fan=None):
        fan = fan or int(math.prod(shape[1:])) or 1
        out[name] = torch.randn(*shape, generator=g) / math.sqrt(fan)

    def conv(name, o, i, k, bias=True):
        w(name + ".weight", o, i, k)
        if bias:
            out[name + ".bias"] = torch.zeros(o)
    p = "encoder.encoder.layers"
    c, idx = m["filters"], 0
    conv("%s.0.conv" % p, c, 1, 7)
    for r in reversed(m["ratios"]):
        idx += 1
        conv("%s.%d.block.1.conv" % (p, idx), c // 2, c, 3)
        conv("%s.%d.block.3.conv" % (p, idx), c, c // 2, 1)
        idx += 2
        conv("%s.%d.conv" % (p, idx), 2 * c, c, 2 * r)
        c *= 2
    conv("%s.%d.conv" % (p, idx + 2), m["hidden"], c, 3)
    w("encoder.downsample.conv.weight", m["hidden"], m["hidden"], 4)
    h, att = m["hidden"], m["heads"] * m["head_dim"]
    for i in range(m["layers"]):
        q = "encoder.encoder_transformer.layers.%d" % i
        for n in ("input_layernorm", "post_attention_layernorm"):
            out[q + "." + n + ".weight"] = torch.ones(h)
            out[q + "." + n + ".bias"] = torch.zeros(h)
        for n in ("q_proj", "k_proj", "v_proj"):
            w(q + ".self_attn." + n + ".weight", att, h)
        w(q + ".self_attn.o_proj.weight", h, att)
        w(q + ".mlp.fc1.weight", m["inter"], h)
        w(q + ".mlp.fc2.weight", h, m["inter"])
        for n in ("self_attn_layer_scale", "mlp_layer_scale"):
            out[q + "." + n + ".scale"] = torch.full((h,), 0.01)
    for part, n in (("semantic", 1), ("acoustic", groups - 1)):
        q = "encoder.quantizer.%s_residual_vector_quantizer" % part
        w(q + ".input_proj.weight", m["codebook_dim"], h, 1)
        w(q + ".output_proj.weight", h, m["codebook_dim"], 1)
        for i in range(n):
            b = "%s.layers.%d.codebook" % (q, i)
            out[b + ".cluster_usage"] = torch.ones(codes)
            w(b + ".embed_sum", codes, m["codebook_dim"], fan=1)
            out[b + ".initialized"] = torch.ones(1)
    return out


def encoder_config(codes, groups):
    m = ENC
    return {
        "_frame_rate": 12.5, "attention_bias": False, "attention_dropout": 0.0,
        "audio_channels": 1, "codebook_dim": m["codebook_dim"],
        "codebook_size": codes, "compress": 2, "dilation_growth_rate": 2,
        "dtype": "float32", "head_dim": m["head_dim"], "hidden_act": "gelu",
        "hidden_size": m["hidden"], "initializer_range": 0.02,
        "intermediate_size": m["inter"], "kernel_size": 7,
        "last_kernel_size": 3, "layer_scale_initial_scale": 0.01,
        "max_position_embeddings": 8000, "norm_eps": 1e-05, "normalize": False,
        "num_attention_heads": m["heads"], "num_filters": m["filters"],
        "num_hidden_layers": m["layers"], "num_key_value_heads": m["heads"],
        "num_quantizers": groups, "num_residual_layers": 1,
        "num_semantic_quantizers": 1, "pad_mode": "constant",
        "residual_kernel_size": 3, "rope_theta": 10000.0,
        "sampling_rate": 24000, "sliding_window": 250,
        "transformers_version": "4.57.0.dev0", "trim_right_ratio": 1.0,
        "upsample_groups": m["hidden"], "upsampling_ratios": m["ratios"],
        "use_cache": False, "use_causal_conv": True,
        "use_conv_shortcut": False, "use_streaming": False,
        "vector_quantization_hidden_dimension": m["codebook_dim"],
    }


def dump(path, v):
    with open(path, "w", encoding="utf-8") as f:
        json.dump(v, f, ensure_ascii=False, indent=2)
        f.write("\n")


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--lm", required=True)
    ap.add_argument("--decoder", required=True)
    ap.add_argument("--tokenizer", required=True)
    ap.add_argument("--out", required=True)
    ap.add_argument("--raw", action="store_true", help="last weights, not EMA")
    a = ap.parse_args()
    lm = torch.load(a.lm, weights_only=False, map_location="cpu")
    dec = torch.load(a.decoder, weights_only=False, map_location="cpu")
    cfg = {k: v for k, v in lm["cfg"].items() if k != "_pad"}
    wl = lm["model"] if a.raw else lm["ema"]
    wd = dict(dec["model"])
    if not a.raw:
        wd.update(dec["ema"])
    codes, groups = dec["cfg"]["codebook_size"], dec["cfg"]["num_quantizers"]
    tok = json.load(open(os.path.join(a.tokenizer, "tokenizer_config.json")))
    vocab = json.load(open(os.path.join(a.tokenizer, "vocab.json"),
                           encoding="utf-8"))
    ids = {v["content"]: int(k) for k, v in tok["added_tokens_decoder"].items()}
    tmp = a.out.rstrip("/") + ".new"
    shutil.rmtree(tmp, ignore_errors=True)
    sub = os.path.join(tmp, "speech_tokenizer")
    os.makedirs(sub)
    dump(os.path.join(tmp, "config.json"), {
        "architectures": ["Qwen3TTSForConditionalGeneration"],
        "assistant_token_id": vocab["assistant"],
        "im_end_token_id": ids["<|im_end|>"],
        "im_start_token_id": ids["<|im_start|>"],
        "model_type": "qwen3_tts", "talker_config": cfg,
        "tokenizer_type": "qwen3_tts_tokenizer_12hz",
        "transformers_version": "4.57.3",
        "tts_bos_token_id": ids["<tts_text_bos>"],
        "tts_eos_token_id": ids["<tts_text_eod>"],
        "tts_model_size": "0b6", "tts_model_type": "custom_voice",
        "tts_pad_token_id": ids["<tts_pad>"]})
    dump(os.path.join(tmp, "generation_config.json"), GENERATION)
    dump(os.path.join(tmp, "preprocessor_config.json"), {
        "padding_side": "left", "padding_value": 0.0,
        "processor_class": "Qwen3TTSProcessor", "return_attention_mask": True})
    for f in ("vocab.json", "merges.txt", "tokenizer_config.json"):
        shutil.copyfile(os.path.join(a.tokenizer, f), os.path.join(tmp, f))
    dump(os.path.join(sub, "config.json"), {
        "architectures": ["Qwen3TTSTokenizerV2Model"],
        "model_type": "qwen3_tts_tokenizer_12hz",
        "encoder_valid_num_quantizers": groups, "input_sample_rate": 24000,
        "output_sample_rate": 24000, "decode_upsample_rate": 1920,
        "encode_downsample_rate": 1920, "decoder_config": dec["cfg"],
        "encoder_config": encoder_config(codes, groups),
        "transformers_version": "4.57.3"})
    dump(os.path.join(sub, "preprocessor_config.json"), {
        "chunk_length_s": None, "feature_extractor_type":
        "EncodecFeatureExtractor", "feature_size": 1, "overlap": None,
        "padding_side": "right", "padding_value": 0.0,
        "return_attention_mask": True, "sampling_rate": 24000})
    t = {"talker." + k: v.detach().to(torch.bfloat16).contiguous()
         for k, v in sorted(wl.items())}
    save_file(t, os.path.join(tmp, "model.safetensors"), {"format": "pt"})
    s = {"decoder." + k: v.detach().float().contiguous()
         for k, v in wd.items()}
    s.update(encoder_tensors(codes, groups))
    save_file(dict(sorted(s.items())), os.path.join(sub, "model.safetensors"),
              {"format": "pt"})
    for d, _, fs in os.walk(tmp):
        for f in fs:
            os.chmod(os.path.join(d, f), 0o644)
    old = a.out.rstrip("/") + ".old"
    shutil.rmtree(old, ignore_errors=True)
    if os.path.exists(a.out):
        os.rename(a.out, old)
    os.rename(tmp, a.out)
    shutil.rmtree(old, ignore_errors=True)
    n1 = sum(v.numel() for v in t.values())
    n2 = sum(v.numel() for v in s.values())
    size = sum(os.path.getsize(os.path.join(d, f))
               for d, _, fs in os.walk(a.out) for f in fs)
    print("talker %.2f M, codec %.2f M parameters, %.1f MB in all" % (
        n1 / 1e6, n2 / 1e6, size / 1e6))


if __name__ == "__main__":
    main()
