#!/usr/bin/env python3
"""Train the language model (talker and code predictor) on codes.

    lm.py --data work/codes --codebook work/cb.pt --tokenizer tok --out lm.pt
          --until HH:MM [--init CHECKPOINT_DIR] [--hold FILE]

Resumes from --out if it exists. The learning rate follows the clock between
the first start and --until: full for the first 45 %, then falling linearly;
--restart begins a new schedule with the state kept. --init takes the weights of
an exported checkpoint and nothing else (short warm-up, new optimiser state).
Matrix products run in bfloat16 where the processor is fast at it (--fp32 turns
that off); the weights stay in fp32.
"""
import argparse
import glob
import json
import math
import os
import random
import signal
import time
import warnings

import numpy as np
import torch
import torch.nn.functional as F

from lm_model import Talker, talker_config
from muon import Muon
from tokenizer import Tokenizer

warnings.filterwarnings("ignore", message="Mismatch dtype")


class Data:
    """sentences: text, codes [T,g], first and last letter of each frame"""

    def __init__(self, path, groups, cache={}):
        self.items = []
        for f in sorted(glob.glob(os.path.join(path, "*.npz"))):
            if os.path.basename(f).startswith("tmp"):
                continue
            if f not in cache:
                d = np.load(f)
                codes, win = d["codes"], d["win"].astype(np.int64)
                at, got = 0, []
                for (text, kind), t in zip(json.loads(str(d["meta"])), d["frames"]):
                    c = torch.from_numpy(codes[at:at + t, :groups].astype(np.int64))
                    got.append((text, c, win[at:at + t], kind))
                    at += t
                cache[f] = got
            self.items += cache[f]


def vary(text, rng):
    """same letters in another case: the sound is the same"""
    r = rng.random()
    if r < 0.10:
        text = text.lower()
    elif r < 0.12:
        text = " ".join(w[:1].upper() + w[1:] for w in text.split(" "))
    elif r < 0.135 and len(text) < 40:
        text = text.upper()
    return text


class Batcher:
    def __init__(self, data, tok, cfg, seed, tokens=1900, concat=0.25,
                 longest=330):
        self.d, self.tok, self.cfg = data, tok, cfg
        self.rng = random.Random(seed)
        self.tokens, self.concat, self.longest = tokens, concat, longest
        self.queue = []

    def sample(self, it):
        text, codes, win = it[:3]
        ids, sp = self.tok.encode(vary(text, self.rng), True)
        l2t = np.zeros(len(text) + 1, np.int64)      # letter -> token
        for k, (a, b) in enumerate(sp):
            l2t[a:b] = k
        w = l2t[np.minimum(win, len(text) - 1)]
        return ids, codes, w[:, 0], w[:, 1]

    def pieces(self):
        """sentences, a part of them joined to texts of two to six: with the
        stop and a space, or with a comma and one silent frame less"""
        items = list(self.d.items)
        self.rng.shuffle(items)
        rng, i = self.rng, 0
        while i < len(items):
            n = rng.choice((2, 2, 3, 4, 5, 6)) if rng.random() < self.concat else 1
            text, codes, win = items[i][:3]
            i += 1
            while n > 1 and i < len(items):
                t, c, w = items[i][:3]
                if len(codes) + len(c) > self.longest:
                    break
                i, n = i + 1, n - 1
                if rng.random() < 0.35 and text[-1:] in ".!" and t[:2] != "I ":
                    glue, t = ", ", t[:1].lower() + t[1:]
                    text, c, w = text[:-1], c[1:], w[1:]
                else:
                    glue = " "
                w = w + len(text) + len(glue)
                text = text + glue + t
                codes = torch.cat([codes, c])
                win = np.concatenate([win, w])
            if rng.random() < 0.06 and text[-1:] == ".":
                text = text[:-1]             # no stop: the same sound
            yield self.sample((text, codes, win))

    def fill(self):
        """one part of the corpus, in batches of similar length"""
        if not getattr(self, "stream", None):
            self.stream = self.pieces()
        out = []
        for s in self.stream:
            out.append(s)
            if len(out) >= 3000:
                break
        else:
            self.stream = None
        out.sort(key=lambda s: len(s[0]) + len(s[1]) + self.rng.random() * 16)
        batches, cur, mx = [], [], 0
        for s in out:
            n = len(s[0]) + len(s[1]) + 12
            if cur and max(mx, n) * (len(cur) + 1) > self.tokens:
                batches.append(cur)
                cur, mx = [], 0
            cur.append(s)
            mx = max(mx, n)
        if cur:
            batches.append(cur)
        self.rng.shuffle(batches)
        self.queue = batches

    def next(self):
        while not self.queue:
            self.fill()
        b = self.queue.pop()
        c, sp = self.cfg, self.tok.special
        pad = sp["<tts_pad>"]
        ti, ci, fi, tg, gl, gh, codes = [], [], [], [], [], [], []
        base = 0
        for ids, cd, lo, hi in b:
            lang = "auto" if self.rng.random() < 0.3 else "english"
            t, k, first = self.tok.prompt(c, ids, language=lang)
            P, T = len(t), len(cd)
            ti.append(t + [pad] * T)
            ci.append(k + [-1] * T)
            fi.append([-1] * P + list(range(base, base + T)))
            tg.append([-100] * (P - 1) + cd[:, 0].tolist() +
                      [c["codec_eos_token_id"]])
            e = first + len(ids)
            gl.append([-1] * (P - 1) + (lo + first).tolist() + [e])
            gh.append([-1] * (P - 1) + (hi + first).tolist() + [e])
            codes.append(cd)
            base += T
        L = max(map(len, ti))

        def pk(x, v):
            return torch.tensor([r + [v] * (L - len(r)) for r in x])
        return (pk(ti, pad), pk(ci, -1), pk(fi, -1), pk(tg, -100), pk(gl, -1),
                pk(gh, -1), torch.cat(codes))


