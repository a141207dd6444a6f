"""Minimal byte-level BPE for the checkpoint's own vocabulary, with the place
of every token in the text. Same result as transformers' Qwen2Tokenizer."""
import json
import os
import unicodedata

import regex

SPLIT = regex.compile(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|"
    r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")


class Tokenizer:
    def __init__(self, path):
        self.vocab = json.load(open(os.path.join(path, "vocab.json"),
                                    encoding="utf-8"))
        m = open(os.path.join(path, "merges.txt"), encoding="utf-8").read()
        m = [x for x in m.split("\n") if x and not x.startswith("#version")]
        self.rank = {tuple(x.split(" ")): i for i, x in enumerate(m)}
        cfg = json.load(open(os.path.join(path, "tokenizer_config.json")))
        self.special = {v["content"]: int(k) for k, v in
                        cfg["added_tokens_decoder"].items()}
        keep = (list(range(33, 127)) + list(range(161, 173)) +
                list(range(174, 256)))
        self.byte, n = {}, 0
        for b in range(256):
            if b in keep:
                self.byte[b] = chr(b)
            else:
                self.byte[b] = chr(256 + n)
                n += 1
        self.cache = {}

    def bpe(self, word):
        if word in self.cache:
            return self.cache[word]
        p = [self.byte[b] for b in word.encode("utf-8")]
        while len(p) > 1:
            best = min(range(len(p) - 1), key=lambda i: self.rank.get(
                (p[i], p[i + 1]), 1 << 30))
            pair = (p[best], p[best + 1])
            if pair not in self.rank:
                break
            q, i = [], 0
            while i < len(p):
                if i + 1 < len(p) and (p[i], p[i + 1]) == pair:
                    q.append(p[i] + p[i + 1])
                    i += 2
                else:
                    q.append(p[i])
                    i += 1
            p = q
        self.cache[word] = p
        return p

    def encode(self, text, spans=False):
        text = unicodedata.normalize("NFC", text)
        ids, where = [], []
        for m in SPLIT.finditer(text):
            at = m.start()
            for t in self.bpe(m.group()):
                ids.append(self.vocab[t])
                where.append((at, at + len(t)))   # exact for ASCII text
                at += len(t)
        return (ids, where) if spans else ids

    def prompt(self, c, ids, speaker="kazeia", language="english"):
        """rows of the custom-voice prompt, non-streaming: text and codec ids
        (-1 = none); c is the talker configuration"""
        s, v = self.special, self.vocab
        pad, bos, eos = s["<tts_pad>"], s["<tts_text_bos>"], s["<tts_text_eod>"]
        t = [s["<|im_start|>"], v["assistant"], v[self.byte[10]]]
        k = [-1, -1, -1]
        if language == "auto":
            tags = [c["codec_nothink_id"], c["codec_think_bos_id"],
                    c["codec_think_eos_id"]]
        else:
            tags = [c["codec_think_id"], c["codec_think_bos_id"],
                    c["codec_language_id"][language], c["codec_think_eos_id"]]
        tags.append(c["spk_id"][speaker])
        t += [pad] * len(tags) + [bos]
        k += tags + [c["codec_pad_id"]]
        first = len(t)
        t += list(ids) + [eos, pad]
        k += [c["codec_pad_id"]] * (len(ids) + 1) + [c["codec_bos_id"]]
        return t, k, first
