/* verify_mel.c: how unlike two utterances sound: log-mel spectra, aligned in time.  SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verify.h"

enum { WINDOW = 1024, HALF = WINDOW / 2, BANDS = 40, A_SECOND = 100, MAX_STEPS = KZ_MEL_SECONDS * A_SECOND };

typedef struct spectra {
    float *rows; /* [n][BANDS], dB */
    size_t n;
    bool cut; /* the sound goes on behind them */
} spectra;

/* In place: radix 2, decimation in time. */
static void transform(double *re, double *im) {
    const double pi = 3.14159265358979323846;
    for (size_t i = 1, j = 0; i < WINDOW; i++) {
        size_t bit = HALF;
        for (; j & bit; bit /= 2)
            j ^= bit;
        j |= bit;
        if (i < j) {
            double t = re[i];
            re[i] = re[j];
            re[j] = t;
        }
    }
    for (size_t n = 2; n <= WINDOW; n *= 2)
        for (size_t k = 0; k < n / 2; k++) {
            double c = cos(2 * pi * (double)k / (double)n), s = -sin(2 * pi * (double)k / (double)n);
            for (size_t i = k; i < WINDOW; i += n) {
                size_t j = i + n / 2;
                double a = re[j] * c - im[j] * s, b = re[j] * s + im[j] * c;
                re[j] = re[i] - a;
                im[j] = im[i] - b;
                re[i] += a;
                im[i] += b;
            }
        }
}

static double mel(double hz) { return 2595 * log10(1 + hz / 700); }

/* Energy between neighbouring points of the mel scale, in dB above a floor far below speech. */
static void make_row(float *row, const float *x, int rate) {
    static const double pi = 3.14159265358979323846, floor_energy = 1e-6;
    double re[WINDOW], im[WINDOW] = {0}, band[BANDS] = {0}, top = mel(0.5 * rate);
    for (size_t i = 0; i < WINDOW; i++)
        re[i] = (double)x[i] * (0.5 - 0.5 * cos(2 * pi * (double)i / (double)WINDOW));
    transform(re, im);
    for (size_t i = 1; i < HALF; i++) {
        size_t b = (size_t)((double)BANDS * mel((double)i * rate / (double)WINDOW) / top);
        band[b < BANDS ? b : BANDS - 1] += re[i] * re[i] + im[i] * im[i];
    }
    for (size_t b = 0; b < BANDS; b++)
        row[b] = (float)(10 * log10(band[b] / (double)WINDOW + floor_energy));
}

static bool make_spectra(spectra *s, const float *x, size_t n, int rate) {
    size_t step = (size_t)rate / A_SECOND;
    s->n = n >= WINDOW && step ? (n - WINDOW) / step + 1 : 0;
    s->cut = s->n > MAX_STEPS;
    if (s->cut)
        s->n = MAX_STEPS;
    s->rows = s->n ? calloc(s->n * BANDS, sizeof *s->rows) : NULL;
    for (size_t i = 0; s->rows && i < s->n; i++)
        make_row(s->rows + i * BANDS, x + i * step, rate);
    return s->rows != NULL;
}

static double distance(const float *a, const float *b) {
    double sum = 0;
    for (size_t i = 0; i < BANDS; i++)
        sum += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    return sum / (double)BANDS;
}

typedef struct cell {
    double sum; /* of squared distances along the best way here */
    unsigned steps;
} cell;

static cell better(cell a, cell b) { return a.sum <= b.sum ? a : b; }

/* Dynamic time warping, a row of cells at a time. row: b->n cells. */
static double align(const spectra *a, const spectra *b, cell *row) {
    for (size_t i = 0; i < a->n; i++) {
        cell corner = {0, 0};
        for (size_t j = 0; j < b->n; j++) {
            cell above = row[j], from = corner;
            if (i && j)
                from = better(corner, better(above, row[j - 1]));
            else if (i || j)
                from = i ? above : row[j - 1];
            corner = above;
            row[j] = (cell){from.sum + distance(a->rows + i * BANDS, b->rows + j * BANDS), from.steps + 1};
        }
    }
    return sqrt(row[b->n - 1].sum / row[b->n - 1].steps);
}

double kz_mel_distance(const float *x, size_t n_x, const float *y, size_t n_y, int rate, bool *cut) {
    spectra a = {0}, b = {0};
    double result = -1;
    if (make_spectra(&a, x, n_x, rate) && make_spectra(&b, y, n_y, rate)) {
        cell *row = calloc(b.n, sizeof *row);
        if (row)
            result = align(&a, &b, row);
        free(row);
    }
    *cut = a.cut || b.cut;
    free(a.rows);
    free(b.rows);
    return result;
}
