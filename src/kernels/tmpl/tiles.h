/* tmpl/tiles.h: into and out of the tiles of a convolution with 7 taps.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_KERNELS_TMPL_TILES_H
#define KZ_KERNELS_TMPL_TILES_H

/* One vector of columns: v of d, both in steps of the caller's. n: columns there are, 16 or fewer. */
KZ_INLINE v16 tile_load(const float *p, size_t n) { return n == 16 ? v_load(p) : v_load_part(p, n); }
KZ_INLINE void tile_store(float *p, v16 a, size_t n) {
    if (n == 16)
        v_store(p, a);
    else
        v_store_part(p, a, n);
}

KZ_INLINE void tile_in_16(float *v, size_t v_step, const float *x, size_t x_step, size_t n, bool both) {
    const v16 d1 = tile_load(x + x_step, n), d2 = tile_load(x + 2 * x_step, n), d3 = tile_load(x + 3 * x_step, n);
    const v16 d4 = tile_load(x + 4 * x_step, n), d5 = tile_load(x + 5 * x_step, n), d6 = tile_load(x + 6 * x_step, n);
    const v16 d7 = both ? tile_load(x + 7 * x_step, n) : v_zero();
    tile_store(v, v_fma(v_set(5.25f), v_sub(d2, d4), v_sub(d6, tile_load(x, n))), n);
    tile_store(v + 7 * v_step, v_fma(v_set(5.25f), v_sub(d3, d5), v_sub(d7, d1)), n);
    v16 a = v_fma(v_set(-4.25f), d4, v_add(d2, d6)), b = v_fma(v_set(-4.25f), d3, v_add(d1, d5));
    tile_store(v + v_step, v_add(a, b), n);
    tile_store(v + 2 * v_step, v_sub(a, b), n);
    a = v_fma(v_set(0.25f), d2, v_fma(v_set(-1.25f), d4, d6));
    b = v_fma(v_set(0.5f), d1, v_fma(v_set(-2.5f), d3, v_add(d5, d5)));
    tile_store(v + 3 * v_step, v_add(a, b), n);
    tile_store(v + 4 * v_step, v_sub(a, b), n);
    a = v_fma(v_set(4.0f), d2, v_fma(v_set(-5.0f), d4, d6));
    b = v_fma(v_set(2.0f), d1, v_fma(v_set(-2.5f), d3, v_mul(v_set(0.5f), d5)));
    tile_store(v + 5 * v_step, v_add(a, b), n);
    tile_store(v + 6 * v_step, v_sub(a, b), n);
}

static void tile_in(float *v, size_t v_step, const float *x, size_t x_step, size_t n, bool both) {
    size_t i = 0;
    for (; i + 16 <= n; i += 16)
        tile_in_16(v + i, v_step, x + i, x_step, 16, both);
    if (i < n)
        tile_in_16(v + i, v_step, x + i, x_step, n - i, both);
}

KZ_INLINE void tile_out_16(float *y0, float *y1, const float *m, size_t m_step, size_t n) {
    const v16 m1 = tile_load(m + m_step, n), m2 = tile_load(m + 2 * m_step, n), m3 = tile_load(m + 3 * m_step, n);
    const v16 m4 = tile_load(m + 4 * m_step, n), m5 = tile_load(m + 5 * m_step, n), m6 = tile_load(m + 6 * m_step, n);
    const v16 sum = v_add(v_add(m1, m2), v_add(v_add(m3, m4), v_add(m5, m6)));
    tile_store(y0, v_add(tile_load(m, n), sum), n);
    if (!y1)
        return;
    const v16 odd = v_fma(v_set(2.0f), v_sub(m3, m4), v_mul(v_set(0.5f), v_sub(m5, m6)));
    tile_store(y1, v_add(tile_load(m + 7 * m_step, n), v_add(v_sub(m1, m2), odd)), n);
}

static void tile_out(float *y0, float *y1, const float *m, size_t m_step, size_t n) {
    size_t i = 0;
    for (; i + 16 <= n; i += 16)
        tile_out_16(y0 + i, y1 ? y1 + i : NULL, m + i, m_step, 16);
    if (i < n)
        tile_out_16(y0 + i, y1 ? y1 + i : NULL, m + i, m_step, n - i);
}

#endif
