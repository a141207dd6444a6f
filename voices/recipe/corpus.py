#!/usr/bin/env python3
"""Sentences -> sound parameters on the codec's time grid.

    corpus.py --durations durations.json --texts texts.json     (once)
    corpus.py --texts texts.json --durations durations.json --out raw
              [--set train] [--limit N] [--worker 0/1]

The teacher's parameters are read directly (teacher.py). Its timing is replaced
by a much simpler one, so that a small model can learn it: the length of a sound
depends only on the sound, its stress and whether its phrase ends. A vowel fills
whole codec frames of 80 ms, and so do the consonants between two vowels
together; --grid 40 and --grid 0 exist for comparison. The teacher's parameters
are stretched to that timing sound by sound. Voicing is decided by the class of
the sound.

Output: npz files of 500 sentences: mc [n,25] float16 and v [n] uint8 (percent)
per 10 ms slice, f0 [frames], frames per sentence, win [frames,2] (first and
last letter spoken in a frame), meta (JSON list of [text, kind]). Files that
exist are not made again.
"""
import argparse
import json
import os
import time

import numpy as np

import dsp
from align import VOWELS, align
from teacher import Teacher

UNVOICED = set("p t k f th s sh ch hh".split())
MIXED = {"z": .35, "zh": .35, "v": .5, "dh": .6, "jh": .3, "b": .8, "d": .7,
         "g": .75}
PACE, PAUSE, BEGIN, END = 1.1, 2, 1, 2          # pauses in frames
# what the teacher is given for words its lexicon does not know well
RESPELL = {"kazeia": "kazaya"}


def voicing(p):
    if p == "pau" or p in UNVOICED:
        return 0.0
    return MIXED.get(p, 1.0)


def respell(text):
    for a, b in RESPELL.items():
        i = text.lower().find(a)
        while i >= 0:
            text = text[:i] + b + text[i + len(a):]
            i = text.lower().find(a)
    return text


def klass(seg, i):
    """key of the duration table"""
    p, _, _, w, stress = seg[i]
    last = True
    for q in seg[i + 1:]:
        if q[0] == "pau":
            break
        if q[0] in VOWELS:
            last = False
            break
    v = p in VOWELS
    return "%s%s%s" % (p, ("1" if stress else "0") if v else "",
                       "$" if last else "")


def durations(T, texts, n=3000):
    got = {}
    for t in texts[:n]:
        s = T(t)["seg"]
        for i, q in enumerate(s):
            if q[0] != "pau":
                got.setdefault(klass(s, i), []).append(q[2] - q[1])
    return {k: round(float(np.median(v)), 4) for k, v in sorted(got.items())
            if len(v) > 3}


