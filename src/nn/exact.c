/* exact.c: series in plain IEEE operations.  SPDX-License-Identifier: Apache-2.0 */
#include "nn/exact.h"

#include <math.h>

static const double ln2 = 0.69314718055994530942;

/* x = m * 2^e with m in (1/sqrt 2, sqrt 2], ln m = 2 atanh((m - 1) / (m + 1)). */
double kz_log_d(double x) {
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

/* x = n ln 2 + r, Taylor series for e^r. */
double kz_exp_d(double x) {
    int n = (int)(x / ln2 + 0.5);
    double r = x - n * ln2, sum = 1;
    for (int k = 20; k >= 1; k--)
        sum = 1 + r / k * sum;
    for (; n > 0; n--)
        sum *= 2;
    return sum;
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

/* pi / 2 in two parts, the first of 33 bits so that its products are exact. */
void kz_sincos_d(double a, double *sine, double *cosine) {
    const double hi = 1.57079632673412561417, lo = 6.07710050650619224932e-11;
    double n = floor(a * 0.63661977236758134308 + 0.5);
    double r = (a - n * hi) - n * lo, s = sin_poly(r), c = cos_poly(r);
    int quadrant = (int)fmod(n, 4);
    double swap = quadrant & 1 ? c : s, other = quadrant & 1 ? s : c;
    *sine = quadrant & 2 ? -swap : swap;
    *cosine = quadrant == 1 || quadrant == 2 ? -other : other;
}
