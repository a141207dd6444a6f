#!/usr/bin/env python3
"""Sound parameters -> codes, and waves for the decoder.

    codes.py --raw raw --out work [--waves 12] [--hold FILE]

1. Codebooks by k-means on whole 80 ms frames (8 slices of 25 cepstra and
   voicing, reduced to 64 principal components): code 0 = first stage, codes
   2..7 = residual stages. Code 1 is the pitch as whole periods per frame,
   KMIN..KMAX (work/cb.pt; made once from the first files).
2. work/codes, work/test: codes [n,8], frames per sentence, win, meta.
3. work/waves: codes with the wave the decoder shall learn, synthesised (dsp.py)
   from the parameters that the codes stand for, for the first --waves files.

Files that exist are not made again; with --watch the corpus may still grow.
"""
import argparse
import glob
import json
import os
import time

import numpy as np
import torch

import dsp

SUB, G, K = dsp.SUB, 8, 512
KMIN, KMAX = 6, 10
DIMS = 64
WV = 1.2                # weight of voicing against one cepstral coefficient
W0 = 0.6                # weight of c0 (loudness)
HOLD = ""


def hold():
    while HOLD and os.path.exists(HOLD):
        time.sleep(1)


def weights():
    w = np.full(dsp.ORDER + 1, 1.0, np.float32)
    w[0], w[dsp.ORDER] = W0, WV
    return w


def feats(mc, v):
    """[n*8,25], [n*8] -> [n,208]"""
    x = np.concatenate([mc, v[:, None]], 1) * weights()
    return x.reshape(-1, SUB * (dsp.ORDER + 1)).astype(np.float32)


def unfeats(x):
    x = x.reshape(-1, dsp.ORDER + 1) / weights()
    return x[:, :dsp.ORDER], np.clip(x[:, dsp.ORDER], 0, 1)


def load(f):
    d = np.load(f)
    return (d["mc"].astype(np.float32), d["v"].astype(np.float32) / 100,
            d["f0"], d["frames"], d["win"], str(d["meta"]))


def periods(f0, frames):
    """whole periods per frame from a smoothed pitch"""
    out, p = [], 0
    for n in frames:
        x = np.pad(np.log(f0[p:p + n]), 1, mode="edge")
        x = np.exp(.25 * x[:-2] + .5 * x[1:-1] + .25 * x[2:])
        out.append(np.clip(np.round(x * .08), KMIN, KMAX))
        p += n
    return np.concatenate(out).astype(np.int64)


def assign(X, C):
    c2 = (C * C).sum(1)
    return torch.cat([(c2 - 2 * x @ C.T).argmin(1) for x in X.split(16384)])


def kmeans(X, it, seed, k):
    g = torch.Generator().manual_seed(seed)
    C = X[torch.randperm(len(X), generator=g)[:k]].clone()
    for i in range(it):
        hold()
        a = assign(X, C)
        n = torch.bincount(a, minlength=k)
        S = torch.zeros_like(C).index_add_(0, a, X)
        C = torch.where(n[:, None] > 0, S / n.clamp(min=1)[:, None], C)
        dead = (n < 3).nonzero()[:, 0]
        if len(dead) and i < it - 2:
            d = ((X - C[a]) ** 2).sum(1)
            C[dead] = X[torch.multinomial(d, len(dead), generator=g)]
    return C


def fit(files, subset=70000):
    mc, v = zip(*[load(f)[:2] for f in files])
    mc, v = np.concatenate(mc), np.concatenate(v)
    mean = mc[mc[:, 0] > 3].mean(0)
    X = torch.from_numpy(feats(mc, v))
    mu = X.mean(0)
    X = X - mu
    g = torch.Generator().manual_seed(1)
    X = X[torch.randperm(len(X), generator=g)[:subset]]
    e, V = torch.linalg.eigh(X.T @ X / len(X))
    V = V.flip(1)[:, :DIMS].contiguous()
    R, B = X @ V, []
    print("variance kept %.4f" % float(R.pow(2).sum() / X.pow(2).sum()))
    for s in range(G - 1):
        C = kmeans(R, 22 if s == 0 else 10, s, K)
        R = R - C[assign(R, C)]
        B.append(C)
        # decibels: a cepstral distance d is 6.14 d dB of log spectrum
        print("stage", s, "residual %.2f dB rms" % (
            6.14 * float((R.pow(2).sum(1).mean() / SUB).sqrt())), flush=True)
    return dict(mu=mu, V=V, B=torch.stack(B), mean=torch.from_numpy(mean))


def encode(mc, v, f0, frames, cb):
    R = (torch.from_numpy(feats(mc, v)) - cb["mu"]) @ cb["V"]
    out = []
    for C in cb["B"]:
        a = assign(R, C)
        R = R - C[a]
        out.append(a)
    k = torch.from_numpy(periods(f0, frames) - KMIN)
    return torch.stack([out[0], k] + out[1:], 1).numpy().astype(np.int16)


