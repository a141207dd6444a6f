#!/usr/bin/env python3
# One cache for kztts and the huggingface_hub package; by hand, not in make check.  SPDX-License-Identifier: Apache-2.0
"""
  pip install huggingface_hub; tests/cli/hub_python.py PROGRAM MODEL_DIR

Against the loopback hub of hub_server.py: what one of the two fetched, the other finds, with the same links and without
a file being fetched again.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

program, model = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
here = os.path.dirname(os.path.abspath(__file__))


def layout(cache):
    """Paths under the model's folder: links with their targets, other files with their bytes."""
    top = pathlib.Path(cache, "models--test--model")
    return {str(p.relative_to(top)): os.readlink(p) if p.is_symlink() else p.read_bytes()
            for part in ("blobs", "refs", "snapshots") for p in (top / part).rglob("*") if p.is_symlink() or p.is_file()}


def kztts(*words):
    subprocess.run([program, *words], check=True, stdout=subprocess.DEVNULL)


def python():
    subprocess.run([sys.executable, "-c", "from huggingface_hub import snapshot_download as s; s('test/model')"],
                   check=True)


with tempfile.TemporaryDirectory() as work:
    log = os.path.join(work, "requests")
    hub = subprocess.Popen([sys.executable, os.path.join(here, "hub_server.py"), model, log], stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE, text=True)
    os.environ.update(HF_ENDPOINT="http://127.0.0.1:" + hub.stdout.readline().strip(), HF_HUB_DISABLE_XET="1")
    layouts = []
    for first, second in ((lambda: kztts("pull", "-q", "test/model"), python), (python, lambda: kztts(
            "pull", "-q", "test/model"))):
        os.environ["HF_HUB_CACHE"] = os.path.join(work, "cache%d" % len(layouts))
        first()
        layouts.append(layout(os.environ["HF_HUB_CACHE"]))
        pathlib.Path(log).write_text("")
        second()
        fetched = [line for line in pathlib.Path(log).read_text().splitlines() if line.startswith("GET /test/")]
        assert not fetched, fetched
        assert layout(os.environ["HF_HUB_CACHE"]) == layouts[-1], "the second changed something"
        pathlib.Path(log).write_text("")
        kztts("info", "-q", "-hf", "test/model")
        assert not pathlib.Path(log).read_text(), "a request though all was there"
    same = layouts[0] == layouts[1]
    print("one cache both ways;", len(layouts[0]), "files,", "the same layout" if same else "other layouts:")
    if not same:
        print(sorted(set(layouts[0]) ^ set(layouts[1])))
    hub.stdin.close()
    sys.exit(not same)
