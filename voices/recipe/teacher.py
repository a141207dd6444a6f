"""The teacher: flite's clustergen voice `rms`, through its shared libraries.

flite computes, for every 5 ms, a pitch, 25 mel-cepstral coefficients and the
strengths of five excitation bands, and makes sound from them at the very end.
This module reads those parameters (and the sounds, words and times they belong
to) directly, so nothing has to be estimated from a wave. Needs the libraries of
the Debian package libflite1 (package flite depends on it); no compiler.

    python teacher.py "Some text."      prints the sounds with their end times
"""
import ctypes as C
import sys

import numpy as np

ALPHA = 0.42          # replaced by the voice's own value
ORDER = 25            # coefficients c0..c24
NSTR = 5              # bands of excitation strength


class Track(C.Structure):
    _fields_ = [("type", C.c_char_p), ("num_frames", C.c_int),
                ("num_channels", C.c_int), ("times", C.POINTER(C.c_float)),
                ("frames", C.POINTER(C.POINTER(C.c_float)))]


P = C.c_void_p


class DB(C.Structure):
    _fields_ = [
        ("name", C.c_char_p), ("types", P), ("num_types", C.c_int),
        ("sample_rate", C.c_int), ("f0_mean", C.c_float),
        ("f0_stddev", C.c_float), ("num_f0_models", C.c_int),
        ("f0_trees", P), ("num_param_models", C.c_int), ("param_trees", P),
        ("spamf0_accent_tree", P), ("spamf0_phrase_tree", P),
        ("num_channels", P), ("num_frames", P), ("model_vectors", P),
        ("num_channels_spamf0_accent", C.c_int),
        ("num_frames_spamf0_accent", C.c_int), ("spamf0_accent_vectors", P),
        ("model_min", P), ("model_range", P), ("qtable", P),
        ("model_shape", C.c_int), ("frame_advance", C.c_float),
        ("num_dur_models", C.c_int), ("dur_stats", P), ("dur_cart", P),
        ("phone_states", P), ("do_mlpg", C.c_int), ("dynwin", P),
        ("dynwinsize", C.c_int), ("mlsa_alpha", C.c_float),
        ("mlsa_beta", C.c_float), ("multimodel", C.c_int),
        ("mixed_excitation", C.c_int), ("ME_num", C.c_int),
        ("ME_order", C.c_int), ("me_h", P), ("spamf0", C.c_int),
        ("gain", C.c_float)]


class Utt(C.Structure):
    _fields_ = [("features", P), ("relations", P), ("ctx", P)]


class Wave(C.Structure):
    _fields_ = [("type", C.c_char_p), ("sample_rate", C.c_int),
                ("num_samples", C.c_int), ("num_channels", C.c_int),
                ("samples", C.POINTER(C.c_short))]


def _load():
    flags = C.RTLD_GLOBAL
    f = C.CDLL("libflite.so.1", flags)
    C.CDLL("libflite_usenglish.so.1", flags)
    C.CDLL("libflite_cmulex.so.1", flags)
    v = C.CDLL("libflite_cmu_us_rms.so.1", flags)
    sig = {
        "flite_init": (C.c_int, []),
        "flite_synth_text": (P, [C.c_char_p, P]),
        "delete_utterance": (None, [P]),
        "utt_relation": (P, [P, C.c_char_p]),
        "relation_head": (P, [P]),
        "item_next": (P, [P]),
        "item_feat_string": (C.c_char_p, [P, C.c_char_p]),
        "item_feat_float": (C.c_float, [P, C.c_char_p]),
        "path_to_item": (P, [P, C.c_char_p]),
        "feat_val": (P, [P, C.c_char_p]),
        "val_track": (C.POINTER(Track), [P]),
        "val_cg_db": (C.POINTER(DB), [P]),
        "mlpg": (C.POINTER(Track), [P, P]),
        "delete_track": (None, [P]),
        "utt_wave": (C.POINTER(Wave), [P]),
    }
    for n, (r, a) in sig.items():
        fn = getattr(f, n)
        fn.restype, fn.argtypes = r, a
    v.register_cmu_us_rms.restype = P
    v.register_cmu_us_rms.argtypes = [C.c_char_p]
    return f, v


def _array(t):
    t = t.contents
    return np.array([np.ctypeslib.as_array(t.frames[i], (t.num_channels,))
                     for i in range(t.num_frames)], np.float32)


class Teacher:
    def __init__(self):
        self.f, v = _load()
        self.f.flite_init()
        self.voice = v.register_cmu_us_rms(None)

    def __call__(self, text, wave=False):
        """dict: f0 [n] (0 = unvoiced), mc [n,25], st [n,5], seg = list of
        (phone, start s, end s, word index or -1, stress), words = list of
        names; with wave also pcm (16 kHz float)"""
        f = self.f
        u = f.flite_synth_text(text.encode("ascii", "ignore"), self.voice)
        ft = C.cast(u, C.POINTER(Utt)).contents.features
        db = f.val_cg_db(f.feat_val(ft, b"cg_db"))
        pt = f.val_track(f.feat_val(ft, b"param_track"))
        st = f.val_track(f.feat_val(ft, b"str_track"))
        if db.contents.do_mlpg:
            sm = f.mlpg(pt, db)
            a = _array(sm)
            f.delete_track(sm)
        else:
            a = _array(pt)
        out = dict(f0=a[:, 0].copy(), mc=a[:, 1:1 + ORDER].copy(),
                   st=_array(st), alpha=db.contents.mlsa_alpha)
        seg, words, seen, t0 = [], [], {}, 0.0
        it = f.relation_head(f.utt_relation(u, b"Segment"))
        while it:
            name = f.item_feat_string(it, b"name").decode()
            end = f.item_feat_float(it, b"end")
            w = f.path_to_item(it, b"R:SylStructure.parent.parent")
            k, stress = -1, 0
            if w:
                nm = f.item_feat_string(w, b"name").decode()
                if w not in seen:
                    seen[w] = len(words)
                    words.append(nm)
                k = seen[w]
                y = f.path_to_item(it, b"R:SylStructure.parent")
                stress = int(f.item_feat_string(y, b"stress") == b"1")
            seg.append((name, t0, end, k, stress))
            t0 = end
            it = f.item_next(it)
        out["seg"], out["words"] = seg, words
        if wave:
            w = f.utt_wave(u).contents
            out["pcm"] = np.ctypeslib.as_array(
                w.samples, (w.num_samples,)).astype(np.float32) / 32768
            out["rate"] = w.sample_rate
        f.delete_utterance(u)
        return out


if __name__ == "__main__":
    o = Teacher()(" ".join(sys.argv[1:]) or "Hello there.", wave=True)
    for s in o["seg"]:
        print("%-4s %.3f %.3f %s %d" % (s[0], s[1], s[2],
              o["words"][s[3]] if s[3] >= 0 else "-", s[4]))
    print("frames", o["mc"].shape, "alpha", o["alpha"], "rate", o["rate"],
          "seconds %.2f" % (len(o["pcm"]) / o["rate"]))
