/* mel.c: the log mel spectrogram that the speaker encoder reads. Tables in double precision from own functions, so that
 * they have the same bits on every system.  SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "cloning/cloning.h"
#include "nn/exact.h"

enum { N_FFT = 1024, HOP = 256, N_BIN = N_FFT / 2 + 1, PAD = (N_FFT - HOP) / 2, LOG2_FFT = 10 };

static const double two_pi = 6.28318530717958647693, rate = 24000, f_max = 12000;

typedef struct tables {
    double window[N_FFT];
    double cosine[N_FFT / 2], sine[N_FFT / 2];
    double re[N_FFT], im[N_FFT];
    float magnitude[N_BIN];
    float filter[]; /* [n_mel, N_BIN] */
} tables;

/* ---- filters ----------------------------------------------------------------------------------------------- */

/* Slaney's scale: linear below 1000 Hz (15 mel), logarithmic above. */
static double mel_to_hz(double mel) {
    double step = kz_log_d(6.4) / 27;
    return mel < 15 ? 200 * mel / 3 : 1000 * kz_exp_d((mel - 15) * step);
}

static double hz_to_mel(double hz) { return hz < 1000 ? 3 * hz / 200 : 15 + 27 * kz_log_d(hz / 1000) / kz_log_d(6.4); }

/* Triangles of equal area between points equally spaced in mel. */
static void fill_filters(float *filter, size_t n_mel) {
    double top = hz_to_mel(f_max);
    for (size_t i = 0; i < n_mel; i++) {
        double span = (double)(n_mel + 1), p0 = mel_to_hz(top * (double)i / span),
               p1 = mel_to_hz(top * (double)(i + 1) / span), p2 = mel_to_hz(top * (double)(i + 2) / span);
        for (size_t k = 0; k < N_BIN; k++) {
            double f = (double)k * rate / (double)N_FFT, up = (f - p0) / (p1 - p0), down = (p2 - f) / (p2 - p1);
            double w = up < down ? up : down;
            filter[i * N_BIN + k] = (float)((w > 0 ? w : 0) * 2 / (p2 - p0));
        }
    }
}

static void fill_tables(tables *t, size_t n_mel) {
    for (size_t i = 0; i < N_FFT; i++) {
        double s, c;
        kz_sincos_d(two_pi * (double)i / (double)N_FFT, &s, &c);
        t->window[i] = 0.5 - 0.5 * c;
        if (i < N_FFT / 2) {
            t->cosine[i] = c;
            t->sine[i] = s;
        }
    }
    fill_filters(t->filter, n_mel);
}

/* ---- transform --------------------------------------------------------------------------------------------- */

static size_t reverse_bits(size_t i) {
    size_t r = 0;
    for (int b = 0; b < LOG2_FFT; b++)
        r |= (i >> b & 1) << (LOG2_FFT - 1 - b);
    return r;
}

static void butterflies(tables *t, size_t half) {
    size_t step = N_FFT / 2 / half;
    for (size_t begin = 0; begin < N_FFT; begin += 2 * half)
        for (size_t j = 0; j < half; j++) {
            size_t a = begin + j, b = a + half;
            double c = t->cosine[j * step], s = -t->sine[j * step];
            double re = t->re[b] * c - t->im[b] * s, im = t->re[b] * s + t->im[b] * c;
            t->re[b] = t->re[a] - re;
            t->im[b] = t->im[a] - im;
            t->re[a] += re;
            t->im[a] += im;
        }
}

/* The sample at i of the signal with its ends mirrored (the edge sample not repeated). */
static float mirrored(const float *wave, size_t n, ptrdiff_t i) {
    if (i < 0)
        i = -i;
    if (i >= (ptrdiff_t)n)
        i = 2 * ((ptrdiff_t)n - 1) - i;
    return wave[i];
}

static void magnitudes(tables *t, const float *wave, size_t n_sample, size_t frame) {
    for (size_t i = 0; i < N_FFT; i++) {
        size_t at = reverse_bits(i);
        ptrdiff_t sample = (ptrdiff_t)(frame * HOP + i) - PAD;
        t->re[at] = (double)mirrored(wave, n_sample, sample) * t->window[i];
        t->im[at] = 0;
    }
    for (size_t half = 1; half < N_FFT; half *= 2)
        butterflies(t, half);
    for (size_t k = 0; k < N_BIN; k++)
        t->magnitude[k] = (float)sqrt(t->re[k] * t->re[k] + t->im[k] * t->im[k] + 1e-9);
}

static void mel_row(const tables *t, size_t n_mel, float *row) {
    for (size_t i = 0; i < n_mel; i++) {
        double sum = 0;
        for (size_t k = 0; k < N_BIN; k++)
            sum += (double)t->filter[i * N_BIN + k] * (double)t->magnitude[k];
        row[i] = kz_logf(sum > 1e-5 ? (float)sum : 1e-5F);
    }
}

kztts_status kz_mel(float **out, size_t *n_frame, size_t n_mel, const float *wave, size_t n_sample, kz_err *err) {
    *n_frame = n_sample / HOP;
    *out = NULL;
    tables *t = kz_alloc(1, sizeof *t + n_mel * N_BIN * sizeof *t->filter);
    float *mel = kz_alloc(*n_frame * n_mel, sizeof *mel);
    if (!t || !mel) {
        kz_free(t);
        kz_free(mel);
        return kz_fail_memory(err, *n_frame * n_mel * sizeof *mel, "the mel spectrogram");
    }
    fill_tables(t, n_mel);
    for (size_t f = 0; f < *n_frame; f++) {
        magnitudes(t, wave, n_sample, f);
        mel_row(t, n_mel, mel + f * n_mel);
    }
    kz_free(t);
    *out = mel;
    return KZTTS_OK;
}
