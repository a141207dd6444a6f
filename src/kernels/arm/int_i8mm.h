/* int_i8mm.h: products of signed bytes, two rows by two outputs an instruction.  SPDX-License-Identifier: Apache-2.0
 *
 * It wants eight inputs of two rows and of two outputs: the panels' outputs of four inputs each, zipped. A row without a
 * partner is done as on CPUs with the dot product alone. */
#ifndef KZ_KERNELS_INT_I8MM_H
#define KZ_KERNELS_INT_I8MM_H

#if !defined(__ARM_FEATURE_MATMUL_INT8) || !defined(__ARM_FEATURE_DOTPROD)
#error "this file needs dotprod and i8mm"
#endif

#include "kernels/arm/int_neon.h"
#include "kernels/quant.h"

#define KZ_Q_OWN_SUMS

/* Sums of up to two pairs of rows: [pair][two outputs][row][output of the two]. */
typedef struct pair_sums {
    int32x4_t v[KZ_Q_ROWS / 2][8];
} pair_sums;

/* Inputs 0 .. 7 of all rows; w: of four each. x: the first row's. */
KZ_INLINE void add_inputs(pair_sums *pairs, vi *sum, const vw_4 w[2], const int8_t *x, size_t x_row, int n_row) {
    KZ_UNROLL
    for (int r = 0; r + 1 < n_row; r += 2) {
        int8x16_t two = vcombine_s8(vld1_s8(x + (size_t)r * x_row), vld1_s8(x + (size_t)(r + 1) * x_row));
        KZ_UNROLL
        for (int i = 0; i < 4; i++) {
            int32x4_t a = vreinterpretq_s32_s8(w[0].v[i]), b = vreinterpretq_s32_s8(w[1].v[i]);
            int32x4_t *to = pairs->v[r / 2] + 2 * i;
            to[0] = vmmlaq_s32(to[0], two, vreinterpretq_s8_s32(vzip1q_s32(a, b)));
            to[1] = vmmlaq_s32(to[1], two, vreinterpretq_s8_s32(vzip2q_s32(a, b)));
        }
    }
    if (n_row % 2) {
        const int8_t *last = x + (size_t)(n_row - 1) * x_row;
        sum[n_row - 1] = vi_dot(vi_dot(sum[n_row - 1], w[0], vx_load(last)), w[1], vx_load(last + 4));
    }
}

KZ_INLINE void clear_pairs(pair_sums *pairs, int n_row) {
    KZ_UNROLL
    for (int i = 0; i < n_row / 2 * 8; i++)
        pairs->v[i / 8][i % 8] = vdupq_n_s32(0);
}

KZ_INLINE int32x4_t zip_rows(int32x4_t a, int32x4_t b, int row) {
    int64x2_t x = vreinterpretq_s64_s32(a), y = vreinterpretq_s64_s32(b);
    return vreinterpretq_s32_s64(row ? vzip2q_s64(x, y) : vzip1q_s64(x, y));
}

KZ_INLINE void split_pairs(vi *sum, const pair_sums *pairs, int n_row) {
    KZ_UNROLL
    for (int r = 0; r + 1 < n_row; r += 2) {
        KZ_UNROLL
        for (int i = 0; i < 4; i++) {
            const int32x4_t *from = pairs->v[r / 2] + 2 * i;
            sum[r].v[i] = zip_rows(from[0], from[1], 0);
            sum[r + 1].v[i] = zip_rows(from[0], from[1], 1);
        }
    }
}

KZ_INLINE void sum_q8(vi *sum, const int8_t *w, size_t panel_size, const int8_t *x, size_t x_row, int n_panel,
                      int n_row) {
    pair_sums pairs;
    (void)panel_size, (void)n_panel; /* one panel */
    clear_pairs(&pairs, n_row);
    KZ_UNROLL
    for (int k = 0; k < KZ_BLOCK; k += 8) {
        vw_4 wk[2] = {vw_load_4(w + k * KZ_PANEL), vw_load_4(w + (k + 4) * KZ_PANEL)};
        add_inputs(&pairs, sum, wk, x + k, x_row, n_row);
    }
    split_pairs(sum, &pairs, n_row);
}

KZ_INLINE void sum_q4(vi *sum, const uint8_t *w, size_t panel_size, const int8_t *x, size_t x_row, vt table,
                      int n_panel, int n_row) {
    pair_sums pairs;
    (void)panel_size, (void)n_panel;
    clear_pairs(&pairs, n_row);
    KZ_UNROLL
    for (int k = 0; k < KZ_BLOCK / 2; k += 8) {
        vw_4 lo[2], hi[2];
        vw_load_q4_4(&lo[0], &hi[0], w + k * KZ_PANEL, table);
        vw_load_q4_4(&lo[1], &hi[1], w + (k + 4) * KZ_PANEL, table);
        add_inputs(&pairs, sum, lo, x + k, x_row, n_row);
        add_inputs(&pairs, sum, hi, x + k + KZ_BLOCK / 2, x_row, n_row);
    }
    split_pairs(sum, &pairs, n_row);
}

#endif