def guide_loss(scores, gl, gh):
    """attention of head 0 should lie on the letters being spoken"""
    L = scores.shape[1]
    m = gl >= 0
    bi, qi = m.nonzero(as_tuple=True)
    s = scores[bi, qi].float()
    ar = torch.arange(L)
    s = s.masked_fill(ar[None] > qi[:, None], -1e30)
    inw = (ar[None] >= gl[m][:, None] - 1) & (ar[None] <= gh[m][:, None] + 1)
    return -(torch.logsumexp(s.masked_fill(~inw, -1e30), -1) -
             torch.logsumexp(s, -1)).mean()


class Soft:
    """neighbours of a code: targets that spread over entries that sound alike,
    and near misses to put into the input"""
    SHARE = (.22, .07, .056, .05, .055, .055, .055)

    def __init__(self, path, groups, sample):
        self.B = torch.load(path)["B"][:groups - 1].contiguous()
        self.n = (self.B ** 2).sum(-1)
        self.col = [0] + list(range(2, groups))     # column 1 is the pitch
        # squared distance that remains after every stage
        rest, x = [], 0
        for s in reversed(range(len(self.col))):
            rest.append(float((x ** 2).sum(-1).mean()) if s < len(self.col) - 1
                        else 0.0)
            x = x + self.B[s][sample[:, self.col[s]]]
        # what no stage describes, from the energy of the last one
        last = 3.4 * float(self.B[-1][sample[:, self.col[-1]]].pow(2).sum(-1).mean())
        rest = [r + last for r in rest[::-1]]
        self.tau = [a * r for a, r in zip(self.SHARE, rest)]

    def distances(self, codes):
        """for every stage the squared distances (up to a constant) of what
        remains of the frame at that stage to all entries"""
        x = sum(self.B[s][codes[:, c]] for s, c in enumerate(self.col))
        out = []
        for s, c in enumerate(self.col):
            d = self.n[s] - 2 * x @ self.B[s].T
            out.append(d - d.min(1, keepdim=True).values)
            x = x - self.B[s][codes[:, c]]
        return out

    def targets(self, D):
        return [torch.softmax(-d / t, 1) for d, t in zip(D, self.tau)]

    def miss(self, codes, D, p0=0.2, p1=0.3):
        c = codes.clone()
        for s, col in enumerate(self.col):
            m = torch.rand(len(c)) < (p1 if s else p0)
            q = torch.softmax(-D[s][m] / (2.5 * self.tau[s]), 1)
            c[m, col] = torch.multinomial(q, 1)[:, 0]
        return c


