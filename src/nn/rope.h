/* rope.h: rotary positions, inside this folder.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_NN_ROPE_H
#define KZ_NN_ROPE_H

#include <stddef.h>

/* inv_freq[j] = theta^(-2j / d_head), j < d_head / 2. theta >= 1. */
void kz_rope_frequencies(float *inv_freq, size_t d_head, float theta);

/* cs = cos[d_head / 2] then sin[d_head / 2] of pos * inv_freq. */
void kz_rope_row(float *cs, const float *inv_freq, size_t d_head, size_t pos);

#endif
