/* quant.h: how quantised weights lie in files and in panels, and how they are made.  SPDX-License-Identifier: Apache-2.0
 *
 * q8 from floats, as GGUF's reference does it: m the block's largest magnitude, s = m / 127, q = x * (1 / s) rounded to the
 * nearest whole number, halves away from zero; d = s as f16.
 * q4_0 likewise: the value of largest magnitude becomes -8. q4: see kz_quantize_q4; why these 16 values:
 * docs/decisions/0006-quantised-weights.md.
 * From GGUF blocks of the same type panels are exact. */
#ifndef KZ_KERNELS_QUANT_H
#define KZ_KERNELS_QUANT_H

#include <string.h>

#include "kernels/kernels.h"

/* ---- files: GGUF blocks of a row ------------------------------------------------------------------------------- */

typedef struct kz_q8_block {
    uint16_t d;
    int8_t q[KZ_BLOCK];
} kz_q8_block;

typedef struct kz_q4_block {
    uint16_t d;
    uint8_t q[KZ_BLOCK / 2]; /* low half: input i, high half: input 16 + i */
} kz_q4_block;

/* What a half byte stands for. */
static const int8_t kz_q4_value[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
static const int8_t kz_q4_0_value[16] = {-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7};

static inline const int8_t *kz_q4_values(kz_dtype type) { return type == KZ_Q4_0 ? kz_q4_0_value : kz_q4_value; }

/* The values of the block at p (any alignment); returns its scale. */
static inline uint16_t kz_block_read(int8_t q[KZ_BLOCK], const unsigned char *p, kz_dtype type) {
    if (type == KZ_Q8) {
        kz_q8_block b;
        memcpy(&b, p, sizeof b);
        memcpy(q, b.q, sizeof b.q);
        return b.d;
    }
    const int8_t *value = kz_q4_values(type);
    kz_q4_block b;
    memcpy(&b, p, sizeof b);
    for (size_t i = 0; i < KZ_BLOCK / 2; i++) {
        q[i] = value[b.q[i] & 15];
        q[i + 16] = value[b.q[i] >> 4];
    }
    return b.d;
}

#define KZ_QX_LEAST 0x1p-100f /* a row's block whose largest magnitude is less is a block of zeros */

/* ---- panels: 64 inputs of 16 outputs --------------------------------------------------------------------------- */

typedef struct kz_q8_pair {
    uint16_t d[2][KZ_PANEL];
    int8_t q[2][8][KZ_PANEL][4];
} kz_q8_pair;

typedef struct kz_q4_pair {
    uint16_t d[2][KZ_PANEL];
    uint8_t q[2][4][KZ_PANEL][4];
} kz_q4_pair;

_Static_assert(sizeof(kz_q8_block) == 34 && sizeof(kz_q4_block) == 18, "as in the files");
_Static_assert(sizeof(kz_q8_pair) == 1088 && sizeof(kz_q4_pair) == 576 && sizeof(kz_qx) == 80, "no gaps");

static inline size_t kz_pairs(size_t n_k) { return (n_k + KZ_PAIR - 1) / KZ_PAIR; }

/* Blocks from floats. false when a value, or the scale as f16, isn't finite. */
bool kz_quantize_q8(kz_q8_block *b, const float x[KZ_BLOCK]);
bool kz_quantize_q4(kz_q4_block *b, const float x[KZ_BLOCK]);
bool kz_quantize_q4_0(kz_q4_block *b, const float x[KZ_BLOCK]);

/* kz_pack_panels where source or panels are quantised. */
bool kz_pack_quantized(void *dst, const kz_pack *pack, size_t p0, size_t p1);

#endif