def mixed(logits, hard, soft, w=0.3):
    """cross-entropy against w hard + (1 - w) soft; also the hard one alone"""
    lp = torch.log_softmax(logits.float(), -1)
    h = -lp.gather(1, hard[:, None])[:, 0]
    z = -(soft * lp[:, :soft.shape[1]]).sum(1)
    return (w * h + (1 - w) * z).mean(), h.mean()


def corrupt(codes, p0, p1, K):
    c = codes.clone()
    m = torch.rand(len(c)) < p0
    c[m, 0] = torch.randint(0, K, (int(m.sum()),))
    m = torch.rand(c.shape) < p1
    m[:, :2] = False
    c[m] = torch.randint(0, K, (int(m.sum()),))
    return c


def step_loss(model, batch, cfg, soft, clean=False, cp_share=0.16,
              guide=(1, 2), amp=False):
    ti, ci, fi, tg, gl, gh, codes = batch
    K = cfg["code_predictor_config"]["vocab_size"]
    D = soft.distances(codes)
    Q = soft.targets(D)
    inp = codes if clean else corrupt(soft.miss(codes, D), 0.02, 0.02, K)
    with torch.autocast("cpu", torch.bfloat16, enabled=amp):
        x = model.rows(ti, ci, fi, inp)
        h, want = model.hidden(x, guide)
        m = tg >= 0
        hm = h[m]
        t0 = tg[m]
        lg0 = model.codec_head(hm)
        # code predictor: a share of the frames; hidden of the row of c0
        fr = (t0 < K).nonzero()[:, 0]        # in order: equals rows of codes
        pick = torch.randperm(len(fr))[:max(8, int(len(fr) * cp_share))]
        cc = codes[pick]
        lg = model.code_predictor(
            hm[fr[pick]], model.model.codec_embedding(cc[:, 0]), cc)
    lf, l0 = mixed(lg0[fr], t0[fr], Q[0])
    le = F.cross_entropy(lg0[t0 >= K].float(), t0[t0 >= K])
    share = len(fr) / len(t0)
    lf = lf * share + le * (1 - share)
    a, b = [], []
    for i, y in enumerate(lg):
        if i == 0:
            x = F.cross_entropy(y.float(), cc[:, 1])
            a.append(x)
            b.append(x)
        else:
            x, h1 = mixed(y, cc[:, i + 1], Q[i][pick])
            a.append(x)
            b.append(h1)
    lf = lf + 1.2 * torch.stack(a).mean()
    g = sum(guide_loss(s, gl, gh) for s in want) / max(1, len(want))
    return l0, torch.stack(b), g, lf


def start_from(model, path):
    """input rows of a code: where its spectrum lies (one random projection for
    all groups, so a frame's sum is its spectrum)"""
    from decoder import spectral_rows
    B = spectral_rows(path)
    h = model.c["hidden_size"]
    R = torch.randn(B.shape[2], h) * 0.25 / math.sqrt(B.shape[2]) * 1.6
    E = model.code_predictor.model.codec_embedding
    with torch.no_grad():
        w = model.model.codec_embedding.weight
        w[:B.shape[1]] = w[:B.shape[1]] * 0.3 + B[0] @ R
        model.codec_head.weight[:B.shape[1]] += B[0] @ R * 0.1
        for i in range(1, len(B)):
            if i < len(E):
                E[i].weight.mul_(0.15).add_(B[i] @ R)


