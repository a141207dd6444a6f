"""Align the letters of a word with the teacher's sounds (ARPAbet)."""
VOWELS = set("aa ae ah ao aw ax axr ay eh er ey ih iy ow oy uh uw".split())
LETTERS = {
    "b": "b", "ch": "ct", "d": "d", "dh": "t", "dx": "td", "f": "fp", "g": "gx",
    "hh": "hw", "jh": "jgd", "k": "kcqx", "l": "l", "m": "m", "n": "nk",
    "ng": "n", "p": "p", "r": "r", "s": "scxz", "sh": "sctz", "t": "td",
    "th": "t", "v": "vf", "w": "wuo", "y": "yu", "z": "zsx", "zh": "szg",
    "er": "eiroua", "ow": "o", "uw": "uow", "ao": "oa", "ay": "iy", "ey": "ae",
    "iy": "eiy", "oy": "o",
}


def cost(ch, ph):
    if ph in LETTERS and ch in LETTERS[ph]:
        return 0.0
    if ch in "aeiouy" and ph in VOWELS:
        return 0.15
    return 1.0


def align(word, phones):
    """-> for every phone the (first, last) letter it belongs to"""
    n, m = len(word), len(phones)
    dele = [0.3 if c in "aeiouhwgy'" else 0.5 for c in word]
    if n:
        dele[-1] = 0.25 if word[-1] == "e" else dele[-1]
    D = [[0.0] * (m + 1) for _ in range(n + 1)]
    B = [[0] * (m + 1) for _ in range(n + 1)]
    for j in range(1, m + 1):
        D[0][j], B[0][j] = j * 0.6, 2
    for i in range(1, n + 1):
        D[i][0], B[i][0] = D[i - 1][0] + dele[i - 1], 1
        for j in range(1, m + 1):
            best, w = D[i - 1][j - 1] + cost(word[i - 1], phones[j - 1]), 0
            x = D[i - 1][j] + dele[i - 1]
            if x < best:
                best, w = x, 1
            x = D[i][j - 1] + 0.6
            if x < best:
                best, w = x, 2
            D[i][j], B[i][j] = best, w
    lo, hi = [None] * m, [None] * m
    i, j = n, m
    while i or j:
        w = B[i][j]
        if w == 0:
            i, j = i - 1, j - 1
            lo[j] = i
            hi[j] = i if hi[j] is None else hi[j]
        elif w == 1:
            i -= 1
        else:
            j -= 1
            if lo[j] is None:
                lo[j] = hi[j] = max(i - 1, 0)
    # silent letters belong to the sound before them
    for j in range(m):
        nxt = lo[j + 1] if j + 1 < m else n
        hi[j] = max(hi[j], min(nxt - 1, hi[j] + 2))
        lo[j] = min(lo[j], hi[j])
    return list(zip(lo, hi))
