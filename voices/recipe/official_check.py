#!/usr/bin/env python3
"""Load a checkpoint directory with the official qwen-tts classes, generate,
and compare with this recipe's own modules: greedy codes must be equal and the
waves differ by less than 1e-4. With --kztts PROGRAM the same sentences are
spoken by kztts: its codes must equal the official ones, and its waves must be
within the bound of tests/golden.

    official_check.py [--wav DIR] [--kztts build/kztts] [--texts FILE]
                      CHECKPOINT [TEXT ...]

Needs qwen-tts==0.1.1 (installed without its dependencies), transformers==4.57.3,
librosa, soundfile, einops, torch.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import types
import importlib.machinery

import numpy as np
import torch

import codec_model as cm
from lm_model import Talker
from tokenizer import Tokenizer

# "wave" in tests/golden/manifest.json: shares of the largest sample and of the rms
KZTTS_MAX, KZTTS_RMS = 2e-4, 5e-5


class Absent(types.ModuleType):
    """stands for packages that qwen-tts imports but this check never calls"""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(self.__name__ + "." + name)


def absent(*names):
    for n in names:
        try:
            __import__(n)
        except ImportError:
            m = Absent(n)
            m.__spec__ = importlib.machinery.ModuleSpec(n, None)
            m.__path__ = []
            sys.modules[n] = m


def own(path):
    """this recipe's modules with the weights of a checkpoint directory"""
    from safetensors.torch import load_file
    c = json.load(open(os.path.join(path, "config.json")))
    tc = c["talker_config"]
    tc["_pad"] = c["tts_pad_token_id"]
    lm = Talker(tc)
    w = load_file(os.path.join(path, "model.safetensors"))
    lm.load_state_dict({k[7:]: v.float() for k, v in w.items()})
    sc = json.load(open(os.path.join(path, "speech_tokenizer", "config.json")))
    dec = cm.Decoder(sc["decoder_config"])
    w = load_file(os.path.join(path, "speech_tokenizer", "model.safetensors"))
    dec.load_state_dict({k[8:]: v for k, v in w.items()
                         if k.startswith("decoder.")})
    return lm.eval(), dec.eval(), Tokenizer(path), tc


class Official:
    """the official classes, greedy; keeps the codes they make"""

    def __init__(self, path):
        absent("torchaudio", "torchaudio.compliance",
               "torchaudio.compliance.kaldi", "sox", "gradio", "onnxruntime")
        from qwen_tts import Qwen3TTSModel
        self.m = Qwen3TTSModel.from_pretrained(path, dtype=torch.float32)
        self.rec = []
        inner = self.m.model.speech_tokenizer.decode

        def spy(enc, *x, **k):
            self.rec.append(enc)
            return inner(enc, *x, **k)
        self.m.model.speech_tokenizer.decode = spy

    def __call__(self, text, lang, groups):
        self.rec.clear()
        w, rate = self.m.generate_custom_voice(
            text=text, speaker="kazeia", language=lang, do_sample=False,
            subtalker_dosample=False, max_new_tokens=200,
            repetition_penalty=1.0)
        e = self.rec[0][0] if isinstance(self.rec[0], list) else self.rec[0]
        e = e["audio_codes"] if isinstance(e, dict) else e
        e = np.asarray(e.cpu() if torch.is_tensor(e) else e)
        return e.astype(np.int64).reshape(-1, groups), w[0], rate


def speak(kztts, model, text, lang):
    """codes and samples of the kztts program"""
    with tempfile.TemporaryDirectory() as d:
        codes, wave = os.path.join(d, "codes"), os.path.join(d, "wave")
        subprocess.run(
            [kztts, "say", "-q", "-m", model, "-l", lang.lower(), "--greedy",
             "--repeat-penalty", "1", "--codes", codes, "--format", "f32",
             "-o", wave, "--", text], check=True, stdin=subprocess.DEVNULL)
        return (np.loadtxt(codes, np.int64, ndmin=2),
                np.fromfile(wave, np.float32))


