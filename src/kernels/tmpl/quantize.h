/* tmpl/quantize.h: rows for quantised weights.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_KERNELS_TMPL_QUANTIZE_H
#define KZ_KERNELS_TMPL_QUANTIZE_H

#include "kernels/quant.h"

/* One half (0 or 1) of a pair from 32 values. The largest magnitude and the sum of the q are exact in any order. */
KZ_INLINE void quantize_block(kz_qx *q, int half, v16 lo, v16 hi) {
    float top = v_maximum(v_max(v_abs(lo), v_abs(hi)));
    bool some = top >= KZ_QX_LEAST;
    v16 inverse = v_set(some ? 127.0f / top : 0.0f), magic = v_set(KZ_MAGIC);
    lo = v_fma(lo, inverse, magic);
    hi = v_fma(hi, inverse, magic);
    v_store_low_bytes(q->q + half * KZ_BLOCK, lo);
    v_store_low_bytes(q->q + half * KZ_BLOCK + 16, hi);
    q->d[half] = some ? top / 127.0f : 0.0f;
    q->offset[half] = -128 * (int32_t)v_sum(v_add(v_sub(lo, magic), v_sub(hi, magic)));
}

static v16 load_some(const float *x, size_t n, size_t at) {
    if (at >= n)
        return v_zero();
    return n - at < 16 ? v_load_part(x + at, n - at) : v_load(x + at);
}

static void quantize(kz_qx *q, const float *x, size_t n) {
    size_t at = 0;
    for (; at + KZ_PAIR <= n; at += KZ_PAIR, q++) {
        quantize_block(q, 0, v_load(x + at), v_load(x + at + 16));
        quantize_block(q, 1, v_load(x + at + 32), v_load(x + at + 48));
    }
    if (at < n) {
        quantize_block(q, 0, load_some(x, n, at), load_some(x, n, at + 16));
        quantize_block(q, 1, load_some(x, n, at + 32), load_some(x, n, at + 48));
    }
}

#endif
