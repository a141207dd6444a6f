/* rope.c: rotary positions.  SPDX-License-Identifier: Apache-2.0 */
#include "nn/rope.h"

#include "nn/exact.h"

/* Rounded as the official program does: a float power, then a float reciprocal. */
void kz_rope_frequencies(float *inv_freq, size_t d_head, float theta) {
    double ln_theta = kz_log_d((double)theta);
    for (size_t j = 0; j < d_head / 2; j++) {
        float exponent = (float)(2 * j) / (float)d_head;
        inv_freq[j] = 1.0F / (float)kz_exp_d((double)exponent * ln_theta);
    }
}

void kz_rope_row(float *cs, const float *inv_freq, size_t d_head, size_t pos) {
    size_t half = d_head / 2;
    for (size_t j = 0; j < half; j++) {
        double s, c;
        kz_sincos_d((double)((float)pos * inv_freq[j]), &s, &c);
        cs[j] = (float)c;
        cs[half + j] = (float)s;
    }
}
