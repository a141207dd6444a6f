"""Talker and code predictor of Qwen3-TTS 12 Hz, for training small models.

Same mathematics and tensor names as the official modules (root name
"talker."). Batches are padded on the right, which a causal model does not see.
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class RMS(nn.Module):
    def __init__(self, n, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(n))
        self.eps = eps

    def forward(self, x):
        return F.rms_norm(x, (x.shape[-1],), self.weight, self.eps)


class Rope:
    def __init__(self, hd, theta, n=2048):
        f = theta ** (-torch.arange(0, hd, 2, dtype=torch.float32) / hd)
        a = torch.arange(n, dtype=torch.float32)[:, None] * f[None]
        self.c, self.s = a.cos(), a.sin()

    def __call__(self, x, p0=0, pos=None):
        t, h = x.shape[-2], x.shape[-1] // 2
        if pos is None:
            c, s = self.c[p0:p0 + t], self.s[p0:p0 + t]
        else:                       # pos [B]: one new row per sequence
            c, s = self.c[pos][:, None, None], self.s[pos][:, None, None]
        x1, x2 = x[..., :h], x[..., h:]
        return torch.cat([x1 * c - x2 * s, x2 * c + x1 * s], -1)


class Attention(nn.Module):
    def __init__(self, h, heads, kv, hd):
        super().__init__()
        self.q_proj = nn.Linear(h, heads * hd, bias=False)
        self.k_proj = nn.Linear(h, kv * hd, bias=False)
        self.v_proj = nn.Linear(h, kv * hd, bias=False)
        self.o_proj = nn.Linear(heads * hd, h, bias=False)
        self.q_norm = RMS(hd)
        self.k_norm = RMS(hd)
        self.heads, self.kv, self.hd = heads, kv, hd

    def qkv(self, x, rope, p0=0, pos=None):
        b, t, _ = x.shape
        q = self.q_proj(x).view(b, t, self.heads, self.hd)
        k = self.k_proj(x).view(b, t, self.kv, self.hd)
        v = self.v_proj(x).view(b, t, self.kv, self.hd)
        q = rope(self.q_norm(q).transpose(1, 2), p0, pos)
        k = rope(self.k_norm(k).transpose(1, 2), p0, pos)
        return q, k, v.transpose(1, 2)

    def forward(self, x, rope, want=None):
        # written out: PyTorch's own attention is slow backwards on a CPU
        b, t, _ = x.shape
        q, k, v = self.qkv(x, rope)
        r = self.heads // self.kv
        q = (q / math.sqrt(self.hd)).reshape(b * self.kv, r * t, self.hd)
        s = torch.bmm(q, k.reshape(b * self.kv, t, self.hd).transpose(1, 2))
        s = s.view(b, self.heads, t, t)
        s = s + torch.full((t, t), -30000.0, dtype=s.dtype).triu(1)
        if want is not None:        # raw scores of head 0, for the guide loss
            want.append(s[:, 0])
        y = torch.bmm(s.softmax(-1).to(v.dtype).view(b * self.kv, r * t, t),
                      v.reshape(b * self.kv, t, self.hd))
        y = y.view(b, self.heads, t, self.hd)
        return self.o_proj(y.transpose(1, 2).reshape(b, t, -1))

    def step(self, x, rope, cache, pos, mask):
        """x [B,1,h]; cache (K,V) [B,kv,N,hd] written at pos; mask [B,N] ok"""
        q, k, v = self.qkv(x, rope, pos=pos)
        bi = torch.arange(x.shape[0])
        cache[0][bi, :, pos] = k[:, :, 0]
        cache[1][bi, :, pos] = v[:, :, 0]
        y = F.scaled_dot_product_attention(
            q, cache[0], cache[1], attn_mask=mask[:, None, None],
            enable_gqa=self.heads != self.kv)
        return self.o_proj(y.transpose(1, 2).reshape(x.shape[0], 1, -1))


class MLP(nn.Module):
    def __init__(self, h, i):
        super().__init__()
        self.gate_proj = nn.Linear(h, i, bias=False)
        self.up_proj = nn.Linear(h, i, bias=False)
        self.down_proj = nn.Linear(i, h, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        h = c["hidden_size"]
        self.input_layernorm = RMS(h)
        self.self_attn = Attention(h, c["num_attention_heads"],
                                   c["num_key_value_heads"], c["head_dim"])
        self.post_attention_layernorm = RMS(h)
        self.mlp = MLP(h, c["intermediate_size"])

    def forward(self, x, rope, want=None):
        x = x + self.self_attn(self.input_layernorm(x), rope, want)
        return x + self.mlp(self.post_attention_layernorm(x))

    def step(self, x, rope, cache, pos, mask):
        x = x + self.self_attn.step(self.input_layernorm(x), rope, cache, pos,
                                    mask)
        return x + self.mlp(self.post_attention_layernorm(x))


class CPModel(nn.Module):
    def __init__(self, c, h, groups):
        super().__init__()
        self.layers = nn.ModuleList(
            [Layer(c) for _ in range(c["num_hidden_layers"])])
        self.norm = RMS(c["hidden_size"])
        self.codec_embedding = nn.ModuleList(
            [nn.Embedding(c["vocab_size"], h) for _ in range(groups - 1)])


class CodePredictor(nn.Module):
    def __init__(self, c, h):
        super().__init__()
        g = c["num_code_groups"]
        self.model = CPModel(c, h, g)
        self.lm_head = nn.ModuleList(
            [nn.Linear(c["hidden_size"], c["vocab_size"], bias=False)
             for _ in range(g - 1)])
        self.small_to_mtp_projection = (
            nn.Identity() if c["hidden_size"] == h
            else nn.Linear(h, c["hidden_size"]))
        self.rope = Rope(c["head_dim"], c["rope_theta"], 64)
        self.groups = g

    def forward(self, hid, ec0, codes):
        """hid, ec0 [N,h]; codes [N,g]; returns list of logits for c1.."""
        rows = [hid, ec0] + [self.model.codec_embedding[i](codes[:, i + 1])
                             for i in range(self.groups - 2)]
        x = self.small_to_mtp_projection(torch.stack(rows, 1))
        for l in self.model.layers:
            x = l(x, self.rope)
        x = self.model.norm(x)
        return [self.lm_head[i](x[:, i + 1]) for i in range(self.groups - 1)]

    @torch.no_grad()
    def generate(self, hid, ec0, pick):
        """returns codes c1.. [N, g-1]; pick(logits) -> ids. Recomputes the
        short prefix each time; simple, and cheap at these sizes."""
        rows, out = [hid, ec0], []
        for i in range(self.groups - 1):
            x = self.small_to_mtp_projection(torch.stack(rows, 1))
            for l in self.model.layers:
                x = l(x, self.rope)
            c = pick(self.lm_head[i](self.model.norm(x[:, -1])))
            out.append(c)
            rows.append(self.model.codec_embedding[i](c))
        return torch.stack(out, 1)


class TextProjection(nn.Module):
    def __init__(self, t, h):
        super().__init__()
        self.linear_fc1 = nn.Linear(t, t)
        self.linear_fc2 = nn.Linear(t, h)

    def forward(self, x):
        return self.linear_fc2(F.silu(self.linear_fc1(x)))


class TalkerModel(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.text_embedding = nn.Embedding(c["text_vocab_size"],
                                           c["text_hidden_size"])
        self.codec_embedding = nn.Embedding(c["vocab_size"], c["hidden_size"])
        self.layers = nn.ModuleList(
            [Layer(c) for _ in range(c["num_hidden_layers"])])
        self.norm = RMS(c["hidden_size"])


class Talker(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        h = c["hidden_size"]
        self.model = TalkerModel(c)
        self.text_projection = TextProjection(c["text_hidden_size"], h)
        self.codec_head = nn.Linear(h, c["vocab_size"], bias=False)
        self.code_predictor = CodePredictor(c["code_predictor_config"], h)
        self.rope = Rope(c["head_dim"], c["rope_theta"])
        self.init()

    def init(self):
        n = self.c["num_hidden_layers"]
        for name, p in self.named_parameters():
            if p.ndim < 2:
                if name.endswith("bias"):
                    nn.init.zeros_(p)
                continue
            if "embedding" in name:
                nn.init.normal_(p, 0, 0.5 if "text_emb" in name else 0.25)
            elif "o_proj" in name or "down_proj" in name:
                nn.init.normal_(p, 0, 0.7 / math.sqrt(p.shape[1] * 2 * n))
            elif "head" in name:
                nn.init.normal_(p, 0, 0.3 / math.sqrt(p.shape[1]))
            else:
                nn.init.normal_(p, 0, 1.0 / math.sqrt(p.shape[1]))

    def text(self, ids):
        return self.text_projection(self.model.text_embedding(ids))

    def frame_sum(self, codes):
        """codes [..., g] -> sum of the g embedding rows"""
        x = self.model.codec_embedding(codes[..., 0])
        for i, e in enumerate(self.code_predictor.model.codec_embedding):
            x = x + e(codes[..., i + 1])
        return x

    def rows(self, text_ids, codec_ids, frame_idx, codes):
        """text_ids [B,L]; codec_ids [B,L] (-1 none); frame_idx [B,L] (-1 none)
        into codes [M,g]. Row = text + codec row + frame sum."""
        x = self.text(text_ids).float()
        e = self.model.codec_embedding(codec_ids.clamp(min=0))
        x = x + e * (codec_ids >= 0)[..., None]
        if codes is not None and len(codes):
            f = self.frame_sum(codes)[frame_idx.clamp(min=0)]
            x = x + f * (frame_idx >= 0)[..., None]
        return x

    def hidden(self, x, guide=()):
        want = []
        for i, l in enumerate(self.model.layers):
            x = l(x, self.rope, want if i in guide else None)
        return self.model.norm(x), want

    @torch.no_grad()
    def generate(self, prompts, max_frames, sample=None, gen=None,
                 cp_sample="same", rep=1.0, minimum=2):
        """prompts: list of (text_ids, codec_ids) lists, PADt trailing.
        sample None = greedy or dict(temperature, top_k). Returns list of
        [T,g] arrays and a flag 'ended' for each."""
        c = self.c
        if cp_sample == "same":
            cp_sample = sample
        eos, V = c["codec_eos_token_id"], c["vocab_size"]

        def pick(lg, s):
            if s is None:
                return lg.argmax(-1)
            lg = lg / s["temperature"]
            if s["top_k"]:
                k = min(s["top_k"], lg.shape[-1])
                th = lg.topk(k, -1).values[:, -1:]
                lg = lg.masked_fill(lg < th, -1e30)
            return torch.multinomial(lg.softmax(-1), 1, generator=gen)[:, 0]

        B = len(prompts)
        P = [len(p[0]) for p in prompts]
        L = max(P)
        N = L + max_frames + 1
        ti = torch.full((B, L), c["_pad"])
        ci = torch.full((B, L), -1)
        for b, (t, k) in enumerate(prompts):
            ti[b, :P[b]] = torch.tensor(t)
            ci[b, :P[b]] = torch.tensor(k)
        x = self.rows(ti, ci, torch.full((B, L), -1), None)
        caches = []
        for l in self.model.layers:
            a = l.self_attn
            y = l.input_layernorm(x)
            q, k, v = a.qkv(y, self.rope)
            K = torch.zeros(B, a.kv, N, a.hd)
            Vv = torch.zeros(B, a.kv, N, a.hd)
            K[:, :, :L], Vv[:, :, :L] = k, v
            caches.append((K, Vv))
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True,
                                               enable_gqa=a.heads != a.kv)
            x = x + a.o_proj(y.transpose(1, 2).reshape(B, L, -1))
            x = x + l.mlp(l.post_attention_layernorm(x))
        x = self.model.norm(x)
        bi = torch.arange(B)
        pos = torch.tensor(P)
        h = x[bi, pos - 1]
        sup = torch.zeros(V, dtype=torch.bool)
        sup[V - 1024:] = True
        sup[eos] = False
        ar = torch.arange(N)
        pad = self.text(torch.tensor([c["_pad"]]))
        out = [[] for _ in range(B)]
        done = torch.zeros(B, dtype=torch.bool)
        hist = torch.zeros(B, V, dtype=torch.bool)
        for n in range(max_frames):
            lg = self.codec_head(h)
            if rep != 1.0:
                lg = torch.where(hist, torch.where(lg < 0, lg * rep, lg / rep), lg)
            lg = lg.masked_fill(sup, -1e30)
            if n < minimum:
                lg[:, eos] = -1e30
            c0 = pick(lg, sample)
            hist[bi, c0] = True
            done |= c0 == eos
            if done.all():
                break
            c0 = torch.where(done, torch.zeros_like(c0), c0)
            e0 = self.model.codec_embedding(c0)
            rest = self.code_predictor.generate(h, e0, lambda z: pick(z, cp_sample))
            fr = torch.cat([c0[:, None], rest], 1)
            for b in range(B):
                if not done[b]:
                    out[b].append(fr[b])
            row = (self.frame_sum(fr) + pad)[:, None]
            mask = ar[None] <= pos[:, None]
            x = row
            for l, ch in zip(self.model.layers, caches):
                x = l.step(x, self.rope, ch, pos, mask)
            h = self.model.norm(x)[:, 0]
            pos = pos + 1
        return [torch.stack(o) if o else torch.zeros(0, c["num_code_groups"],
                dtype=torch.long) for o in out], done.tolist()


def talker_config(h=192, inter=576, layers=5, heads=4, kv=2, hd=64, text_hidden=96,
                  text_vocab=512, codes=512, groups=8, cp_h=192, cp_inter=512,
                  cp_layers=2, cp_heads=3, cp_kv=3, cp_hd=64):
    s = 2048 - codes
    return {
        "attention_bias": False, "attention_dropout": 0,
        "code_predictor_config": {
            "attention_bias": False, "attention_dropout": 0, "head_dim": cp_hd,
            "hidden_act": "silu", "hidden_size": cp_h,
            "initializer_range": 0.02, "intermediate_size": cp_inter,
            "layer_types": ["full_attention"] * cp_layers,
            "max_position_embeddings": 65536, "max_window_layers": 28,
            "model_type": "qwen3_tts_talker_code_predictor",
            "num_attention_heads": cp_heads, "num_code_groups": groups,
            "num_hidden_layers": cp_layers, "num_key_value_heads": cp_kv,
            "rms_norm_eps": 1e-06, "rope_scaling": None, "rope_theta": 1000000,
            "sliding_window": None, "use_cache": True,
            "use_sliding_window": False, "vocab_size": codes},
        "codec_bos_id": 2149 - s, "codec_eos_token_id": 2150 - s,
        "codec_think_id": 2154 - s, "codec_nothink_id": 2155 - s,
        "codec_pad_id": 2148 - s, "codec_think_bos_id": 2156 - s,
        "codec_think_eos_id": 2157 - s,
        "codec_language_id": {"english": 2050 - s},
        "spk_id": {"kazeia": 3000 - s},
        "spk_is_dialect": {"kazeia": False},
        "head_dim": hd, "hidden_act": "silu", "hidden_size": h,
        "initializer_range": 0.02, "intermediate_size": inter,
        "max_position_embeddings": 32768, "model_type": "qwen3_tts_talker",
        "num_attention_heads": heads, "num_code_groups": groups,
        "num_hidden_layers": layers, "num_key_value_heads": kv,
        "position_id_per_seconds": 13, "rms_norm_eps": 1e-06,
        "rope_scaling": {"interleaved": True, "rope_type": "default",
                         "type": "default", "mrope_section":
                         [hd // 2 - 2 * (hd // 6), hd // 6, hd // 6]},
        "rope_theta": 1000000, "sliding_window": None,
        "text_hidden_size": text_hidden, "text_vocab_size": text_vocab,
        "use_cache": True, "use_sliding_window": False,
        "vocab_size": codes + 1024, "pad_token_id": 2148 - s,
    }