def load_lm(path, ema=True):
    """trainer file or checkpoint directory -> model, configuration, step;
    weights rounded to what the bfloat16 file holds"""
    if os.path.isdir(path):
        from safetensors.torch import load_file
        c = json.load(open(os.path.join(path, "config.json")))
        cfg, step = c["talker_config"], -1
        cfg["_pad"] = c["tts_pad_token_id"]
        w = {k[7:]: v.float() for k, v in load_file(
            os.path.join(path, "model.safetensors")).items()}
    else:
        s = torch.load(path, weights_only=False, map_location="cpu")
        cfg, step = s["cfg"], s["step"]
        w = s["ema"] if ema else s["model"]
    m = Talker(cfg)
    m.load_state_dict(w)
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(p.bfloat16().float())
    return m.eval(), cfg, step


@torch.no_grad()
def held_out(model, cfg, tok, path, soft):
    """teacher-forced losses on held-out sentences"""
    d = Data(path, cfg["num_code_groups"])
    bt = Batcher(d, tok, cfg, 1, 2500, concat=0.0)
    torch.manual_seed(0)
    bt.fill()
    r = []
    while bt.queue:
        l0, lc, g, _ = step_loss(model, bt.next(), cfg, soft, True, 1.0)
        r.append([l0.item(), lc.mean().item(), g.item()] + lc.tolist())
    return np.mean(r, 0)


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--data", required=True)
    ap.add_argument("--tokenizer", required=True)
    ap.add_argument("--codebook", required=True, help="cb.pt")
    ap.add_argument("--out", required=True)
    ap.add_argument("--until", required=True, metavar="HH:MM")
    ap.add_argument("--tokens", type=int, default=1900, help="rows in a step")
    ap.add_argument("--layers", type=int, default=5)
    ap.add_argument("--hidden", type=int, default=256)
    ap.add_argument("--inter", type=int, default=704)
    ap.add_argument("--groups", type=int, default=6)
    ap.add_argument("--lr", type=float, default=0.02, help="Muon")
    ap.add_argument("--adam-lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--cp-share", type=float, default=0.16)
    ap.add_argument("--joined", type=float, default=0.25,
                    help="share of texts made of several sentences")
    ap.add_argument("--fp32", action="store_true")
    ap.add_argument("--threads", type=int, default=1)
    ap.add_argument("--max-steps", type=int, default=0)
    ap.add_argument("--init", default="", help="checkpoint directory")
    ap.add_argument("--restart", action="store_true",
                    help="begin a new learning-rate schedule now")
    ap.add_argument("--valid", default="", help="held-out codes, every 500 steps")
    ap.add_argument("--hold", default="", help="pause while this file exists")
    a = ap.parse_args()
    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    tok = Tokenizer(a.tokenizer)
    nv = -(-(max(tok.special.values()) + 1) // 32) * 32
    if a.init:
        model, cfg, _ = load_lm(a.init)
        model.train()
    else:
        cfg = talker_config(h=a.hidden, inter=a.inter, layers=a.layers,
                            text_vocab=nv, groups=a.groups)
        cfg["_pad"] = tok.special["<tts_pad>"]
        model = Talker(cfg)
        start_from(model, a.codebook)
    hh, mm = map(int, a.until.split(":"))
    now = time.localtime()
    end = time.mktime((now.tm_year, now.tm_mon, now.tm_mday, hh, mm, 0, 0, 0, -1))
    if end < time.time() - 43200:
        end += 86400
    muon, adam = [], []
    for n, p in model.named_parameters():
        (muon if p.ndim == 2 and ".layers." in n else adam).append(p)
    om = Muon(muon, lr=a.lr)
    oa = torch.optim.AdamW(adam, lr=a.adam_lr, betas=(0.9, 0.97),
                           weight_decay=0.01, fused=True)
    for o in (om, oa):
        for g in o.param_groups:
            g["base"] = g["lr"]
    ema = {n: p.detach().clone() for n, p in model.named_parameters()}
    step, begin, log, warm0 = 0, time.time(), [], 0
    data = Data(a.data, cfg["num_code_groups"])
    if os.path.exists(a.out):
        s = torch.load(a.out, weights_only=False)
        model.load_state_dict(s["model"])
        om.load_state_dict(s["muon"])
        oa.load_state_dict(s["adam"])
        ema, step, begin, log = s["ema"], s["step"], s["begin"], s["log"]
        for o, b in ((om, a.lr), (oa, a.adam_lr)):
            for g in o.param_groups:
                g["base"] = b
        warm0 = -10000
        if a.restart:
            begin = time.time()
        print("resumed at step", step)
    print("parameters: %.2f M" % (sum(p.numel() for p in model.parameters()) / 1e6))
    print(len(data.items), "sentences, hours %.2f" % (
        sum(len(i[1]) for i in data.items) / 45000), flush=True)
    bt = Batcher(data, tok, cfg, a.seed + step, a.tokens, a.joined)
    soft = Soft(a.codebook, cfg["num_code_groups"],
                torch.cat([i[1] for i in data.items[:400]]))
    last_load = last_save = time.time()
    acc, t_acc = [], time.time()

    def save():
        torch.save({"model": model.state_dict(), "muon": om.state_dict(),
                    "adam": oa.state_dict(), "ema": ema, "step": step,
                    "begin": begin, "log": log, "cfg": cfg}, a.out + ".tmp")
        os.replace(a.out + ".tmp", a.out)
    stop = []
    signal.signal(signal.SIGTERM, lambda *x: stop.append(1))
    while not stop:
        while a.hold and os.path.exists(a.hold) and not stop:
            time.sleep(1)
        now = time.time()
        f = (now - begin) / max(1.0, end - begin)
        if f >= 1 or (a.max_steps and step >= a.max_steps):
            break
        lr = min(1.0, (step - warm0 + 1) / 120) * (
            1.0 if f < 0.45 else 0.03 + 0.97 * (1 - f) / 0.55)
        for o in (om, oa):
            for g in o.param_groups:
                g["lr"] = g["base"] * lr
        l0, lc, g, loss = step_loss(model, bt.next(), cfg, soft,
                                    cp_share=a.cp_share, amp=not a.fp32)
        loss = loss + g * (0.5 if step < 1200 else 0.15)
        om.zero_grad()
        oa.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(adam, 1.0)
        om.step()
        oa.step()
        step += 1
        d = min(0.998, 1 - 1 / (step / 6 + 2))
        with torch.no_grad():
            torch._foreach_lerp_(list(ema.values()),
                                 list(model.parameters()), 1 - d)
        acc.append([l0.item(), lc.mean().item(), g.item()] + lc.tolist())
        if step % 50 == 0:
            m = np.mean(acc, 0)
            log.append([step, now - begin] + m.tolist())
            print("%d %.0fs c0 %.3f cp %.3f guide %.3f | %s | lr %.2f %.2f s/step"
                  % (step, now - begin, m[0], m[1], m[2],
                     " ".join("%.2f" % x for x in m[3:]), lr,
                     (time.time() - t_acc) / len(acc)), flush=True)
            acc, t_acc = [], time.time()
        if a.valid and step % 500 == 0:
            keep = {n: p.detach().clone() for n, p in model.named_parameters()}
            model.load_state_dict(ema)
            v = held_out(model, cfg, tok, a.valid, soft)
            model.load_state_dict(keep)
            print("held-out %d c0 %.3f cp %.3f guide %.3f | %s" % (
                step, v[0], v[1], v[2], " ".join("%.2f" % x for x in v[3:])),
                flush=True)
            t_acc = time.time()
        if time.time() - last_save > 150:
            save()
            last_save = time.time()
        if time.time() - last_load > 200:
            n = len(data.items)
            data = Data(a.data, cfg["num_code_groups"])
            if len(data.items) != n:
                print("now", len(data.items), "sentences", flush=True)
                bt.d = data
            last_load = time.time()
    save()
    print("end at step", step)


if __name__ == "__main__":
    main()