def decode_params(codes, cb, stages=None):
    """codes [n,8] -> mc, v, k"""
    c = torch.from_numpy(np.asarray(codes).astype(np.int64))
    cols = [0] + list(range(2, c.shape[1]))
    Y = sum(cb["B"][s][c[:, i]] for s, i in enumerate(cols[:stages]))
    mc, v = unfeats((Y @ cb["V"].T + cb["mu"]).numpy())
    return mc, v, c[:, 1].numpy() + KMIN


def pack(cb, path, groups):
    """codebooks of a checkpoint as a small file for the repository"""
    np.savez(path, B=cb["B"][:groups - 1].numpy().astype(np.float16),
             V=cb["V"].numpy().astype(np.float32), mu=cb["mu"].numpy(),
             mean=cb["mean"].numpy())


def unpack(path):
    d = np.load(path)
    return {k: torch.from_numpy(d[k].astype(np.float32)) for k in d.files}


def save(path, **kw):
    tmp = os.path.join(os.path.dirname(path), "tmp_" + os.path.basename(path))
    np.savez(tmp, **kw)
    os.rename(tmp, path)


def main():
    global HOLD
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--raw", required=True)
    ap.add_argument("--out", required=True)
    ap.add_argument("--codebook", default="",
                    help="codebook.npz of a checkpoint, instead of new ones")
    ap.add_argument("--pack", default="", help="write the codebooks to this file")
    ap.add_argument("--fit", type=int, default=5, help="files for the codebooks")
    ap.add_argument("--waves", type=int, default=12, help="files with waves")
    ap.add_argument("--groups", type=int, default=6, help="used by the decoder")
    ap.add_argument("--exact", action="store_true",
                    help="waves from the parameters before quantisation")
    ap.add_argument("--waves-dir", default="", help="default: OUT/waves")
    ap.add_argument("--flat", type=int, default=0, metavar="K",
                    help="waves with K pitch periods in every frame")
    ap.add_argument("--watch", type=float, default=0, metavar="SECONDS",
                    help="look for new files until none came for so long")
    ap.add_argument("--hold", default="", help="pause while this file exists")
    a = ap.parse_args()
    HOLD = a.hold
    torch.set_num_threads(1)
    torch.manual_seed(0)
    wd = a.waves_dir or os.path.join(a.out, "waves")
    for d in (os.path.join(a.out, "codes"), wd, os.path.join(a.out, "test")):
        os.makedirs(d, exist_ok=True)

    def files():
        return sorted(f for f in glob.glob(os.path.join(a.raw, "t*.npz"))
                      if ".tmp" not in f)
    cp = os.path.join(a.out, "cb.pt")
    if not os.path.exists(cp):
        tr = [f for f in files() if "train_" in f][:a.fit]
        torch.save(unpack(a.codebook) if a.codebook else fit(tr), cp)
    cb = torch.load(cp)
    if a.pack:
        pack(cb, a.pack, a.groups)
        return
    mean = cb["mean"].numpy()
    last = time.time()
    while True:
        for f in files():
            b = os.path.basename(f)
            test = b.startswith("test")
            out = os.path.join(a.out, "test" if test else "codes", b)
            if os.path.exists(out):
                continue
            hold()
            mc, v, f0, frames, win, meta = load(f)
            c = encode(mc, v, f0, frames, cb)
            save(out, codes=c, frames=frames, win=win, meta=meta)
            print(b, "%.2f h" % (len(c) / 45000), flush=True)
            last = time.time()
        n = 0
        for f in files():
            b = os.path.basename(f)
            if b.startswith("test") or n >= a.waves:
                continue
            n += 1
            out = os.path.join(wd, b)
            if os.path.exists(out):
                continue
            mc, v, f0, frames, win, meta = load(f)
            c = np.load(os.path.join(a.out, "codes", b))["codes"]
            k = c[:, 1].astype(int) + KMIN
            if a.flat:                   # the decoder learns to ignore code 1
                k[:] = a.flat
            if not a.exact:
                mc, v, _ = decode_params(c[:, :a.groups], cb)
            w, p = [], 0
            for t in frames:
                hold()
                w.append(dsp.synth(mc[p * SUB:(p + t) * SUB], v[p * SUB:(p + t) * SUB],
                                   k[p:p + t], mean))
                p += t
            w = np.clip(np.round(np.concatenate(w) * 32768), -32767, 32767)
            save(out, codes=c, frames=frames, wave=w.astype(np.int16))
            print("wave", b, flush=True)
            last = time.time()
            break
        else:
            if time.time() - last > a.watch:
                break
            time.sleep(5)


if __name__ == "__main__":
    main()
