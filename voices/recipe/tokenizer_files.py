#!/usr/bin/env python3
"""Write the small text tokenizer (Qwen2 format): vocab.json, merges.txt,
tokenizer_config.json.

    tokenizer_files.py --out tok

Letters stay letters, so that a small model can learn to pronounce from little
text. The few merges join letters that make one sound (th, sh, ng, tion), a
space with the first letter of a word, and what the chat template needs:
"assistant" must be one token. The special tokens have the names and the order
of the released models and follow the vocabulary.
"""
import argparse
import json
import os

DIGRAPHS = ("th sh ch wh ph ck ng qu gh kn wr "
            "ee oo ea ou ow ai ay oa oi oy au aw ew ie "
            "er ar or ir ur "
            "ss ll tt ff pp rr nn mm cc dd gg bb "
            "Th Sh Ch Wh Ph Qu").split()
CHAINS = ["i o", "io n", "t ion", "s ion", "i ng", "t ch", "ea r", "i gh",
          "ou gh", "au gh"]
TWO = "th sh ch wh ph qu kn wr ea ou ar or er ai au".split()
# one token for the template word; its parts are rare elsewhere
ASSISTANT = ["ss i", "a ssi", "assi s", "assis t", "assist a", "assista n",
             "assistan t"]
G = "\u0120"      # the byte-level sign of a space
SPECIAL = ("<|endoftext|> <|im_start|> <|im_end|> <|object_ref_start|> "
           "<|object_ref_end|> <|box_start|> <|box_end|> <|quad_start|> "
           "<|quad_end|> <|vision_start|> <|vision_end|> <|vision_pad|> "
           "<|image_pad|> <|video_pad|> <tool_call> </tool_call> "
           "<|fim_prefix|> <|fim_middle|> <|fim_suffix|> <|fim_pad|> "
           "<|repo_name|> <|file_sep|> <tool_response> </tool_response> "
           "<think> </think> <|audio_start|> <|audio_end|> <tts_pad> "
           "<tts_text_bos> <tts_text_eod> <tts_text_bos_single> "
           "<|audio_pad|>").split()
PLAIN = set("<tool_call> </tool_call> <|fim_prefix|> <|fim_middle|> "
            "<|fim_suffix|> <|fim_pad|> <|repo_name|> <|file_sep|> "
            "<tool_response> </tool_response> <think> </think>".split())


def byte_alphabet():
    keep = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
    table, n = {}, 0
    for b in range(256):
        table[b] = chr(b) if b in keep else chr(256 + n)
        n += b not in keep
    return table


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--out", required=True)
    a = ap.parse_args()
    order = sorted(byte_alphabet().values())
    merges = [d[0] + " " + d[1:] for d in DIGRAPHS] + CHAINS
    merges += [G + " " + t for t in TWO]
    merges += [G + " " + s for s in "abcdefghijklmnopqrstuvwxyz"]
    merges += ASSISTANT
    vocab = {}
    for t in order + [m.replace(" ", "") for m in merges]:
        vocab.setdefault(t, len(vocab))
    added = {str(len(vocab) + i): {
        "content": s, "lstrip": False, "normalized": False, "rstrip": False,
        "single_word": False, "special": s not in PLAIN}
        for i, s in enumerate(SPECIAL)}
    cfg = {
        "add_bos_token": False, "add_prefix_space": False,
        "added_tokens_decoder": added,
        "additional_special_tokens": [s for s in SPECIAL[1:] if s not in PLAIN],
        "audio_bos_token": "<|audio_start|>", "audio_eos_token": "<|audio_end|>",
        "audio_token": "<|audio_pad|>", "bos_token": None,
        "clean_up_tokenization_spaces": False, "eos_token": "<|im_end|>",
        "errors": "replace", "model_max_length": 131072,
        "pad_token": "<|endoftext|>", "split_special_tokens": False,
        "tokenizer_class": "Qwen2Tokenizer", "unk_token": None}
    os.makedirs(a.out, exist_ok=True)
    with open(os.path.join(a.out, "vocab.json"), "w", encoding="utf-8") as f:
        json.dump(vocab, f, ensure_ascii=False, separators=(",", ":"))
    with open(os.path.join(a.out, "merges.txt"), "w", encoding="utf-8") as f:
        f.write("".join(m + "\n" for m in merges))
    with open(os.path.join(a.out, "tokenizer_config.json"), "w") as f:
        json.dump(cfg, f, ensure_ascii=False, indent=2)
    print(len(vocab), "base tokens,", len(merges), "merges,",
          len(vocab) + len(SPECIAL), "in all")


if __name__ == "__main__":
    main()
