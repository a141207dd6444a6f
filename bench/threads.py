#!/usr/bin/env python3
# How threads gain, and what they lose where cores are busy.  SPDX-License-Identifier: Apache-2.0
"""
  bench/threads.py [--kztts PROGRAM] [-m MODEL] [--quant TYPES] [--rounds N] [--frames N]

Runs `kztts bench` with one thread, one a core, and four a core; then with one a core while other processes of the same session
spin, one on the first core, then one on each. The conditions take turns, so that a machine's moods meet all of them; printed are
medians and ratios. Linux.
"""
import argparse
import json
import os
import signal
import statistics
import subprocess

STAGES = ["prefill_ms", "talker_ms", "predictor_ms", "codec_ms"]


def spin(core):
    """A process that uses a core at normal priority. It stays in this session: schedulers share time out by sessions."""
    pid = os.fork()
    if pid == 0:
        os.sched_setaffinity(0, {core})
        while True:
            pass
    return pid


def measure(args, threads, busy):
    spinners = [spin(core) for core in busy]
    command = [args.kztts, "bench", "-t", str(threads), "-r", "1", "--max-frames", str(args.frames), "-o",
               "jsonl"]
    command += ["-m", args.model] if args.model else []
    command += ["--quant", args.quant] if args.quant else []
    try:
        row = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    finally:
        for pid in spinners:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    times = {name: row[name]["median"] for name in STAGES}
    times["all"] = sum(times[name] for name in STAGES[1:])
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[-4])
    parser.add_argument("--kztts", default="kztts")
    parser.add_argument("-m", "--model")
    parser.add_argument("--quant")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--frames", type=int, default=20)
    args = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    n = len(cores)
    conditions = [("1 thread", 1, []), (f"{n} threads", n, []), (f"{4 * n} threads", 4 * n, []),
                  (f"{n} threads, one core busy", n, cores[:1]), (f"{n} threads, all busy", n, cores)]
    samples = [[] for _ in conditions]
    for turn in range(args.rounds):
        for i in range(len(conditions)) if turn % 2 == 0 else reversed(range(len(conditions))):
            samples[i].append(measure(args, *conditions[i][1:]))
    columns = STAGES + ["all"]
    median = [{c: statistics.median(s[c] for s in sample) for c in columns} for sample in samples]
    print("| condition |" + "".join(f" {c.replace('_ms', '')} ms | x |" for c in columns))
    print("| --- |" + " --- | --- |" * len(columns))
    for (name, _, _), m in zip(conditions, median):
        print(f"| {name} |" + "".join(f" {m[c]:.2f} | {m[c] / median[1][c]:.2f} |" for c in columns))


if __name__ == "__main__":
    main()