def plan(seg, table, grid):
    """new (start, end) of every sound, in 10 ms slices"""
    d = []
    for i, (p, a, b, _, _) in enumerate(seg):
        d.append(table.get(klass(seg, i), b - a) * PACE)
    out, t, i, n = [], 0, 0, len(seg)
    while i < n:
        p = seg[i][0]
        if p == "pau":
            k = BEGIN if i == 0 else END if i == n - 1 else PAUSE
            out.append((t, t + k * 8))
            t += k * 8
            i += 1
            continue
        if grid == 0:                       # the teacher's own timing
            e = max(t + 1, t + int(round((seg[i][2] - seg[i][1]) * 100)))
            out.append((t, e))
            t = e
            i += 1
            continue
        if grid == 40:
            e = t + 4 * max(1, int(round(d[i] / .04)))
            out.append((t, e))
            t = e
            i += 1
            continue
        j = i + 1
        if p not in VOWELS:
            while j < n and seg[j][0] not in VOWELS and seg[j][0] != "pau":
                j += 1
        s = sum(d[i:j])
        f = max(1, int(round(s / .08 + 1e-6)), (j - i + 1) // 2)
        if p in VOWELS:
            f = min(f, 3)
        c = np.cumsum([0] + d[i:j]) / s
        b = np.round(c * f * 8).astype(int)
        for q in range(1, j - i):           # at least 30 ms each
            b[q] = max(b[q], b[q - 1] + 3)
        for q in range(j - i - 1, 0, -1):
            b[q] = min(b[q], b[q + 1] - 3)
        out += [(t + int(b[q]), t + int(b[q + 1])) for q in range(j - i)]
        t += f * 8
        i = j
    if t % 8:
        a, b = out[-1]
        out[-1] = (a, b + (-t % 8))
    return out


def letters(text, o, cache={}):
    """(first, last) letter of every sound"""
    low, at, place = text.lower(), 0, []
    spoken = respell(text).lower() != low
    for w in o["words"]:
        names = [w] + ([a for a, b in RESPELL.items() if b == w] if spoken else [])
        best = None
        for x in names:
            p = low.find(x, at)
            if p >= 0 and (best is None or p < best[0]):
                best = (p, len(x))
        if best is None or best[0] > at + 12:
            while at < len(low) and not low[at].isalnum():
                at += 1
            e = at
            while e < len(low) and (low[e].isalnum() or low[e] == "'"):
                e += 1
            best = (at, max(1, e - at))
        place.append(best)
        at = best[0] + best[1]
    out, i, seg = [None] * len(o["seg"]), 0, o["seg"]
    while i < len(seg):
        w = seg[i][3]
        if w < 0:
            i += 1
            continue
        j = i
        while j < len(seg) and seg[j][3] == w:
            j += 1
        p, n = place[w]
        key = (low[p:p + n], tuple(q[0] for q in seg[i:j]))
        if key not in cache:
            cache[key] = align(*key)
        for q, (a, b) in enumerate(cache[key]):
            out[i + q] = (p + a, p + b)
        i = j
    last = 0
    for i in range(len(seg)):
        if out[i] is None:
            if i == len(seg) - 1:
                out[i] = (len(text) - 1, len(text) - 1)
            elif i == 0:
                out[i] = (0, 0)
            else:                            # the mark that makes the pause
                q = min(last + 1, len(text) - 1)
                out[i] = (q, q)
        last = max(last, out[i][1])
    return out


def make(T, text, table, grid=80, wave=False):
    o = T(respell(text), wave)
    seg = o["seg"]
    new = plan(seg, table, grid)
    n = new[-1][1]
    mc = np.empty((n, dsp.ORDER), np.float32)
    v = np.zeros(n, np.float32)
    f0 = np.zeros(n, np.float32)
    win = np.full((n // 8, 2), -1, np.int64)
    src_f = o["f0"]
    ok = np.nonzero(src_f > 0)[0]
    lf = (np.interp(np.arange(len(src_f)), ok, np.log(src_f[ok])) if len(ok)
          else np.full(len(src_f), np.log(100.)))
    x = np.arange(len(o["mc"]))
    for (p, a, b, _, _), (s, e), (l0, l1) in zip(seg, new, letters(text, o)):
        if e > s:
            c = (a + (np.arange(e - s) + .5) / (e - s) * (b - a)) / .005 - .5
            c = np.clip(c, a / .005, max(a / .005, b / .005 - 1))
            if p == "pau":
                mc[s:e] = dsp.SILENCE
            else:
                i = np.clip(np.floor(c).astype(int), 0, len(x) - 2)
                f = (c - i)[:, None]
                mc[s:e] = o["mc"][i] * (1 - f) + o["mc"][i + 1] * f
            f0[s:e] = np.interp(c, x, lf)
            v[s:e] = voicing(p)
        for t in range(s // 8, min((e + 7) // 8, len(win))):
            if win[t, 0] < 0:
                win[t] = l0, l1
            else:
                win[t] = min(win[t, 0], l0), max(win[t, 1], l1)
    f0 = np.exp(f0.reshape(-1, 8).mean(1))
    o.update(gmc=mc, gv=v, gf0=f0, win=win, new=new)
    return o


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--texts", required=True)
    ap.add_argument("--durations", required=True,
                    help="table of sound lengths; made if it does not exist")
    ap.add_argument("--out")
    ap.add_argument("--set", default="train")
    ap.add_argument("--limit", type=int, default=0)
    ap.add_argument("--worker", default="0/1")
    ap.add_argument("--grid", type=int, default=80, choices=[0, 40, 80])
    ap.add_argument("--max-frames", type=int, default=130)
    ap.add_argument("--hold", default="", help="pause while this file exists")
    a = ap.parse_args()
    T = Teacher()
    items = json.load(open(a.texts))
    if not os.path.exists(a.durations):
        json.dump(durations(T, [t for t, _ in items["train"]]),
                  open(a.durations, "w"), indent=0, sort_keys=True)
    if not a.out:
        return
    table = json.load(open(a.durations))
    items = items[a.set]
    if a.limit:
        items = items[:a.limit]
    me, of = map(int, a.worker.split("/"))
    os.makedirs(a.out, exist_ok=True)
    t0, hours = time.time(), 0.0
    for nb, s in enumerate(range(0, len(items), 500)):
        if nb % of != me:
            continue
        path = os.path.join(a.out, "%s_%04d.npz" % (a.set, nb))
        if os.path.exists(path):
            continue
        got = []
        for text, kind in items[s:s + 500]:
            while a.hold and os.path.exists(a.hold):
                time.sleep(1)
            o = make(T, text, table, a.grid)
            if len(o["win"]) <= a.max_frames:
                got.append((o, text, kind))
        np.savez(path + ".tmp.npz",
                 mc=np.concatenate([o["gmc"] for o, _, _ in got]).astype(np.float16),
                 v=(np.concatenate([o["gv"] for o, _, _ in got]) * 100).astype(np.uint8),
                 f0=np.concatenate([o["gf0"] for o, _, _ in got]).astype(np.float32),
                 frames=np.array([len(o["win"]) for o, _, _ in got]),
                 win=np.concatenate([o["win"] for o, _, _ in got]).astype(np.int16),
                 meta=json.dumps([[t, k] for _, t, k in got]))
        os.rename(path + ".tmp.npz", path)
        hours += sum(len(o["win"]) for o, _, _ in got) / 45000
        print(os.path.basename(path), "hours %.2f, %.0f times real time" % (
            hours, hours * 3600 / (time.time() - t0)), flush=True)


if __name__ == "__main__":
    main()
