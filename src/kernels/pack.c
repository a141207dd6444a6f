/* pack.c: weights into panels.  SPDX-License-Identifier: Apache-2.0
 *
 * Rows of neighbouring inputs (k_inner_step 1, what linear layers have) are turned over in blocks of 8 by 8 or 4 by 4;
 * everything else goes element by element. */
#include "kernels/quant.h"
#include "kernels/transpose.h"

/* Inputs copied for all 16 outputs before going on: source lines and panel stay in the first cache. */
enum { BLOCK = 64 };

static const uint32_t exponent_mask[3] = {0x7f800000u, 0x7f80u, 0x7c00u}; /* all set: not finite */

static const unsigned char *source(const kz_pack *pack, size_t out, size_t k) {
    ptrdiff_t at = pack->base + (ptrdiff_t)(out / pack->out_inner) * pack->out_outer_step +
                   (ptrdiff_t)(out % pack->out_inner) * pack->out_inner_step +
                   (ptrdiff_t)(k / pack->k_inner) * pack->k_outer_step +
                   (ptrdiff_t)(k % pack->k_inner) * pack->k_inner_step;
    return (const unsigned char *)pack->src + at * (ptrdiff_t)kz_dtype_size(pack->src_type);
}

/* ---- element by element ---------------------------------------------------------------------------------------- */

/* n elements `step` apart to dst[0], dst[16], ...; true when all are finite. */
static bool copy_16(uint16_t *dst, const unsigned char *src, ptrdiff_t step, size_t n, uint32_t mask) {
    uint32_t bad = 0;
    for (size_t i = 0; i < n; i++, src += step * 2) {
        uint16_t h;
        memcpy(&h, src, sizeof h);
        bad |= (h & mask) == mask;
        dst[i * KZ_PANEL] = h;
    }
    return !bad;
}

static bool copy_32(uint32_t *dst, const unsigned char *src, ptrdiff_t step, size_t n, uint32_t mask) {
    uint32_t bad = 0;
    for (size_t i = 0; i < n; i++, src += step * 4) {
        uint32_t u;
        memcpy(&u, src, sizeof u);
        bad |= (u & mask) == mask;
        dst[i * KZ_PANEL] = u;
    }
    return !bad;
}

/* The same, widened to f32. */
static bool widen(float *dst, const unsigned char *src, kz_dtype type, ptrdiff_t step, size_t n) {
    uint32_t bad = 0, mask = exponent_mask[type];
    for (size_t i = 0; i < n; i++, src += step * 2) {
        uint16_t h;
        memcpy(&h, src, sizeof h);
        bad |= (h & mask) == mask;
        kz_to_f32(dst + i * KZ_PANEL, src, type, 1);
    }
    return !bad;
}

/* Weights (out, k) .. (out, k + n - 1), all within one stretch of k_inner, to column dst. */
static bool pack_run(unsigned char *dst, const kz_pack *pack, size_t out, size_t k, size_t n) {
    const unsigned char *src = source(pack, out, k);
    void *to = dst;
    if (pack->dst_type != pack->src_type)
        return widen(to, src, pack->src_type, pack->k_inner_step, n);
    if (pack->src_type == KZ_F32)
        return copy_32(to, src, pack->k_inner_step, n, exponent_mask[KZ_F32]);
    return copy_16(to, src, pack->k_inner_step, n, exponent_mask[pack->src_type]);
}

/* ---- blocks ---------------------------------------------------------------------------------------------------- */

