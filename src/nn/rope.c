/* rope.c: rotary positions. Own exp, log, sin and cos in double precision, so that tables have the same bits whatever
 * the system's libm.  SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "nn/rope.h"

static const double ln2 = 0.69314718055994530942;

/* ln x for x >= 1: x = m * 2^e with m in [sqrt(1/2), sqrt 2), ln m = 2 atanh((m - 1) / (m + 1)). */
static double log_d(double x) {
    int e = 0;
    while (x > 1.41421356237309505) {
        x *= 0.5;
        e++;
    }
    double t = (x - 1) / (x + 1), t2 = t * t, sum = 0;
    for (int k = 25; k >= 1; k -= 2)
        sum = sum * t2 + 1.0 / k;
    return 2 * t * sum + e * ln2;
}

/* e^x for 0 <= x < 700: x = n ln 2 + r, Taylor series for e^r. */
static double exp_d(double x) {
    int n = (int)(x / ln2 + 0.5);
    double r = x - n * ln2, sum = 1;
    for (int k = 20; k >= 1; k--)
        sum = 1 + r / k * sum;
    for (; n > 0; n--)
        sum *= 2;
    return sum;
}

/* Rounded as the official program does: a float power, then a float reciprocal. */
void kz_rope_frequencies(float *inv_freq, size_t d_head, float theta) {
    double ln_theta = log_d((double)theta);
    for (size_t j = 0; j < d_head / 2; j++) {
        float exponent = (float)(2 * j) / (float)d_head;
        inv_freq[j] = 1.0F / (float)exp_d((double)exponent * ln_theta);
    }
}

/* |r| <= pi / 4 */
static double sin_poly(double r) {
    double r2 = r * r, sum = 1;
    for (int k = 17; k >= 3; k -= 2)
        sum = 1 - r2 / (k * (k - 1)) * sum;
    return r * sum;
}

static double cos_poly(double r) {
    double r2 = r * r, sum = 1;
    for (int k = 18; k >= 2; k -= 2)
        sum = 1 - r2 / (k * (k - 1)) * sum;
    return sum;
}

/* Angles below 2^20 or so (positions up to a million): pi / 2 in two parts, the first of 33 bits so that its products
 * are exact. */
static void sincos_d(double a, float *sine, float *cosine) {
    const double hi = 1.57079632673412561417, lo = 6.07710050650619224932e-11;
    double n = floor(a * 0.63661977236758134308 + 0.5);
    double r = (a - n * hi) - n * lo, s = sin_poly(r), c = cos_poly(r);
    int quadrant = (int)fmod(n, 4);
    double swap = quadrant & 1 ? c : s, other = quadrant & 1 ? s : c;
    *sine = (float)(quadrant & 2 ? -swap : swap);
    *cosine = (float)(quadrant == 1 || quadrant == 2 ? -other : other);
}

void kz_rope_row(float *cs, const float *inv_freq, size_t d_head, size_t pos) {
    size_t half = d_head / 2;
    for (size_t j = 0; j < half; j++)
        sincos_d((double)((float)pos * inv_freq[j]), &cs[half + j], &cs[j]);
}
