#!/usr/bin/env python3
"""Load a checkpoint directory with the official qwen-tts classes, generate,
and compare with this recipe's own modules: greedy codes must be equal and the
waves differ by less than 1e-4.

    official_check.py [--wav DIR] CHECKPOINT [TEXT ...]

Needs qwen-tts==0.1.1 (installed without its dependencies), transformers==4.57.3,
librosa, soundfile, einops, torch.
"""
import argparse
import json
import os
import sys
import types
import importlib.machinery

import numpy as np
import torch

import codec_model as cm
from lm_model import Talker
from tokenizer import Tokenizer


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


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("checkpoint")
    ap.add_argument("--wav", default="")
    ap.add_argument("--threads", type=int, default=1)
    ap.add_argument("text", nargs="*")
    a = ap.parse_args()
    torch.set_num_threads(a.threads)
    texts = a.text or [
        "Hello, I am Kazeia, and I speak offline on your own computer.",
        "Hello there.", "Your timer is set for ten minutes.",
        "The weather in Paris is sunny and warm today.",
        "Could you open the window, please?",
        "He forgot his keys, so he had to wait outside.",
        "How much does this blue jacket cost?"]
    absent("torchaudio", "torchaudio.compliance", "torchaudio.compliance.kaldi",
           "sox", "gradio", "onnxruntime")
    from qwen_tts import Qwen3TTSModel
    m = Qwen3TTSModel.from_pretrained(a.checkpoint, dtype=torch.float32)
    print("speakers", m.model.get_supported_speakers(), "languages",
          m.model.get_supported_languages())
    lm, dec, tok, tc = own(a.checkpoint)
    worst, same = 0.0, True
    rec = []
    inner = m.model.speech_tokenizer.decode

    def spy(enc, *x, **k):
        rec.append(enc)
        return inner(enc, *x, **k)
    m.model.speech_tokenizer.decode = spy
    for t in texts:
        for lang in ("English", "Auto"):
            rec.clear()
            w, sr = m.generate_custom_voice(
                text=t, speaker="kazeia", language=lang, do_sample=False,
                subtalker_dosample=False, max_new_tokens=200,
                repetition_penalty=1.0)
            e = rec[0][0] if isinstance(rec[0], list) else rec[0]
            e = e["audio_codes"] if isinstance(e, dict) else e
            codes = torch.as_tensor(np.asarray(e.cpu() if torch.is_tensor(e) else e)).long()
            codes = codes.reshape(-1, tc["num_code_groups"])
            ids = tok.encode(t)
            pt, pk, _ = tok.prompt(tc, ids, language=lang.lower())
            c2, ended = lm.generate([(pt, pk)], 199)
            with torch.no_grad():
                y = dec(c2[0].T[None])[0].clamp(-1, 1).numpy()
            eq = codes.shape == c2[0].shape and bool((codes == c2[0]).all())
            same &= eq
            d = float(np.abs(y - w[0]).max()) if len(y) == len(w[0]) else 9.0
            worst = max(worst, d)
            print("%-50s %-7s frames %d equal %s wave diff %.2e" % (
                t[:50], lang, len(codes), eq, d))
            if a.wav:
                import soundfile as sf
                os.makedirs(a.wav, exist_ok=True)
                sf.write(os.path.join(a.wav, "%s_%s.wav" % (
                    "".join(x for x in t[:24] if x.isalnum()), lang)), w[0], sr)
    w, sr = m.generate_custom_voice(text=texts, speaker=["kazeia"] * len(texts),
                                    language=["English"] * len(texts))
    print("sampled with the checkpoint's own settings: seconds",
          ["%.2f" % (len(x) / sr) for x in w])
    print("PASS" if same and worst < 1e-4 else "FAIL", "worst", worst)


if __name__ == "__main__":
    main()
