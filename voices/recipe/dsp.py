"""Sound parameters -> wave, with the excitation locked to the codec frame.

A slice of 10 ms has 25 mel-cepstral coefficients and a voicing number; a frame
of 80 ms has eight slices and a whole number of pitch periods. Pulses have the
phase of one mean envelope, so that every harmonic is a fixed carrier, and the
noise is the same noise in every frame: the wave is a simple function of the
codes, which a causal decoder without noise input can learn.
"""
import numpy as np

OUT, FR, SUB = 24000, 1920, 8
SF = FR // SUB
NF, ORDER, ALPHA = 1024, 25, 0.42
GAIN = 7e-5
SILENCE = np.zeros(ORDER, np.float32)
SILENCE[0] = -0.5

_w24 = np.arange(NF // 2 + 1) * 2 * np.pi / NF
_hz = _w24 * OUT / 2 / np.pi
_w16 = np.minimum(_hz / 8000.0, 1.0) * np.pi          # the teacher has 16 kHz
_warp = _w16 + 2 * np.arctan(ALPHA * np.sin(_w16) / (1 - ALPHA * np.cos(_w16)))
COS = np.cos(np.arange(ORDER)[:, None] * _warp[None])  # [25, bins]
TILT = np.where(_hz > 7600, -(_hz - 7600) / 500.0, 0.0).clip(-8, 0)
_r = np.random.RandomState(1234)
NOISE = _r.randn(FR)
NOISE /= NOISE.std()


def logmag(mc):
    """[n,25] -> natural log magnitude [n,513]"""
    return mc @ COS + TILT


def minphase(lm):
    """log magnitude [n,bins] -> complex minimum-phase spectrum"""
    c = np.fft.irfft(lm, NF, axis=-1)
    c[:, 1:NF // 2] *= 2
    c[:, NF // 2 + 1:] = 0
    return np.exp(np.fft.rfft(c, axis=-1))


def voiced_part(v):
    """voicing 0..1 -> amplitude share of the pulses [n,bins]: the highest
    voiced frequency moves with the voicing"""
    v = np.clip(v, 0, 1)[:, None]
    fc = 6500 * v - 1200
    return np.minimum(1, 6 * v) / (1 + np.exp((_hz[None] - fc) / 450))


def synth(mc, v, k, mean):
    """mc [T*8,25], v [T*8], k [T] periods per frame, mean [25] -> [T*1920]"""
    T = len(k)
    n = T * SUB
    out = np.zeros(T * FR + 4 * NF)
    lm = logmag(mc)
    va = voiced_part(v)
    na = np.sqrt(np.maximum(1 - va ** 2, 0))
    tau = np.concatenate([t * FR + FR / k[t] * (np.arange(k[t]) + .5)
                          for t in range(T)])
    per = np.concatenate([np.full(k[t], FR / k[t]) for t in range(T)])
    j = (tau // SF).astype(int)
    al = np.minimum(1.0, 0.5 + (tau - j * SF) / SF)[:, None]
    jp = np.maximum(j - 1, 0)          # first half of a slice: from the last
    M = np.exp(lm[j] * al + lm[jp] * (1 - al)) * (va[j] * al + va[jp] * (1 - al))
    ph = np.exp(1j * np.angle(minphase(logmag(mean[None]))))
    i0 = np.floor(tau).astype(int)
    H = M * ph * np.sqrt(per)[:, None] * np.exp(-1j * _w24[None] *
                                                 (tau - i0)[:, None])
    h = np.roll(np.fft.irfft(H, NF, axis=-1), 110, axis=1)[:, :760]
    h[:, :30] *= np.linspace(0, 1, 30)
    h[:, -200:] *= np.linspace(1, 0, 200)
    on = va[j].max(1) > 0.02
    for q in np.nonzero(on)[0]:
        a = max(i0[q] - 110, 0)
        out[a:i0[q] + 650] += h[q, a - (i0[q] - 110):]
    nz = np.tile(NOISE, T + 1)
    win = np.concatenate([np.linspace(0, 1, 120, endpoint=False), np.ones(120),
                          np.linspace(1, 0, 120, endpoint=False)])
    win = np.sin(win * np.pi / 2)
    g = np.fft.irfft(minphase(lm + np.log(na + 1e-4)), NF, axis=-1)
    g[:, -256:] *= np.linspace(1, 0, 256)
    seg = np.stack([nz[q * SF:q * SF + 360] * win for q in range(n)])
    y = np.fft.irfft(np.fft.rfft(seg, 2048) * np.fft.rfft(g, 2048), 2048)
    for q in range(n):
        out[q * SF:q * SF + 1360] += y[q, :1360]
    return limit(out[:T * FR] * GAIN)


def limit(y, a=0.7, b=0.29):
    """soft limit: linear to a, never above a + b"""
    m = np.abs(y)
    return np.where(m <= a, y, np.sign(y) * (a + b * np.tanh((m - a) / b)))
