# A hub on the loopback for the command line's tests.  SPDX-License-Identifier: Apache-2.0
"""
  hub_server.py FOLDER LOG [BEHAVIOUR=VALUE]...   prints its port, serves until its standard input ends

FOLDER is the repository test/model; files in it are served as the hub's own are: *.safetensors and *.bin by SHA-256, the
others by git's SHA-1. LOG gets a line a request: method, path, Range, whether a token came, Host. Behaviours:
  status=N[:SECONDS]  every request is refused, with Retry-After
  once=N              the first request is refused, with Retry-After 1
  fail_data=N         files are refused, the list isn't
  cut=BYTES           each answer with a file ends after so many bytes
  corrupt=1           files come with their first byte changed
  norange=1           Range is ignored
  redirect=1          files are on another host (localhost for 127.0.0.1)
  slow=SECONDS        nothing comes for that long
  name=PATH           the list has a file of this name
  list=TEXT           the list is this text
  longer=1            files are longer than the list says
"""
import hashlib
import http.server
import json
import os
import sys
import threading
import time

folder, log = sys.argv[1:3]
how = dict(a.split("=", 1) for a in sys.argv[3:])
COMMIT = "0123456789abcdef0123456789abcdef01234567"
refused = 0


def entry(path):
    with open(os.path.join(folder, path), "rb") as f:
        data = f.read()
    git = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
    out = {"rfilename": path, "size": len(data), "blobId": git}
    if path.endswith((".safetensors", ".bin")):
        out["lfs"] = {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 134}
    return out


def listing():
    if "list" in how:
        return how["list"].encode()
    paths = sorted(os.path.relpath(os.path.join(d, n), folder) for d, _, names in os.walk(folder) for n in names)
    files = [entry(p) for p in paths]
    if "name" in how:
        files.append(dict(files[0], rfilename=how["name"]))
    return json.dumps({"id": "test/model", "sha": COMMIT, "siblings": files}).encode()


def tree():
    """The other form of the list, that the Python client asks for."""
    files = json.loads(listing())["siblings"]
    return json.dumps([{"type": "file", "path": f["rfilename"], "size": f["size"], "oid": f["blobId"],
                        **({"lfs": {"oid": f["lfs"]["sha256"], "size": f["size"], "pointerSize": 134}}
                           if "lfs" in f else {})} for f in files]).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, status, data=b"", headers=(), length=None):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data) if length is None else length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def file(self, path):
        with open(os.path.join(folder, path), "rb") as f:
            data = f.read()
        info = entry(path)
        tag = info["lfs"]["sha256"] if "lfs" in info else info["blobId"]
        headers = [("ETag", '"%s"' % tag), ("X-Repo-Commit", COMMIT), ("X-Linked-Size", str(len(data))),
                   ("X-Linked-Etag", '"%s"' % tag), ("Accept-Ranges", "bytes")]
        if "corrupt" in how:
            data = bytes([data[0] ^ 1]) + data[1:]
        if "longer" in how:
            data += b"more"
        status, span = 200, self.headers.get("Range")
        if span and "norange" not in how:
            start = int(span[6:].rstrip("-").split("-")[0])
            if start >= len(data):
                return self.answer(416, b"", [("Content-Range", "bytes */%d" % len(data))])
            headers.append(("Content-Range", "bytes %d-%d/%d" % (start, len(data) - 1, len(data))))
            status, data = 206, data[start:]
        cut = int(how.get("cut", 0))
        if cut and cut < len(data):
            self.close_connection = True
            return self.answer(status, data[:cut], headers, len(data))
        return self.answer(status, data, headers)

    def do_GET(self):
        global refused
        token = self.headers.get("Authorization", "-")
        with open(log, "a", encoding="utf-8") as f:
            f.write("%s %s range=%s token=%s host=%s\n" % (self.command, self.path, self.headers.get("Range", "-"),
                                                           token, self.headers.get("Host")))
        time.sleep(float(how.get("slow", 0)))
        if "status" in how:
            code, _, wait = how["status"].partition(":")
            return self.answer(int(code), b"no", [("Retry-After", wait)] if wait else [])
        if "once" in how and not refused:
            refused = 1
            return self.answer(int(how["once"]), b"no", [("Retry-After", "1")])
        if self.path.startswith("/api/models/test/model"):
            form = tree() if "/tree/" in self.path else listing()
            return self.answer(200, form, [("Content-Type", "application/json")])
        path = self.path.split("?")[0].split("/resolve/")[-1].partition("/")[2]
        if not self.path.startswith(("/test/model/resolve/", "/elsewhere/")) or not os.path.isfile(
                os.path.join(folder, path)):
            return self.answer(404, b"no")
        if "fail_data" in how:
            return self.answer(int(how["fail_data"]), b"no")
        if "redirect" in how and not self.path.startswith("/elsewhere/"):
            port = self.server.server_address[1]
            to = "http://localhost:%d/elsewhere%s" % (port, self.path)
            return self.answer(302, b"", [("Location", to)])
        return self.file(path)

    do_HEAD = do_GET


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
