#!/usr/bin/env python3
# How many cycles the inner loops for ARM should take, by a model of the cores.  SPDX-License-Identifier: Apache-2.0
"""
  bench/mca.py [--cc COMPILER] [--mca LLVM_MCA] [CORE...]

Compiles the kernels for aarch64 as the build does, finds the loop of each function in LOOPS that does the work, and has
llvm-mca run it: all data in the first cache, all branches foreseen. Cycles are those of one more iteration in the long
run; the limit is what the vector pipes need for the multiply-adds alone. Instructions that a model lacks (oryon-1: prefetches,
conversions) are left out. Needs the packages clang-19 (or another compiler
in --cc), llvm-19 and libc6-dev-arm64-cross, which nothing else here does.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# what, source, flags, function, its multiply-adds, bytes or operations of one of them, unit, lines fetched an iteration (a
# loop of its own inside)
LOOPS = [
    ("q8 matrix-vector, dotprod", "dotprod.c", "+dotprod", "q8_wide_1", r"sdot", 16 * 34 / 32, "byte", 17),
    ("q8, 4 rows, i8mm", "i8mm.c", "+dotprod+i8mm", "q8_wide_4", r"smmla", 64, "op", 3),
    ("k = 7 convolution, 5 rows", "neon.c", "", "mm_F32_wide_5", r"fmla", 8, "op", 0),
]
# cores, and the vector pipes of the model that LLVM has for each
CORES = {"cortex-a720": 2, "cortex-x4": 2, "neoverse-v2": 4, "cortex-x925": 4, "oryon-1": 4}


def assembly(cc, source, extension):
    command = cc.split()
    if "clang" in command[0]:
        command += ["--target=aarch64-linux-gnu", "-isystem", "/usr/aarch64-linux-gnu/include"]
    else:
        command += ["-fno-schedule-insns"]
    command += ["-std=c11", "-O2", "-ffp-contract=off", "-fno-math-errno", "-fPIC", "-DNDEBUG", "-I", TOP + "/src", "-S",
                "-o", "-", TOP + "/src/kernels/arm/" + source]
    if extension:
        command.append("-march=armv8.2-a" + extension)
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def body(text, function):
    found = re.search(r"^%s:[^\n]*\n(.*?)^\s*\.size\s+%s," % (function, function), text, re.S | re.M)
    if not found:
        sys.exit("no function %s" % function)
    lines = [re.sub(r"\s*//.*", "", line).strip() for line in found.group(1).split("\n")]
    return [line for line in lines if line and (not line.startswith(".") or line.endswith(":"))]


def backward(lines):
    """First and last line of each loop."""
    at = {line[:-1]: i for i, line in enumerate(lines) if line.endswith(":")}
    for i, line in enumerate(lines):
        target = re.search(r"\s(\.\w+)$", line)
        if re.match(r"(b\.?\w*|cbn?z|tbn?z)\s", line) and target and at.get(target.group(1), i) < i:
            yield at[target.group(1)], i


def working_loop(lines, operation, n_line):
    """The shortest loop with the most of the operation; one inside it, which fetches lines, n_line times."""
    loops = list(backward(lines))
    a, b = max(loops, key=lambda l: (count(lines[l[0]:l[1]], operation), l[0] - l[1]))
    inside = [(c, d) for c, d in loops if a < c and d < b]
    code = []
    for i in range(a, b + 1):
        fetching = any(c <= i <= d for c, d in inside)
        code += [] if fetching else [lines[i]]
        code += [line for c, d in inside if d == i for line in lines[c:d + 1] * n_line]
    return [line for line in code if not line.endswith(":")]


def count(code, operation):
    return sum(bool(re.match("(%s)\\s" % operation, line)) for line in code)


def cycles(mca, core, code):
    total = []
    with tempfile.NamedTemporaryFile("w", suffix=".s") as f:
        f.write("\n".join(code) + "\n")
        f.flush()
        for n in (200, 400):
            text = subprocess.run([mca, "-mtriple=aarch64", "-mcpu=" + core, "-mattr=+i8mm,+dotprod", "-iterations=%d" % n, "-skip-unsupported-instructions=lack-sched",
                                   f.name], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
            total.append(int(re.search(r"Total Cycles:\s*(\d+)", text).group(1)))
    return (total[1] - total[0]) / 200


def main():
    parser = argparse.ArgumentParser(prog="mca.py")
    parser.add_argument("core", nargs="*", default=list(CORES))
    parser.add_argument("--cc", default="clang-19")
    parser.add_argument("--mca", default="llvm-mca-19")
    args = parser.parse_args()
    print("| loop (%s) | core | cycles an iteration | a unit | limit | of it |\n| --- | --- | --- | --- | --- | --- |" % args.cc)
    for what, source, extension, function, operation, amount, unit, n_line in LOOPS:
        code = working_loop(body(assembly(args.cc, source, extension), function), operation, n_line)
        n = count(code, operation)
        for core in args.core:
            took, least = cycles(args.mca, core, code), n / CORES.get(core, 2)
            print("| %s, %d of %d instructions | %s | %.1f | %.4f a %s | %.4f | %.0f %% |" %
                  (what, n, len(code), core, took, took / (n * amount), unit, least / (n * amount), 100 * least / took))


if __name__ == "__main__":
    main()
