#!/usr/bin/env python3
# test_long_text.py: ten thousand words in one call.  SPDX-License-Identifier: Apache-2.0
"""
  tests/slow/test_long_text.py [WORDS (10000)]     the program in KZTTS, the sources in KZ_SOURCE_DIR

Memory stays within 20 MB of that after the first minute of sound, the pace of the last quarter within 20 % of the first one's,
no step of the signal at a seam is above the 99.9th percentile of those inside sentences, subtitles are in order and
end with the sound.
"""
import array
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import wave

MEMORY = 20e6  # bytes
PACE = 0.2
SEAM = 0.03  # seconds before and behind
sys.dont_write_bytecode = True


def resident(pid):
    try:
        with open(f"/proc/{pid}/statm") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except (OSError, IndexError):
        return 0


def seconds_written(folder):
    sizes = []
    for entry in os.scandir(folder):
        if ".wav" in entry.name:
            sizes.append(entry.stat().st_size)
    return max(sizes, default=0) / 48000


def speak(program, model, folder):
    """Samples of (seconds of sound, bytes in memory) while it speaks."""
    name = os.path.join(folder, "long")
    command = [program, "say", "-q", "-m", model, "-f", name + ".txt", "-o", name + ".wav", "--srt", name + ".srt",
               "--json-timing", name + ".json"]
    seen = []
    process = subprocess.Popen(command)
    while process.poll() is None:
        seen.append((seconds_written(folder), resident(process.pid)))
        time.sleep(0.2)
    assert process.returncode == 0, f"exit code {process.returncode}"
    return seen


def check_memory(seen):
    bytes_ = [b for s, b in seen[:-1] if s > 60 and b] # at the last one it may be on its way out
    if not bytes_:
        return print("memory: can't be seen here, or the text is too short")
    print(f"memory: {bytes_[0] / 1e6:.1f} MB after a minute, then {min(bytes_) / 1e6:.1f} to {max(bytes_) / 1e6:.1f}, "
          f"{len(bytes_)} samples")
    assert max(abs(b - bytes_[0]) for b in bytes_) <= MEMORY, "memory isn't flat"


def check_pace(sentences):
    quarter = len(sentences) // 4
    first, last = ([sum(len(s["text"]) for s in q) / sum(s["end"] - s["begin"] for s in q)
                    for q in (sentences[:quarter], sentences[-quarter:])])
    print(f"pace: {first:.2f} characters a second in the first quarter, {last:.2f} in the last")
    assert abs(last - first) <= PACE * first, "the pace changes"


def check_seams(pcm, rate, sentences):
    inside, at_seams = [], []
    for a, b in zip(sentences, sentences[1:]):
        if a["begin"] < a["end"]:
            part = pcm[int(a["begin"] * rate) + rate // 10:int(a["end"] * rate) - rate // 10]
            inside += [abs(y - x) for x, y in zip(part[::7], part[1::7])]
        if not b["exact"]: # a border inside a chunk: nothing was joined there
            continue
        for at in (a["end"], b["begin"]):
            part = pcm[int((at - SEAM) * rate):int((at + SEAM) * rate)]
            at_seams += [abs(y - x) for x, y in zip(part, part[1:])]
    inside.sort()
    limit, most = inside[len(inside) * 999 // 1000], max(at_seams, default=0)
    print(f"steps: 99.9 % of those inside sentences up to {limit}, at seams up to {most} of 32768")
    assert most <= limit, "a seam clicks"


def stamp(text):
    h, m, s = text.split(":")
    return int(h) * 3600 + int(m) * 60 + float(s.replace(",", "."))


def check_subtitles(path, duration):
    with open(path, encoding="utf-8") as f:
        cues = re.findall(r"^(\d+)\n(\S+) --> (\S+)$", f.read(), re.M)
    now = 0
    for i, (number, begin, end) in enumerate(cues):
        assert int(number) == i + 1 and now <= stamp(begin) <= stamp(end), f"cue {number} is out of order"
        now = stamp(end)
    print(f"subtitles: {len(cues)} cues, the last one ends at {now:.3f} s of {duration:.3f}")
    assert cues and now <= duration + 0.0005, "subtitles end behind the sound"


def main():
    words = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
    top = os.environ["KZ_SOURCE_DIR"]
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "long")
        with open(name + ".txt", "w", encoding="utf-8") as f:
            subprocess.run([sys.executable, os.path.join(top, "bench/sentences.py"), "--words", str(words)], stdout=f,
                           check=True)
        seen = speak(os.environ["KZTTS"], os.path.join(top, "voices/kazeia-mini"), folder)
        with wave.open(name + ".wav", "rb") as f:
            rate, pcm = f.getframerate(), array.array("h", f.readframes(f.getnframes()))
        with open(name + ".json", encoding="utf-8") as f:
            timing = json.load(f)
        print(f"{words} words: {len(pcm) / rate:.1f} s of sound, {len(timing['sentences'])} sentences")
        check_memory(seen)
        check_pace(timing["sentences"])
        check_seams(pcm, rate, timing["sentences"])
        check_subtitles(name + ".srt", len(pcm) / rate)


if __name__ == "__main__":
    main()
