/* pack.c: weights into panels.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "kernels/kernels.h"

/* Inputs copied for all 16 outputs before going on: source lines and panel stay in the first cache. */
enum { BLOCK = 64 };

static const uint32_t exponent_mask[3] = {0x7f800000u, 0x7f80u, 0x7c00u}; /* all set: not finite */

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

/* Weights (out, k), k0 <= k < k1, all within one stretch of k_inner, to column dst. */
static bool pack_run(unsigned char *dst, const kz_pack *pack, size_t out, size_t k0, size_t n) {
    ptrdiff_t at = pack->base + (ptrdiff_t)(out / pack->out_inner) * pack->out_outer_step +
                   (ptrdiff_t)(out % pack->out_inner) * pack->out_inner_step +
                   (ptrdiff_t)(k0 / pack->k_inner) * pack->k_outer_step +
                   (ptrdiff_t)(k0 % pack->k_inner) * pack->k_inner_step;
    const unsigned char *src = (const unsigned char *)pack->src + at * (ptrdiff_t)kz_dtype_size(pack->src_type);
    void *to = dst;
    if (pack->dst_type != pack->src_type)
        return widen(to, src, pack->src_type, pack->k_inner_step, n);
    if (pack->src_type == KZ_F32)
        return copy_32(to, src, pack->k_inner_step, n, exponent_mask[KZ_F32]);
    return copy_16(to, src, pack->k_inner_step, n, exponent_mask[pack->src_type]);
}

static bool pack_panel(unsigned char *dst, const kz_pack *pack, size_t panel) {
    size_t size = kz_dtype_size(pack->dst_type), first = panel * KZ_PANEL;
    size_t n_out = pack->n_out - first < KZ_PANEL ? pack->n_out - first : KZ_PANEL;
    bool finite = true;
    if (n_out < KZ_PANEL)
        memset(dst, 0, pack->n_in * KZ_PANEL * size);
    for (size_t k = 0, n; k < pack->n_in; k += n) {
        n = pack->k_inner - k % pack->k_inner;
        n = n < BLOCK ? n : BLOCK;
        n = n < pack->n_in - k ? n : pack->n_in - k;
        for (size_t o = 0; o < n_out; o++)
            finite &= pack_run(dst + (k * KZ_PANEL + o) * size, pack, first + o, k, n);
    }
    return finite;
}

bool kz_pack_panels(void *dst, const kz_pack *pack, size_t p0, size_t p1) {
    size_t n_byte = pack->n_in * KZ_PANEL * kz_dtype_size(pack->dst_type);
    bool finite = true;
    for (size_t panel = p0; panel < p1; panel++)
        finite &= pack_panel((unsigned char *)dst + panel * n_byte, pack, panel);
    return finite;
}
