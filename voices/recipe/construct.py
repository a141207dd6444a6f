#!/usr/bin/env python3
"""Compute a codec decoder instead of training it (one pitch).

    construct.py --data work/flat --codebook work/cb.pt --out dec.pt

At a constant pitch with one period in each 10 ms slice, the wave is linear in
the amplitude spectra of the last slices. The official decoder can compute that
almost directly:
  tables, transformer, upsampling   hand the slice's cepstra on, unchanged (a
                                    large constant makes the norms harmless)
  last ConvNeXt block               GELU hinges on log amplitudes at points of
                                    the frequency axis: sums of them make exp()
  decoder.0                         least squares from these to the principal
                                    components of 20 ms of wave
  decoder.1 .. 6                    the components themselves (decoder.plant)
The result is written as a trainer file; decoder.py goes on from it.
"""
import argparse
import time

import numpy as np
import torch
import torch.nn.functional as F

import codec_model as cm
import dsp
from decoder import Waves, basis, plant, solve

C = 60.0                     # the constant
NP = dsp.ORDER + 1           # numbers of a slice
PV, PN = 28, 13              # points of the frequency axis: pulses, noise
TV, TN = 6, 4                # thresholds at each
FREE = 2 * NP + 7            # channels from here on are free


def through(model, cb):
    """everything below the last ConvNeXt block passes the cepstra of the two
    slices of a step on, in unit variance: returns mean and scale [8*NP]"""
    V, mu, B = cb["V"], cb["mu"], cb["B"]
    d = V.shape[1]
    w = torch.from_numpy(np.tile(_weights(), 8)).float()
    # spread of the principal numbers, from the first codebook
    sy = B[0].std(0) + 1e-3
    q = model.quantizer
    with torch.no_grad():
        for r in (q.rvq_first, q.rvq_rest):
            r.output_proj.weight.mul_(0.02)
            r.output_proj.weight[:d] = torch.eye(d)[..., None]
        q.rvq_first.vq.layers[0]._codebook.embedding_sum.copy_(B[0])
        for i, l in enumerate(q.rvq_rest.vq.layers):
            e = l._codebook.embedding_sum
            if i == 0:
                e.mul_(0.02)                   # code 1, the pitch
            else:
                e.copy_(B[i])
        model.pre_conv.conv.weight.mul_(0.02)
        model.pre_conv.conv.weight[:d] = 0
        for i in range(d):
            model.pre_conv.conv.weight[i, i, 2] = 1
        t = model.pre_transformer
        t.input_proj.weight.mul_(0.02)
        t.input_proj.weight[:d + 1] = 0
        for i in range(d):
            t.input_proj.weight[i, i] = 1 / sy[i]
        t.input_proj.bias.zero_()
        t.input_proj.bias[d] = C
        for l in t.layers:
            l.self_attn_layer_scale.scale.fill_(0.003)
            l.mlp_layer_scale.scale.fill_(0.003)
            l.self_attn.o_proj.weight.mul_(0.1)
            l.mlp.down_proj.weight.mul_(0.1)
        rms = ((C * C + d) / t.norm.weight.shape[0]) ** 0.5
        t.norm.weight.fill_(rms)
        t.output_proj.weight.mul_(0.02)
        t.output_proj.weight[:d] = 0
        for i in range(d):
            t.output_proj.weight[i, i] = sy[i]
        t.output_proj.bias.zero_()
        t.output_proj.bias[d] = 1              # towards the step's number
        t.output_proj.weight[d] = 0
        # frame -> half -> step; numbers in unit variance
        S = (V * sy) .pow(2).sum(1).sqrt().view(8, NP).mean(0)     # scale
        S = S.repeat(8)
        L = V / S[:, None]                                        # [208, d]
        u0, u1 = model.upsample[0][0].conv, model.upsample[1][0].conv
        h = 4 * NP
        for u in (u0, u1):
            u.weight.mul_(0.02)
            u.bias.zero_()
        u0.weight[:, :h + 2] = 0
        u0.weight[d, h, 0] = u0.weight[d, h + 1, 1] = 1
        for r in range(2):
            u0.weight[:d, :h, r] = L[r * h:(r + 1) * h].T
        h2 = 2 * NP
        u1.weight[:, :FREE] = 0
        for r in range(2):
            for q in range(2):                # 1 in step 2 q + r of the frame
                u1.weight[h + q, h2 + 2 + 2 * q + r, r] = 1
        for r in range(2):
            for i in range(h2):
                u1.weight[r * h2 + i, i, r] = 1
        u1.bias[h2], u1.bias[h2 + 1] = C, -C
        model.upsample[0][1].gamma.fill_(0.002)
        dw = model.upsample[1][1].dwconv.conv
        dw.weight.mul_(0.02)
        dw.weight[:FREE] = 0
        dw.weight[:, 0, 6] = 1
        dw.bias.zero_()
        # the free channels should not disturb the norm
        u1.weight[:, FREE:] *= 0.5
    return mu / w, S / w


