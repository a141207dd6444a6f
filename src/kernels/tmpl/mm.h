/* tmpl/mm.h: the matmul in register tiles.  SPDX-License-Identifier: Apache-2.0
 *
 * A tile is n_panel panels by n_row rows; its accumulators stay in registers over the whole of k. Chains are never split,
 * so the tile's size changes speed only. With few rows more panels run side by side, which hides the latency of fma. */
#ifndef KZ_KERNELS_TMPL_MM_H
#define KZ_KERNELS_TMPL_MM_H

#include "kernels/tmpl/finish.h"

/* The most accumulators of any tile. */
#define KZ_MM_MAX_ACC (KZ_MM_ROWS * KZ_MM_PANELS_N > 16 ? KZ_MM_ROWS * KZ_MM_PANELS_N : 16)
#define KZ_MM_MAX_PANELS 8
#define KZ_MM_NEAR (1 << 20) /* bytes of weights that stay in the second cache */
#define KZ_MM_NEXT_ROWS 3    /* rows of a tile from which it fetches what is needed next */
#define KZ_MM_AHEAD 1024     /* bytes the weights are fetched ahead, from the second cache; */
#define KZ_MM_FAR 1024       /* and from memory, where few rows leave no other time */

/* The weights needed next, fetched into the second cache a few bytes each k: with several tiles of rows over the same
 * panels the memory would rest in all but the first. */
typedef struct mm_next {
    const unsigned char *at;
    size_t step;
} mm_next;

typedef void (*mm_tile_fn)(const kz_mm *mm, size_t panel, size_t row, mm_next next);

/* Weights k = 16 lanes of a panel at element `at`. */
KZ_INLINE v16 mm_weights(const void *w, kz_dtype type, size_t at) {
    if (type == KZ_F32)
        return v_load_f32((const float *)w + at);
    if (type == KZ_BF16)
        return v_load_bf16((const uint16_t *)w + at);
    return v_load_f16((const uint16_t *)w + at);
}

KZ_INLINE size_t mm_weight_size(kz_dtype type) { return type == KZ_F32 ? 4 : 2; }

/* acc[row * n_panel + panel] += weights * one segment of x. w: first panel at the segment's first k. Every fourth row has
 * a pointer of its own, hidden from the optimiser, so that few registers hold the addresses of all. */
KZ_INLINE void mm_segment(v16 *acc, const unsigned char *w, size_t panel_size, const float *x, size_t x_row, size_t n,
                          mm_next next, kz_dtype type, int n_panel, int n_row) {
    size_t step = 16 * mm_weight_size(type);
    const float *x4[(KZ_MM_ROWS + 3) / 4];
    KZ_UNROLL
    for (int r = 0; r < n_row; r += 4) {
        x4[r / 4] = x + (size_t)r * x_row;
        KZ_HIDE(x4[r / 4]);
    }
    const size_t a_line = n_row < KZ_MM_NEXT_ROWS ? 64 / step : 1; /* steps that read one line of weights */
    for (size_t i = 0; i < n; i += a_line) {
        const size_t some = n - i < a_line ? n - i : a_line;
        if (n_row >= KZ_MM_NEXT_ROWS) {
            v_prefetch_far(next.at);
            next.at += next.step;
        }
        KZ_UNROLL
        for (int p = 0; p < n_panel; p++) {
            if (n_row < KZ_MM_NEXT_ROWS)
                v_prefetch_far(w + (size_t)p * panel_size + KZ_MM_FAR);
            else
                v_prefetch(w + (size_t)p * panel_size + KZ_MM_AHEAD);
        }
        for (size_t j = 0; j < some; j++, w += step) {
            v16 wk[KZ_MM_MAX_PANELS];
            KZ_UNROLL
            for (int p = 0; p < n_panel; p++)
                wk[p] = mm_weights(w + (size_t)p * panel_size, type, 0);
            KZ_UNROLL
            for (int r = 0; r < n_row; r++) {
                v16 xk = v_set(x4[r / 4][(size_t)(r % 4) * x_row]);
                x4[r / 4] += r % 4 == 3 || r == n_row - 1;
                KZ_UNROLL
                for (int p = 0; p < n_panel; p++)
                    acc[r * n_panel + p] = v_fma(wk[p], xk, acc[r * n_panel + p]);
            }
        }
    }
}

KZ_INLINE void mm_tile(const kz_mm *mm, size_t panel, size_t row, mm_next next, kz_dtype type, int n_panel, int n_row) {
    v16 acc[KZ_MM_MAX_ACC];
    KZ_UNROLL
    for (int p = 0; p < n_panel; p++) {
        v16 b = mm->bias ? v_load(mm->bias + (panel + (size_t)p) * 16) : v_zero();
        KZ_UNROLL
        for (int r = 0; r < n_row; r++)
            acc[r * n_panel + p] = b;
    }
    size_t size = mm_weight_size(type), panel_size = mm->n_seg * mm->seg_len * 16 * size;
    const unsigned char *w = (const unsigned char *)mm->w + panel * panel_size;
    const float *x = mm->x + row * mm->x_row;
    for (size_t seg = 0; seg < mm->n_seg; seg++) {
        mm_segment(acc, w, panel_size, x, mm->x_row, mm->seg_len, next, type, n_panel, n_row);
        next.at += mm->seg_len * next.step;
        w += mm->seg_len * 16 * size;
        x += mm->seg_step;
    }
    float chain[KZ_MM_MAX_ACC * 16];
    KZ_UNROLL
    for (int i = 0; i < n_row * n_panel; i++)
        v_store(chain + i * 16, acc[i]);
    mm_finish(mm, chain, panel, row, (size_t)n_panel, (size_t)n_row);
}

