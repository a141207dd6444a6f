/* pack_quantized.c: panels of quantised weights.  SPDX-License-Identifier: Apache-2.0
 *
 * Block after block: read from the file as it is, or gathered as floats and quantised; then dealt out to the panel's
 * places, four bytes at a time. */
#include "kernels/quant.h"

typedef union any_block {
    kz_q8_block q8;
    kz_q4_block q4;
} any_block;

/* Element (out, k); of quantised sources its block, whose first element it must be. */
static const unsigned char *source(const kz_pack *pack, size_t out, size_t k) {
    ptrdiff_t at = pack->base + (ptrdiff_t)(out / pack->out_inner) * pack->out_outer_step +
                   (ptrdiff_t)(out % pack->out_inner) * pack->out_inner_step +
                   (ptrdiff_t)(k / pack->k_inner) * pack->k_outer_step +
                   (ptrdiff_t)(k % pack->k_inner) * pack->k_inner_step;
    if (kz_is_quantized(pack->src_type))
        return (const unsigned char *)pack->src + kz_row_bytes(pack->src_type, (size_t)at);
    return (const unsigned char *)pack->src + at * (ptrdiff_t)kz_dtype_size(pack->src_type);
}

/* 32 inputs of an output from k on, zeros beyond the last. */
static void gather(float x[KZ_BLOCK], const kz_pack *pack, size_t out, size_t k) {
    size_t n = pack->n_in - k < KZ_BLOCK ? pack->n_in - k : KZ_BLOCK;
    bool row = pack->k_inner_step == 1 && k % pack->k_inner + n <= pack->k_inner;
    if (row)
        kz_to_f32(x, source(pack, out, k), pack->src_type, n);
    for (size_t i = 0; i < n && !row; i++)
        kz_to_f32(x + i, source(pack, out, k + i), pack->src_type, 1);
    for (size_t i = n; i < KZ_BLOCK; i++)
        x[i] = 0.0f;
}

static bool is_finite_f16(uint16_t d) { return (d & 0x7c00u) != 0x7c00u; }

/* The block of outputs `out`, inputs k .. k + 31, as it would lie in a file of the panels' type. */
static bool read_block(any_block *b, const kz_pack *pack, size_t out, size_t k) {
    if (pack->src_type == pack->dst_type) {
        memcpy(b, source(pack, out, k), kz_row_bytes(pack->src_type, KZ_BLOCK));
        return is_finite_f16(pack->src_type == KZ_Q8 ? b->q8.d : b->q4.d);
    }
    float x[KZ_BLOCK];
    gather(x, pack, out, k);
    if (pack->dst_type == KZ_Q8)
        return kz_quantize_q8(&b->q8, x);
    return pack->dst_type == KZ_Q4 ? kz_quantize_q4(&b->q4, x) : kz_quantize_q4_0(&b->q4, x);
}

static void place_q8(kz_q8_pair *pair, size_t half, size_t o, const kz_q8_block *b) {
    pair->d[half][o] = b->d;
    for (size_t j = 0; j < 8; j++)
        memcpy(pair->q[half][j][o], b->q + 4 * j, 4);
}

static void place_q4(kz_q4_pair *pair, size_t half, size_t o, const kz_q4_block *b) {
    pair->d[half][o] = b->d;
    for (size_t j = 0; j < 4; j++)
        memcpy(pair->q[half][j][o], b->q + 4 * j, 4);
}

static bool pack_output(unsigned char *panel, const kz_pack *pack, size_t out) {
    bool finite = true;
    for (size_t k = 0; k < pack->n_in; k += KZ_BLOCK) {
        size_t pair = k / KZ_PAIR, half = k / KZ_BLOCK % 2;
        any_block b;
        finite &= read_block(&b, pack, out, k);
        if (pack->dst_type == KZ_Q8)
            place_q8((kz_q8_pair *)(void *)panel + pair, half, out % KZ_PANEL, &b.q8);
        else
            place_q4((kz_q4_pair *)(void *)panel + pair, half, out % KZ_PANEL, &b.q4);
    }
    return finite;
}

/* Quantised weights widened. */
static bool widen_output(float *panel, const kz_pack *pack, size_t out) {
    uint32_t bad = 0;
    for (size_t k = 0; k < pack->n_in; k += KZ_BLOCK) {
        float x[KZ_BLOCK];
        gather(x, pack, out, k);
        for (size_t i = 0; i < KZ_BLOCK && k + i < pack->n_in; i++) {
            uint32_t u;
            memcpy(&u, x + i, sizeof u);
            bad |= (u & 0x7f800000u) == 0x7f800000u;
            panel[(k + i) * KZ_PANEL + out % KZ_PANEL] = x[i];
        }
    }
    return !bad;
}

bool kz_pack_quantized(void *dst, const kz_pack *pack, size_t p0, size_t p1) {
    size_t n_byte = kz_panel_bytes(pack->dst_type, pack->n_in);
    bool finite = true;
    for (size_t p = p0; p < p1; p++) {
        unsigned char *panel = (unsigned char *)dst + p * n_byte;
        size_t end = (p + 1) * KZ_PANEL < pack->n_out ? (p + 1) * KZ_PANEL : pack->n_out;
        memset(panel, 0, n_byte); /* a scale of 0 is a block of zeros */
        for (size_t out = p * KZ_PANEL; out < end; out++)
            finite &= pack->dst_type == KZ_F32 ? widen_output((float *)(void *)panel, pack, out)
                                               : pack_output(panel, pack, out);
    }
    return finite;
}