def shares(got, want):
    """errors of a wave, relative to its largest sample and to its rms"""
    if len(got) != len(want):
        return float("inf"), float("inf")
    d = got.astype(np.float64) - want

    def rms(x):
        return float(np.sqrt(np.mean(np.square(x, dtype=np.float64))))
    return float(np.abs(d).max() / np.abs(want).max()), rms(d) / rms(want)


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("checkpoint")
    ap.add_argument("--wav", default="")
    ap.add_argument("--kztts", default="", help="the program to compare as well")
    ap.add_argument("--texts", action="append", default=[],
                    help="file of sentences, one a line; may be repeated")
    ap.add_argument("--threads", type=int, default=1)
    ap.add_argument("--hold", default="", help="pause while this file exists")
    ap.add_argument("text", nargs="*")
    a = ap.parse_args()
    torch.set_num_threads(a.threads)
    texts = a.text + [l.strip() for f in a.texts
                      for l in open(f, encoding="utf-8") if l.strip()]
    texts = texts or [
        "Hello, I am Kazeia, and I speak offline on your own computer.",
        "Hello there.", "Your timer is set for ten minutes.",
        "The weather in Paris is sunny and warm today.",
        "Could you open the window, please?",
        "He forgot his keys, so he had to wait outside.",
        "How much does this blue jacket cost?"]
    official = Official(a.checkpoint)
    print("speakers", official.m.model.get_supported_speakers(), "languages",
          official.m.model.get_supported_languages())
    lm, dec, tok, tc = own(a.checkpoint)
    worst, same = 0.0, True
    k_worst, k_same, k_frames, n = np.zeros(2), 0, 0, 0
    for t in texts:
        for lang in ("English", "Auto"):
            while a.hold and os.path.exists(a.hold):
                time.sleep(1)
            codes, wave, rate = official(t, lang, tc["num_code_groups"])
            ids = tok.encode(t)
            pt, pk, _ = tok.prompt(tc, ids, language=lang.lower())
            c2, ended = lm.generate([(pt, pk)], 199)
            with torch.no_grad():
                y = dec(c2[0].T[None])[0].clamp(-1, 1).numpy()
            eq = np.array_equal(codes, c2[0].numpy())
            same &= eq
            d = float(np.abs(y - wave).max()) if len(y) == len(wave) else 9.0
            worst = max(worst, d)
            line = "%-50s %-7s frames %d equal %s wave diff %.2e" % (
                t[:50], lang, len(codes), eq, d)
            if a.kztts:
                kc, kw = speak(a.kztts, a.checkpoint, t, lang)
                eq = np.array_equal(codes, kc)
                k_same, n, k_frames = k_same + eq, n + 1, k_frames + len(codes)
                e = shares(kw, wave)
                k_worst = np.maximum(k_worst, e)
                line += " | kztts equal %s max %.2e rms %.2e" % (eq, *e)
            print(line, flush=True)
            if a.wav:
                import soundfile as sf
                os.makedirs(a.wav, exist_ok=True)
                sf.write(os.path.join(a.wav, "%s_%s.wav" % (
                    "".join(x for x in t[:24] if x.isalnum()), lang)), wave, rate)
    w, sr = official.m.generate_custom_voice(
        text=texts, speaker=["kazeia"] * len(texts),
        language=["English"] * len(texts))
    print("sampled with the checkpoint's own settings: seconds",
          ["%.2f" % (len(x) / sr) for x in w])
    good = same and worst < 1e-4
    print("PASS" if good else "FAIL", "own modules: worst", worst)
    if a.kztts:
        fine = k_same == n and k_worst[0] <= KZTTS_MAX and k_worst[1] <= KZTTS_RMS
        print("PASS" if fine else "FAIL",
              "kztts: codes equal in %d of %d (%d frames), waves differ by at most"
              " %.2e of the largest sample (bound %.0e) and %.2e of the rms"
              " (bound %.0e)" % (k_same, n, k_frames, k_worst[0], KZTTS_MAX,
                                 k_worst[1], KZTTS_RMS))
        good = good and fine
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
