#!/usr/bin/env python3
"""Does the voice end when it should: kztts's durations against the teacher's.

    lengths.py --kztts build/kztts --texts texts.json [--model DIR] [--n 1000]

Makes N texts of 1 to 40 words (as many of each length) by cutting and joining
held-out sentences, speaks each with the command line and with the teacher
(flite -voice rms), and prints a table: finish reasons, how many are longer than
twice the teacher ("runaway") or shorter than half of it ("early"), and the
median ratio by length. --json keeps the list. Needs the Debian package flite;
no Python packages.
"""
import argparse
import json
import random
import re
import statistics
import subprocess
import sys

RUNAWAY, EARLY, LONGEST = 2.0, 0.5, 40


def make_texts(sentences, n, seed):
    rng = random.Random(seed)
    texts = []
    for i in range(n):
        want, words = i % LONGEST + 1, []
        while len(words) < want:
            words += rng.choice(sentences).split()
        text = re.sub(r"[,;:]$", "", " ".join(words[:want]))
        texts.append(text if text[-1] in ".?!" else text + ".")
    return texts


def teacher_seconds(text):
    out = subprocess.run(
        ["flite", "-voice", "rms", "-psdur", "-t", text, "-o", "none"],
        capture_output=True, text=True, check=True).stdout
    return float(re.findall(r":([0-9.]+)", out)[-1])


def speak(kztts, model, text):
    command = [kztts, "say", "--format", "null"]
    if model:
        command += ["-m", model]
    run = subprocess.run(command + ["--", text], capture_output=True, text=True)
    if run.returncode:
        return dict(audio=0.0, finish="exit %d" % run.returncode)
    last = run.stderr.strip().splitlines()[-1]
    values = dict(re.findall(r"(\w+)=(\S+)", last))
    return dict(audio=float(values["audio"].rstrip("s")), finish=values["finish"])


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--kztts", required=True)
    ap.add_argument("--model")
    ap.add_argument("--texts", required=True, help="texts.json; its test part is used")
    ap.add_argument("--n", type=int, default=1000)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--json")
    a = ap.parse_args()
    with open(a.texts, encoding="utf-8") as f:
        sentences = [t[0] for t in json.load(f)["test"]]
    rows, finish = [], {}
    for text in make_texts(sentences, a.n, a.seed):
        row = dict(speak(a.kztts, a.model, text), text=text, words=len(text.split()),
                   teacher=teacher_seconds(text))
        row["ratio"] = row["audio"] / row["teacher"]
        finish[row["finish"]] = finish.get(row["finish"], 0) + 1
        rows.append(row)
    for low in range(1, LONGEST, 8):
        part = [r["ratio"] for r in rows if low <= r["words"] < low + 8]
        if part:
            print("%2d to %2d words: ratio median %.2f, least %.2f, most %.2f" % (
                low, low + 7, statistics.median(part), min(part), max(part)))
    runaway = [r for r in rows if r["ratio"] > RUNAWAY]
    early = [r for r in rows if r["ratio"] < EARLY]
    for name, part in (("runaway", runaway), ("early", early)):
        for r in part[:20]:
            print("%s %.2f %s" % (name, r["ratio"], r["text"]))
    print("%d texts: finish %s, runaway %d, early %d (%.1f %%)" % (
        len(rows), finish, len(runaway), len(early), 100.0 * len(early) / len(rows)))
    if a.json:
        with open(a.json, "w", encoding="utf-8") as f:
            json.dump(rows, f, indent=1)
    return 1 if runaway or len(early) * 100 > len(rows) else 0


if __name__ == "__main__":
    sys.exit(main())