def _weights():
    import codes
    return codes.weights()


def hinges(model, m, s, cb, mc, v):
    """first layer of the last block: hinges on log amplitudes"""
    blk = model.upsample[1][1]
    h2 = 2 * NP
    n = blk.pwconv1.weight.shape[1]
    std = ((2 * C * C + h2) / n) ** 0.5         # what the norm divides by
    lm = dsp.logmag(mc)                         # [slices, bins]
    hz = np.arange(lm.shape[1]) * dsp.OUT / dsp.NF
    warp = dsp._warp
    rows = []                                   # (weights, bias, place)
    for kind, count, th_n, top in (("v", PV, TV, 5600.0), ("n", PN, TN, 8000.0)):
        edge = np.interp(top, hz, warp)
        for p in (np.arange(count) + 0.5) / count * edge:
            b = int(np.argmin(np.abs(warp[:342] - p)))
            g = np.zeros(NP)
            g[:dsp.ORDER] = dsp.COS[:, b]
            off = dsp.TILT[b]
            if kind == "v":
                g[dsp.ORDER], off = 6.0, off - 6.0
                sel = v > 0.5
            else:
                g[dsp.ORDER] = -6.0 if hz[b] < 4500 else 0.0
                sel = v < 0.5 if hz[b] < 4500 else v > -1
            u = lm[sel][:, b] + (g[dsp.ORDER] * v[sel] + (off - dsp.TILT[b]))
            lo, hi = np.quantile(u, 0.35), np.quantile(u, 0.998)
            for th in np.linspace(lo, hi, th_n):
                for q in range(4) if kind == "n" else [-1]:
                    rows.append((g, off - th, q))
    slope = 1.6
    with torch.no_grad():
        W, bb = blk.pwconv1.weight, blk.pwconv1.bias
        W.mul_(0.02)
        k = len(rows)
        W[:2 * k] = 0
        R = torch.from_numpy(np.array([r[0] for r in rows])).float()
        b = torch.tensor([r[1] for r in rows]).float()
        for j in range(2):                      # two slices of the step
            sj, mj = s[:NP], m[j * NP:(j + 1) * NP]
            W[j * k:(j + 1) * k, j * NP:(j + 1) * NP] = R * sj
            bb[j * k:(j + 1) * k] = (b + R @ mj) * slope
            for i, (_, _, q) in enumerate(rows):
                if q >= 0:                      # only in step q of the frame
                    for o in range(4):
                        if o != q:
                            W[j * k + i, h2 + 2 + o] = -25
        W[:2 * k] *= std * slope
        # the norm takes the mean away; a channel that is 0 puts it back
        W[:2 * k, FREE - 1] = -W[:2 * k].sum(1)
        blk.norm.weight.fill_(1)
        blk.norm.bias.zero_()
        blk.gamma.fill_(1)
    print(2 * k, "hinges")
    return 2 * k


@torch.no_grad()
def features(model, c):
    """input of the last block and its hinges for one sentence: x [T,n], f"""
    x = model.pre_conv(model.quantizer(c.T[None]))
    x = model.pre_transformer(x.transpose(1, 2)).transpose(1, 2)
    x = model.upsample[0][1](model.upsample[0][0](x))
    x = model.upsample[1][0](x)
    b = model.upsample[1][1]
    y = b.norm(b.dwconv(x).transpose(1, 2))
    return x[0].T, F.gelu(b.pwconv1(y))[0]