/* 8 inputs of the 8 outputs whose rows begin at src[0 .. 7], 16-bit, to dst (column of the first output). */
static bool turn_16(unsigned char *dst, const unsigned char *const src[8], const kz_pack *pack) {
    kz_u16x8 r[8], bad = {0}, mask = bad + (uint16_t)exponent_mask[pack->src_type];
    for (int i = 0; i < 8; i++) {
        memcpy(&r[i], src[i], sizeof r[i]);
        bad |= (kz_u16x8)((r[i] & mask) == mask);
    }
    kz_transpose_8x8(r);
    if (pack->dst_type == pack->src_type)
        for (int i = 0; i < 8; i++)
            memcpy(dst + i * KZ_PANEL * 2, &r[i], sizeof r[i]);
    else
        for (int i = 0; i < 8; i++) {
            float wide[8];
            kz_to_f32(wide, &r[i], pack->src_type, 8);
            memcpy(dst + i * KZ_PANEL * 4, wide, sizeof wide);
        }
    uint64_t any[2];
    memcpy(any, &bad, sizeof any);
    return !(any[0] | any[1]);
}

/* 4 inputs of 4 outputs, 32-bit. */
static bool turn_32(unsigned char *dst, const unsigned char *const src[4]) {
    kz_u32x4 r[4], bad = {0}, mask = bad + exponent_mask[KZ_F32];
    for (int i = 0; i < 4; i++) {
        memcpy(&r[i], src[i], sizeof r[i]);
        bad |= (kz_u32x4)((r[i] & mask) == mask);
    }
    kz_transpose_4x4(r);
    for (int i = 0; i < 4; i++)
        memcpy(dst + i * KZ_PANEL * 4, &r[i], sizeof r[i]);
    uint64_t any[2];
    memcpy(any, &bad, sizeof any);
    return !(any[0] | any[1]);
}

/* As many whole blocks as n inputs from k on hold, of all 16 outputs; *done: inputs packed. */
static bool pack_blocks(unsigned char *dst, const kz_pack *pack, size_t first, size_t k, size_t n, size_t *done) {
    size_t size = kz_dtype_size(pack->src_type), wide = kz_dtype_size(pack->dst_type), side = size == 4 ? 4 : 8;
    const unsigned char *src[KZ_PANEL];
    for (size_t o = 0; o < KZ_PANEL; o++)
        src[o] = source(pack, first + o, k);
    bool finite = true;
    for (*done = 0; *done + side <= n; *done += side) {
        for (size_t o = 0; o < KZ_PANEL; o += side) {
            unsigned char *to = dst + (*done * KZ_PANEL + o) * wide;
            finite &= size == 4 ? turn_32(to, src + o) : turn_16(to, src + o, pack);
        }
        for (size_t o = 0; o < KZ_PANEL; o++)
            src[o] += side * size;
    }
    return finite;
}

/* ---- panels ---------------------------------------------------------------------------------------------------- */

static bool pack_panel(unsigned char *dst, const kz_pack *pack, size_t panel) {
    size_t size = kz_dtype_size(pack->dst_type), first = panel * KZ_PANEL;
    size_t n_out = pack->n_out - first < KZ_PANEL ? pack->n_out - first : KZ_PANEL;
    bool finite = true;
    if (n_out < KZ_PANEL)
        memset(dst, 0, pack->n_in * KZ_PANEL * size);
    for (size_t k = 0, n; k < pack->n_in; k += n) {
        size_t done = 0;
        n = pack->k_inner - k % pack->k_inner;
        n = n < BLOCK ? n : BLOCK;
        n = n < pack->n_in - k ? n : pack->n_in - k;
        if (n_out == KZ_PANEL && pack->k_inner_step == 1)
            finite &= pack_blocks(dst + k * KZ_PANEL * size, pack, first, k, n, &done);
        for (size_t o = 0; done < n && o < n_out; o++)
            finite &= pack_run(dst + ((k + done) * KZ_PANEL + o) * size, pack, first + o, k + done, n - done);
    }
    return finite;
}

bool kz_pack_panels(void *dst, const kz_pack *pack, size_t p0, size_t p1) {
    if (kz_is_quantized(pack->src_type) || kz_is_quantized(pack->dst_type))
        return kz_pack_quantized(dst, pack, p0, p1);
    size_t n_byte = kz_panel_bytes(pack->dst_type, pack->n_in);
    bool finite = true;
    for (size_t panel = p0; panel < p1; panel++)
        finite &= pack_panel((unsigned char *)dst + panel * n_byte, pack, panel);
    return finite;
}