/* Several tiles share a call's rows evenly, so each has at least half of KZ_MM_ROWS: all those must want the same number
 * of panels. */
_Static_assert(KZ_MM_PANELS_3 == KZ_MM_PANELS_N || KZ_MM_ROWS / 2 > 3, "tiles of one call differ in panels");
_Static_assert(KZ_MM_PANELS_1 <= KZ_MM_MAX_PANELS && KZ_MM_PANELS_2 <= KZ_MM_MAX_PANELS, "too many panels");

/* Panels of the wide tile for n rows. */
#define KZ_MM_WIDE(n)                                                                                                  \
    ((n) == 1 ? KZ_MM_PANELS_1 : (n) == 2 ? KZ_MM_PANELS_2 : (n) == 3 ? KZ_MM_PANELS_3 : KZ_MM_PANELS_N)

/* Tiles of n rows: as many panels as suit them, and one. */
#define KZ_MM_DEFINE(type, n)                                                                                          \
    static void mm_##type##_wide_##n(const kz_mm *mm, size_t panel, size_t row, mm_next next) {                        \
        mm_tile(mm, panel, row, next, KZ_##type, KZ_MM_WIDE(n), n);                                                    \
    }                                                                                                                  \
    static void mm_##type##_one_##n(const kz_mm *mm, size_t panel, size_t row, mm_next next) {                         \
        mm_tile(mm, panel, row, next, KZ_##type, 1, n);                                                                \
    }
#define KZ_MM_ENTRY(type, n) {mm_##type##_one_##n, mm_##type##_wide_##n}

#if KZ_MM_ROWS == 5
#define KZ_MM_EACH(f, type, sep) f(type, 1) sep f(type, 2) sep f(type, 3) sep f(type, 4) sep f(type, 5)
#elif KZ_MM_ROWS == 6
#define KZ_MM_EACH(f, type, sep) f(type, 1) sep f(type, 2) sep f(type, 3) sep f(type, 4) sep f(type, 5) sep f(type, 6)
#elif KZ_MM_ROWS == 12
#define KZ_MM_EACH(f, type, sep)                                                                                       \
    f(type, 1) sep f(type, 2) sep f(type, 3) sep f(type, 4) sep f(type, 5) sep f(type, 6) sep f(type, 7)               \
        sep f(type, 8) sep f(type, 9) sep f(type, 10) sep f(type, 11) sep f(type, 12)
#endif
#define KZ_MM_NOTHING
#define KZ_MM_COMMA ,

KZ_MM_EACH(KZ_MM_DEFINE, F32, KZ_MM_NOTHING)
KZ_MM_EACH(KZ_MM_DEFINE, BF16, KZ_MM_NOTHING)
KZ_MM_EACH(KZ_MM_DEFINE, F16, KZ_MM_NOTHING)

/* Tile t of n_tile fetches its share of the n panels from p on. Not where there is nothing to win: all weights fit the
 * second cache, or each is read once. */
static mm_next mm_share(const kz_mm *mm, kz_dtype type, size_t p, size_t n, size_t t, size_t n_tile) {
    size_t n_k = mm->n_seg * mm->seg_len, size = 16 * mm_weight_size(type), step = (n * size + n_tile - 1) / n_tile;
    bool none = n_tile == 1 || (p + n - 1) * 16 >= mm->n_out || mm->n_out * n_k * mm_weight_size(type) <= KZ_MM_NEAR;
    return none ? (mm_next){mm->w, 0} : (mm_next){(const unsigned char *)mm->w + (p * size + t * step) * n_k, step};
}

/* Rows are shared out evenly among as few tiles as possible; the weights of a tile's panels are read once a tile. */
static void mm_run(const mm_tile_fn tiles[KZ_MM_ROWS][2], const kz_mm *mm, kz_dtype type, size_t p0, size_t p1,
                   size_t r0, size_t r1) {
    static const unsigned char wide[3] = {KZ_MM_PANELS_1, KZ_MM_PANELS_2, KZ_MM_PANELS_3};
    size_t n_row = r1 - r0, n_tile = (n_row + KZ_MM_ROWS - 1) / KZ_MM_ROWS;
    size_t n_wide = n_row <= 3 ? wide[n_row - 1] : KZ_MM_PANELS_N;
    for (size_t p = p0, n; p < p1; p += n) {
        bool whole = p1 - p >= n_wide;
        n = whole ? n_wide : 1;
        for (size_t t = 0, r = r0; t < n_tile; t++) {
            size_t next = r0 + n_row * (t + 1) / n_tile;
            tiles[next - r - 1][whole](mm, p, r, mm_share(mm, type, p + n, n, t, n_tile));
            r = next;
        }
    }
}

#define KZ_MM_RUN(name, type)                                                                                          \
    static void name(const kz_mm *mm, size_t p0, size_t p1, size_t r0, size_t r1) {                                    \
        static const mm_tile_fn tiles[KZ_MM_ROWS][2] = {KZ_MM_EACH(KZ_MM_ENTRY, type, KZ_MM_COMMA)};                   \
        if (p1 > p0 && r1 > r0)                                                                                        \
            mm_run(tiles, mm, KZ_##type, p0, p1, r0, r1);                                                              \
    }
KZ_MM_RUN(mm_f32, F32)
KZ_MM_RUN(mm_bf16, BF16)
KZ_MM_RUN(mm_f16, F16)

#endif