@torch.no_grad()
def project(model, data, bs, frames, taps=3, ridge=3e-4):
    """second layer of the last block: the combinations of hinges that matter"""
    blk = model.upsample[1][1]
    n = blk.pwconv1.weight.shape[0]
    A, Bm, seen = torch.zeros(n * taps, n * taps), 0, 0
    for c, w in data.u:
        f = features(model, c)[1]
        x = torch.cat([F.pad(f, (0, 0, q, 0))[:len(f)] for q in range(taps)], 1)
        t = w.float().view(-1, 480) / 32768 @ bs["ana"]
        q = ((t * bs["scale"]).pow(2).sum(-1) / bs["power"] + 1e-4) ** -0.35
        x, t = x * q[:, None], t * q[:, None]
        A += x.T @ x
        Bm = Bm + x.T @ t
        seen += len(c)
        if seen > frames:
            break
    A = A.double()
    A += torch.eye(len(A)) * ridge * A.diagonal().mean()
    W = torch.linalg.solve(A, Bm.double()) * bs["scale"].double()
    G = A[:n, :n]
    e, U = torch.linalg.eigh(G)
    h = (U * e.clamp(min=1e-9).sqrt()) @ U.T
    hi = (U / e.clamp(min=1e-9).sqrt()) @ U.T
    Wall = torch.cat([W[q * n:(q + 1) * n] for q in range(taps)], 1)
    u, s, _ = torch.linalg.svd(h @ Wall, full_matrices=False)
    free = blk.pwconv2.weight.shape[0] - FREE
    P = (hi @ u[:, :free]).float() * float(seen * 4) ** 0.5
    print("combinations kept: %.5f of the variance" % float(
        s[:free].pow(2).sum() / s.pow(2).sum()))
    blk.pwconv2.weight.zero_()
    blk.pwconv2.weight[FREE:] = P.T
    blk.pwconv2.bias.zero_()


@torch.no_grad()
def snr(model, data, bs):
    a = b = 0.0
    for c, w in data:
        z = model.front(c.T[None])[0].T
        t = (w.float().view(-1, 480) / 32768 @ bs["ana"]) * bs["scale"]
        a += float(t.pow(2).sum())
        b += float((z * bs["scale"] - t).pow(2).sum())
    return 10 * np.log10(a / b)


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--data", required=True, help="waves at one pitch")
    ap.add_argument("--codebook", required=True)
    ap.add_argument("--out", required=True)
    ap.add_argument("--groups", type=int, default=6)
    ap.add_argument("--frames", type=int, default=10000)
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(a.seed)
    t0 = time.process_time()
    import codes
    cb = torch.load(a.codebook)
    data = Waves(a.data, a.groups)
    cfg = cm.config(groups=a.groups, dim=192, latent=192)
    model = cm.Decoder(cfg)
    bs = basis(data, 192)
    plant(model, bs["syn"])
    m, s = through(model, cb)
    c = torch.cat([x for x, _ in data.u[:120]])
    mc, v, _ = codes.decode_params(c.numpy(), cb)
    # does the chain hand the cepstra on?
    x, _ = features(model, data.u[0][0])
    y = (x[:, :2 * NP].reshape(-1, NP) * s[:NP]).numpy()
    y = y.reshape(len(data.u[0][0]), -1) + m.numpy()
    p, q, _ = codes.decode_params(data.u[0][0].numpy(), cb)
    ref = np.concatenate([p, q[:, None]], 1).reshape(len(y), -1)
    print("cepstra handed on with error %.4f of %.3f" % (
        np.abs(y - ref)[:, :].mean(), ref.std()))
    hinges(model, m, s, cb, mc, v)
    test, data.u = data.u[:25], data.u[25:]
    project(model, data, bs, a.frames)
    solve(model, data, bs, a.frames, ridge=1e-5)
    print("SNR on other sentences %.1f dB, %.0f s" % (
        snr(model, test, bs), time.process_time() - t0), flush=True)
    ema = {n: p.detach().clone() for n, p in model.named_parameters()}
    torch.save(bs, a.out + ".basis")
    torch.save({"model": model.state_dict(), "ema": ema, "step": 0,
                "begin": time.time(), "log": [], "cfg": cfg,
                "stage": "constructed"}, a.out)


if __name__ == "__main__":
    main()
