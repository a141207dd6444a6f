#!/usr/bin/env python3
"""Compute a codec decoder instead of training it.

    construct.py --codes work/codes/train_0000.npz --codebook work/cb.pt
                 --out dec.pt [--levels 7,8,9]

The wave of dsp.py is nearly linear in the amplitude spectra of the last slices,
for a given number of pitch periods in the frame and a given 20 ms step of it.
The official decoder can compute that almost directly:
  tables, transformer     hand the cepstra of the frame on, unchanged (a large
                          constant makes the norms harmless)
  first ConvNeXt block    hinges (GELU) on log amplitudes at points of the
                          frequency axis; weighted sums of them make exp()
  second ConvNeXt block   passes the amplitudes on, each to units that are open
                          only at one pitch and in one step of the frame
  decoder.0               least squares from these to the principal components
                          of 20 ms of wave
  decoder.1 .. 6          the components themselves (decoder.plant)
--levels are the pitches of this decoder in periods per frame; others are moved
to the nearest. The result is a trainer file; decoder.py can go on from it.
"""
import argparse
import time

import numpy as np
import torch
import torch.nn.functional as F

import codec_model as cm
import codes
import dsp
from decoder import basis, plant, solve

NP = dsp.ORDER + 1           # numbers of a slice: cepstra and voicing
C0, C1 = 60.0, 200.0         # the constants in front of the norms
GATE, STEEP, SLOPE = 160.0, 6.0, 1.6


class Made:
    """sentences with the wave of their codes, as decoder.Waves"""

    def __init__(self, path, cb, levels, groups, frames):
        d = np.load(path)
        c, self.u, at = d["codes"][:, :groups], [], 0
        mean, lv = cb["mean"].numpy(), np.array(levels)
        for n in d["frames"]:
            x = c[at:at + n]
            at += n
            mc, v, k = codes.decode_params(x, cb)
            k = lv[np.abs(k[:, None] - lv[None]).argmin(1)]
            w = np.round(dsp.synth(mc, v, k, mean) * 32768)
            self.u.append((torch.from_numpy(x.astype(np.int64)),
                           torch.from_numpy(w.astype(np.int16))))
            if at > frames:
                break


