# 16 bit is floor(x * 32768), saturated.  SPDX-License-Identifier: Apache-2.0
command -v python3 >/dev/null || skip "no python3"
say -o a.f32 hello
say -o a.pcm hello
python3 - <<'END'
import math, struct
f = open("a.f32", "rb").read()
s = open("a.pcm", "rb").read()
n = len(s) // 2
for x, got in zip(struct.unpack(f"<{n}f", f), struct.unpack(f"<{n}h", s)):
    want = max(-32768, min(32767, math.floor(x * 32768)))
    assert want == got, (x, got, want)
END