class Plan:
    def __init__(self, levels, pv, pn, tv, tn):
        self.levels, self.pv, self.pn, self.tv, self.tn = levels, pv, pn, tv, tn
        self.na = pv + pn                       # amplitudes of a slice
        # pulses at one period per slice look the same in every step
        self.combos = [(i, s) for i, k in enumerate(levels)
                       for s in (range(4) if k != dsp.SUB else [-1])]
        hz = np.arange(dsp.NF // 2 + 1) * dsp.OUT / dsp.NF
        self.points = []
        for kind, count, top in (("v", pv, 5800.0), ("n", pn, 8000.0)):
            edge = np.interp(top, hz, dsp._warp)
            for p in (np.arange(count) + 0.5) / count * edge:
                self.points.append((kind, int(np.argmin(
                    np.abs(dsp._warp[:342] - p)))))
        self.hz = hz


def clear(conv, rows=None):
    conv.weight.mul_(0.01)
    conv.bias.zero_()


@torch.no_grad()
def lower(model, cb, plan, mc, v):
    """tables up to the first ConvNeXt block: amplitudes of four slices come
    out; returns the channels they are in"""
    V, mu, B = cb["V"], cb["mu"], cb["B"].clone()
    d, nl = V.shape[1], len(plan.levels)
    sp = d - nl                                 # the last numbers: the pitch
    B[:, :, sp:] = 0
    w = torch.from_numpy(np.tile(codes.weights(), 8)).float()
    sy = B[0].std(0) + 1e-3
    sy[sp:] = 1
    q = model.quantizer
    for r in (q.rvq_first, q.rvq_rest):
        r.output_proj.weight.mul_(0.01)
        r.output_proj.weight[:d] = torch.eye(d)[..., None]
    q.rvq_first.vq.layers[0]._codebook.embedding_sum.copy_(B[0])
    for i, l in enumerate(q.rvq_rest.vq.layers):
        e = l._codebook.embedding_sum
        if i:
            e.copy_(B[i])
            continue
        e.zero_()
        for k in range(codes.KMIN, codes.KMAX + 1):
            j = int(np.abs(np.array(plan.levels) - k).argmin())
            e[k - codes.KMIN, sp + j] = 1
    clear(model.pre_conv.conv)
    model.pre_conv.conv.weight[:d] = 0
    t = model.pre_transformer
    clear(t.input_proj)
    t.input_proj.weight[:d + 1] = 0
    t.input_proj.bias[d] = C0
    clear(t.output_proj)
    t.output_proj.weight[:d + 1] = 0
    t.output_proj.bias[d] = 1
    for i in range(d):
        model.pre_conv.conv.weight[i, i, 2] = 1
        t.input_proj.weight[i, i] = 1 / sy[i]
        t.output_proj.weight[i, i] = sy[i]
    for l in t.layers:                          # present, nearly silent
        l.self_attn_layer_scale.scale.fill_(0.002)
        l.mlp_layer_scale.scale.fill_(0.002)
        l.self_attn.o_proj.weight.mul_(0.1)
        l.mlp.down_proj.weight.mul_(0.1)
    t.norm.weight.fill_(((C0 * C0 + d) / len(t.norm.weight)) ** 0.5)
    # the half frame: cepstra of four slices, half, pitch, constants, a zero
    S = (V[:, :sp] * sy[:sp]).pow(2).sum(1).sqrt().view(8, NP).mean(0).repeat(8)
    L = V / S[:, None]
    L[:, sp:] = 0
    h = 4 * NP
    half, pit, con, zero = h, h + 2, h + 2 + nl, h + 4 + nl
    free = zero + 1
    u = model.upsample[0][0].conv
    clear(u)
    u.weight[:] = 0
    for r in range(2):
        u.weight[:d, :h, r] = L[r * h:(r + 1) * h].T
        u.weight[d, half + r, r] = 1
        for j in range(nl):
            u.weight[sp + j, pit + j, r] = 1
    u.bias[con], u.bias[con + 1] = C0, -C0
    m, s = mu / w, S / w
    blk = model.upsample[0][1]
    identity(blk)
    n = u.weight.shape[1]
    std = ((2 * C0 * C0 + h) / n) ** 0.5
    # hinges of one slice
    lm = dsp.logmag(mc)
    va = dsp.voiced_part(v)
    amp = np.exp(lm) * va
    noi = np.exp(lm) * np.sqrt(np.maximum(1 - va ** 2, 0))
    R, b0, target = [], [], []
    for kind, b in plan.points:
        g = np.zeros(NP)
        g[:dsp.ORDER] = dsp.COS[:, b]
        off = dsp.TILT[b]
        if kind == "v":
            g[dsp.ORDER], off, sel = 6.0, off - 6.0, v > 0.5
        else:
            low = plan.hz[b] < 4500
            g[dsp.ORDER] = -3.0 if low else 0.0
            sel = v < 0.5 if low else v > -1
        x = lm[:, b] + g[dsp.ORDER] * v + (off - dsp.TILT[b])
        k = plan.tv if kind == "v" else plan.tn
        for th in np.linspace(np.quantile(x[sel], .3), np.quantile(x[sel], .9995), k):
            R.append(g)
            b0.append(off - th)
        target.append((amp if kind == "v" else noi)[:, b])
    R = torch.from_numpy(np.array(R)).float()
    b0 = torch.tensor(np.array(b0)).float()
    Y = np.array(target).T
    scale = np.sqrt((Y ** 2).mean(0))
    Y = torch.from_numpy(Y / scale).double()
    X = F.gelu(SLOPE * (torch.from_numpy(
        np.concatenate([mc, v[:, None]], 1)).float() @ R.T + b0))
    X = torch.cat([X, torch.ones(len(X), 1)], 1).double()
    P = torch.zeros(X.shape[1], Y.shape[1], dtype=torch.double)
    for i in range(Y.shape[1]):                 # relative accuracy
        q = 1 / (Y[:, i] + 0.3)
        Xq = X * q[:, None]
        A = Xq.T @ Xq
        A += torch.eye(len(A)) * 1e-8 * A.diagonal().mean()
        P[:, i] = torch.linalg.solve(A, Xq.T @ (Y[:, i] * q))
    e = X @ P - Y
    print("amplitudes by hinges: %.1f dB" % (-10 * np.log10(
        float(e.pow(2).sum() / Y.pow(2).sum()))))
    k, na = len(R), plan.na
    out = list(range(free, n)) + list(range(h))
    chan = out[:4 * na]
    W, bb = blk.pwconv1.weight, blk.pwconv1.bias
    W.zero_()
    bb.zero_()
    blk.pwconv2.weight.zero_()
    blk.pwconv2.bias.zero_()
    for j in range(4):
        rows = slice(j * k, (j + 1) * k)
        W[rows, j * NP:(j + 1) * NP] = R * s[:NP] * SLOPE * std
        # slices of both halves have nearly the same mean
        mj = (m.view(8, NP)[j] + m.view(8, NP)[4 + j]) / 2
        bb[rows] = (b0 + R @ mj) * SLOPE
        for half_no in range(2):
            dm = m.view(8, NP)[4 * half_no + j] - mj
            W[rows, half + half_no] = (R @ dm) * SLOPE * std
        c = chan[j * na:(j + 1) * na]
        blk.pwconv2.weight[c, rows] = P[:-1].T.float()
        blk.pwconv2.bias[c] = P[-1].float()
    used = 4 * k
    for c in chan:
        if c < h:                               # take the cepstrum out
            W[used, c] = std
            bb[used] = 8
            blk.pwconv2.weight[c, used] = -1
            blk.pwconv2.bias[c] += 8
            used += 1
    W[:used, zero] = -W[:used].sum(1)
    print("first block: %d of %d units" % (used, len(W)))
    return chan, half, pit


def identity(blk):
    dw = blk.dwconv.conv
    dw.weight.zero_()
    dw.weight[:, 0, 6] = 1
    dw.bias.zero_()
    blk.norm.weight.fill_(1)
    blk.norm.bias.zero_()
    blk.gamma.fill_(1)


@torch.no_grad()
def gates(model, plan, chan, half, pit):
    """second ConvNeXt block up to its first layer; returns the first free
    channel"""
    na, nl = plan.na, len(plan.levels)
    h = 2 * na
    step, pitch, con, zero = h, h + 4, h + 4 + nl, h + 6 + nl
    u = model.upsample[1][0].conv
    clear(u)
    u.weight.zero_()
    for r in range(2):
        for j in range(2):
            for b in range(na):
                u.weight[chan[(2 * r + j) * na + b], j * na + b, r] = 1
        for q in range(2):                      # step 2 q + r of the frame
            u.weight[half + q, step + 2 * q + r, r] = 1
        for j in range(nl):
            u.weight[pit + j, pitch + j, r] = 1
    u.bias[con], u.bias[con + 1] = C1, -C1
    blk = model.upsample[1][1]
    identity(blk)
    W, bb = blk.pwconv1.weight, blk.pwconv1.bias
    W.zero_()
    bb.zero_()
    n = W.shape[1]
    std = ((2 * C1 * C1 + h) / n) ** 0.5
    i = 0
    for j in range(2):
        for b in range(na):
            places = plan.combos if b < plan.pv else [(-1, s) for s in range(4)]
            for lv, st in places:
                W[i, j * na + b] = STEEP
                if lv >= 0 and nl > 1:
                    W[i, pitch + lv] = GATE
                    bb[i] -= GATE
                if st >= 0:
                    W[i, step + st] = GATE
                    bb[i] -= GATE
                i += 1
    W *= std
    W[:i, zero] = -W[:i].sum(1)
    print("second block: %d of %d units" % (i, len(W)))
    return zero + 1


@torch.no_grad()
def features(model, c):
    x = model.pre_conv(model.quantizer(c.T[None]))
    x = model.pre_transformer(x.transpose(1, 2)).transpose(1, 2)
    x = model.upsample[0][1](model.upsample[0][0](x))
    x = model.upsample[1][0](x)
    b = model.upsample[1][1]
    y = b.norm(b.dwconv(x).transpose(1, 2))
    return x[0].T, F.gelu(b.pwconv1(y))[0]


@torch.no_grad()
def project(model, data, bs, first, taps=3, ridge=1e-5):
    """second layer of the last block: the combinations of units that matter"""
    blk = model.upsample[1][1]
    n = blk.pwconv1.weight.shape[0]
    A, Bm = torch.zeros(n * taps, n * taps), 0
    for c, w in data.u:
        f = features(model, c)[1] / STEEP
        x = torch.cat([F.pad(f, (0, 0, q, 0))[:len(f)] for q in range(taps)], 1)
        t = w.float().view(-1, 480) / 32768 @ bs["ana"]
        q = ((t * bs["scale"]).pow(2).sum(-1) / bs["power"] + 1e-4) ** -0.35
        x, t = x * q[:, None], t * q[:, None]
        A += x.T @ x
        Bm = Bm + x.T @ t
    A = A.double()
    A += torch.eye(len(A)) * ridge * A.diagonal().mean()
    W = torch.linalg.solve(A, Bm.double()) * bs["scale"].double()
    e, U = torch.linalg.eigh(A[:n, :n])
    e = e.clamp(min=1e-9).sqrt()
    Wall = torch.cat([W[q * n:(q + 1) * n] for q in range(taps)], 1)
    u, s, _ = torch.linalg.svd((U * e) @ U.T @ Wall, full_matrices=False)
    free = blk.pwconv2.weight.shape[0] - first
    P = ((U / e) @ U.T @ u[:, :free]).float()
    P *= sum(4 * len(c) for c, _ in data.u) ** 0.5
    print("combinations kept: %.5f of the variance" % float(
        s[:free].pow(2).sum() / s.pow(2).sum()))
    blk.pwconv2.weight.zero_()
    blk.pwconv2.weight[first:] = P.T / STEEP
    blk.pwconv2.bias.zero_()


@torch.no_grad()
def snr(model, data, bs):
    a = b = p = q = 0.0
    for c, w in data:
        z = model.front(c.T[None])[0].T
        y = w.float().view(-1, 480) / 32768
        t = (y @ bs["ana"]) * bs["scale"]
        a += float(t.pow(2).sum())
        b += float((z * bs["scale"] - t).pow(2).sum())
        p += float(y.pow(2).sum())
        q += float((z @ bs["syn"] - y).pow(2).sum())
    return 10 * np.log10(a / b), 10 * np.log10(p / q)


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--codes", required=True, help="a file of codes")
    ap.add_argument("--codebook", required=True)
    ap.add_argument("--out", required=True)
    ap.add_argument("--levels", default="7,8,9")
    ap.add_argument("--points", default="24,10,5,4", metavar="V,N,TV,TN",
                    help="points for pulses and noise, thresholds at each")
    ap.add_argument("--groups", type=int, default=6)
    ap.add_argument("--frames", type=int, default=10000)
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(a.seed)
    t0 = time.process_time()
    cb = torch.load(a.codebook)
    levels = [int(x) for x in a.levels.split(",")]
    plan = Plan(levels, *map(int, a.points.split(",")))
    data = Made(a.codes, cb, levels, a.groups, a.frames)
    print("waves made, %.0f s" % (time.process_time() - t0), flush=True)
    cfg = cm.config(groups=a.groups, dim=192, latent=192)
    model = cm.Decoder(cfg)
    bs = basis(data, 192)
    plant(model, bs["syn"])
    c = torch.cat([x for x, _ in data.u[:150]])
    mc, v, _ = codes.decode_params(c.numpy(), cb)
    chan, half, pit = lower(model, cb, plan, mc, v)
    first = gates(model, plan, chan, half, pit)
    test, data.u = data.u[:25], data.u[25:]
    project(model, data, bs, first)
    solve(model, data, bs, 10 ** 9, ridge=1e-9)
    print("signal to noise on other sentences: %.1f dB weighted, %.1f dB plain; "
          "%.0f s" % (*snr(model, test, bs), time.process_time() - t0), flush=True)
    ema = {n: p.detach().clone() for n, p in model.named_parameters()}
    torch.save(bs, a.out + ".basis")
    torch.save({"model": model.state_dict(), "ema": ema, "step": 1,
                "begin": time.time(), "log": [], "cfg": cfg,
                "stage": "constructed"}, a.out)


if __name__ == "__main__":
    main()
