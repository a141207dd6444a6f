/* tmpl/quantized.h: the matmul over blocks of whole numbers.  SPDX-License-Identifier: Apache-2.0
 *
 * Before it, an instruction set's int_<isa>.h defines
 *      vi                                     16 sums, one an output
 *      vw, vx                                 KZ_Q_STEP inputs of 16 weights, of a row
 *      vi_start(offset), v_from_int(vi)       what sums begin with (see kz_qx), and they as floats
 *      vw_load(p), vw_load_q4(lo, hi, p, t)   weights in the form its products want; t from vt_load(16 values)
 *      vx_load(p), vi_dot(sum, w, x)
 * or, in place of vw, vx and what uses them, sum_q8 and sum_q4 as a whole (KZ_Q_OWN_SUMS). Sums of a block are exact, so
 * their order is free. */
#ifndef KZ_KERNELS_TMPL_QUANTIZED_H
#define KZ_KERNELS_TMPL_QUANTIZED_H

#include "kernels/quant.h"
#include "kernels/tables.h"

#include "kernels/tmpl/finish.h"

enum { Q_MAX_TILE = KZ_Q_ROWS * KZ_Q_PANELS_N > KZ_Q_PANELS_1 ? KZ_Q_ROWS *KZ_Q_PANELS_N : KZ_Q_PANELS_1 };
/* With so few rows the weights come once and their transfer is all the time there is: a tile fetches what it reads itself
 * soon, a line with each line, for a burst would fill the buffers that loads need. */
enum { Q_STREAM_ROWS = 2 };
enum { Q_MAX_PANELS = KZ_Q_PANELS_N > KZ_Q_PANELS_1 ? KZ_Q_PANELS_N : KZ_Q_PANELS_1 };

#ifndef KZ_Q_OWN_SUMS
/* sum[row * n_panel + panel] of one half of a pair. w: the first panel's weights of it; x: the first row's 32 inputs. */
KZ_INLINE void sum_q8(vi *sum, const int8_t *w, size_t panel_size, const int8_t *x, size_t x_row, int n_panel,
                      int n_row) {
    KZ_UNROLL
    for (int k = 0; k < KZ_BLOCK; k += KZ_Q_STEP) {
        vw wk[Q_MAX_PANELS];
        KZ_UNROLL
        for (int p = 0; p < n_panel; p++) {
            wk[p] = vw_load(w + (size_t)p * panel_size + k * KZ_PANEL);
            if (n_row <= Q_STREAM_ROWS)
                v_prefetch_far(w + (size_t)p * panel_size + k * KZ_PANEL + KZ_Q_AHEAD);
        }
        KZ_UNROLL
        for (int r = 0; r < n_row; r++) {
            vx xk = vx_load(x + (size_t)r * x_row + k);
            KZ_UNROLL
            for (int p = 0; p < n_panel; p++)
                sum[r * n_panel + p] = vi_dot(sum[r * n_panel + p], wk[p], xk);
        }
    }
}

/* The low halves of a byte are inputs 0 .. 15, the high ones 16 .. 31. */
KZ_INLINE void sum_q4(vi *sum, const uint8_t *w, size_t panel_size, const int8_t *x, size_t x_row, vt table,
                      int n_panel, int n_row) {
    KZ_UNROLL
    for (int k = 0; k < KZ_BLOCK / 2; k += KZ_Q_STEP) {
        vw lo[Q_MAX_PANELS], hi[Q_MAX_PANELS];
        KZ_UNROLL
        for (int p = 0; p < n_panel; p++) {
            vw_load_q4(&lo[p], &hi[p], w + (size_t)p * panel_size + k * KZ_PANEL, table);
            if (n_row <= Q_STREAM_ROWS)
                v_prefetch_far(w + (size_t)p * panel_size + k * KZ_PANEL + KZ_Q_AHEAD);
        }
        KZ_UNROLL
        for (int r = 0; r < n_row; r++) {
            vx xl = vx_load(x + (size_t)r * x_row + k), xh = vx_load(x + (size_t)r * x_row + k + KZ_BLOCK / 2);
            KZ_UNROLL
            for (int p = 0; p < n_panel; p++)
                sum[r * n_panel + p] = vi_dot(vi_dot(sum[r * n_panel + p], lo[p], xl), hi[p], xh);
        }
    }
}
#endif

/* One half (0 or 1) of a pair into the chains. pair: the first panel's; x: the first row's. */
KZ_INLINE void add_block(v16 *acc, const unsigned char *pair, size_t panel_size, const kz_qx *x, size_t x_row, int half,
                         const vt *table, int n_panel, int n_row) {
    vi sum[Q_MAX_TILE];
    KZ_UNROLL
    for (int r = 0; r < n_row; r++) {
        vi first = vi_start(x[(size_t)r * x_row].offset[half]);
        KZ_UNROLL
        for (int p = 0; p < n_panel; p++)
            sum[r * n_panel + p] = first;
    }
    const int8_t *xq = x->q + half * KZ_BLOCK;
    if (table)
        sum_q4(sum, ((const kz_q4_pair *)(const void *)pair)->q[half][0][0], panel_size, xq, x_row * sizeof *x, *table,
               n_panel, n_row);
    else
        sum_q8(sum, ((const kz_q8_pair *)(const void *)pair)->q[half][0][0], panel_size, xq, x_row * sizeof *x, n_panel,
               n_row);
    KZ_UNROLL
    for (int p = 0; p < n_panel; p++) {
        v16 d = v_load_f16((const uint16_t *)(const void *)(pair + (size_t)p * panel_size) + half * KZ_PANEL);
        KZ_UNROLL
        for (int r = 0; r < n_row; r++)
            acc[r * n_panel + p] = v_fma(v_mul(d, v_set(x[(size_t)r * x_row].d[half])),
                                         v_from_int(sum[r * n_panel + p]), acc[r * n_panel + p]);
    }
}

/* What a tile of more rows fetches in advance: some lines a pair of the panels that come next. */
typedef struct fetch {
    const unsigned char *next;
    size_t n_line;
} fetch;

/* A pair of each panel: the line of the scales, the sums fetch the others; or all. */
KZ_INLINE void fetch_pair(const unsigned char *w, size_t panel_size, size_t size, int n_panel) {
#ifndef KZ_Q_OWN_SUMS
    size = 64;
#endif
    for (int p = 0; p < n_panel; p++)
        for (size_t line = 0; line < size; line += 64)
            v_prefetch_far(w + (size_t)p * panel_size + line);
}

/* value: of half bytes, or NULL for whole ones. */
KZ_INLINE void quantized_tile(const kz_mm *mm, size_t panel, size_t row, const int8_t *value, fetch ahead, int n_panel,
                              int n_row) {
    v16 acc[Q_MAX_TILE];
    KZ_UNROLL
    for (int p = 0; p < n_panel; p++) {
        v16 b = mm->bias ? v_load(mm->bias + (panel + (size_t)p) * 16) : v_zero();
        KZ_UNROLL
        for (int r = 0; r < n_row; r++)
            acc[r * n_panel + p] = b;
    }
    size_t n_pair = kz_pairs(mm->seg_len), size = value ? sizeof(kz_q4_pair) : sizeof(kz_q8_pair);
    const unsigned char *w = (const unsigned char *)mm->w + panel * n_pair * size;
    const kz_qx *x = mm->qx + row * n_pair;
    const vt table = vt_load(value ? value : kz_q4_value);
    for (size_t i = 0; i < n_pair; i++, w += size, x++) {
        if (n_row <= Q_STREAM_ROWS)
            fetch_pair(w + KZ_Q_AHEAD, n_pair * size, size, n_panel);
        else
            for (size_t line = 0; line < ahead.n_line; line++, ahead.next += 64)
                v_prefetch_far(ahead.next);
        add_block(acc, w, n_pair * size, x, n_pair, 0, value ? &table : NULL, n_panel, n_row);
        add_block(acc, w, n_pair * size, x, n_pair, 1, value ? &table : NULL, n_panel, n_row);
    }
    float chain[Q_MAX_TILE * 16];
    KZ_UNROLL
    for (int i = 0; i < n_row * n_panel; i++)
        v_store(chain + i * 16, acc[i]);
    mm_finish(mm, chain, panel, row, (size_t)n_panel, (size_t)n_row);
}

typedef void (*quantized_tile_fn)(const kz_mm *mm, size_t panel, size_t row, const int8_t *value, fetch ahead);

#define KZ_Q_WIDE(n) ((n) <= Q_STREAM_ROWS ? KZ_Q_PANELS_1 : KZ_Q_PANELS_N)
#define KZ_Q_DEFINE(n)                                                                                                 \
    static void q8_wide_##n(const kz_mm *mm, size_t panel, size_t row, const int8_t *value, fetch ahead) {             \
        (void)value;                                                                                                   \
        quantized_tile(mm, panel, row, NULL, ahead, KZ_Q_WIDE(n), n);                                                  \
    }                                                                                                                  \
    static void q8_one_##n(const kz_mm *mm, size_t panel, size_t row, const int8_t *value, fetch ahead) {              \
        (void)value;                                                                                                   \
        quantized_tile(mm, panel, row, NULL, ahead, 1, n);                                                             \
    }                                                                                                                  \
    static void q4_wide_##n(const kz_mm *mm, size_t panel, size_t row, const int8_t *value, fetch ahead) {             \
        quantized_tile(mm, panel, row, value ? value : kz_q4_value, ahead, KZ_Q_WIDE(n), n);                           \
    }                                                                                                                  \
    static void q4_one_##n(const kz_mm *mm, size_t panel, size_t row, const int8_t *value, fetch ahead) {              \
        quantized_tile(mm, panel, row, value ? value : kz_q4_value, ahead, 1, n);                                      \
    }
#define KZ_Q_ENTRY_8(n) {q8_one_##n, q8_wide_##n}
#define KZ_Q_ENTRY_4(n) {q4_one_##n, q4_wide_##n}

KZ_Q_DEFINE(1)
KZ_Q_DEFINE(2)
KZ_Q_DEFINE(3)
KZ_Q_DEFINE(4)
#if KZ_Q_ROWS == 6
KZ_Q_DEFINE(5)
KZ_Q_DEFINE(6)
#define KZ_Q_EACH(f) {f(1), f(2), f(3), f(4), f(5), f(6)}
#else
_Static_assert(KZ_Q_ROWS == 4, "tiles are written out for 4 and 6 rows");
#define KZ_Q_EACH(f) {f(1), f(2), f(3), f(4)}
#endif

static const quantized_tile_fn q8_tiles[KZ_Q_ROWS][2] = KZ_Q_EACH(KZ_Q_ENTRY_8);
static const quantized_tile_fn q4_tiles[KZ_Q_ROWS][2] = KZ_Q_EACH(KZ_Q_ENTRY_4);

/* Of several tiles over the same panels each fetches its part of the next ones. */
static fetch what_to_fetch(const unsigned char *w, size_t n_byte, size_t pairs, size_t tile, size_t n_tile) {
    return (fetch){w + n_byte + n_byte / n_tile / 64 * 64 * tile, (pairs / 64 + n_tile - 1) / n_tile};
}

/* Rows are shared out evenly among as few tiles as possible. */
static void quantized_run(const quantized_tile_fn tiles[KZ_Q_ROWS][2], const int8_t *value, const kz_mm *mm, size_t p0,
                          size_t p1, size_t r0, size_t r1) {
    size_t n_row = r1 - r0, n_tile = (n_row + KZ_Q_ROWS - 1) / KZ_Q_ROWS, n_wide = KZ_Q_WIDE(n_row);
    size_t pair = value ? sizeof(kz_q4_pair) : sizeof(kz_q8_pair), size = kz_pairs(mm->seg_len) * pair;
    if (r1 <= r0)
        return;
    for (size_t p = p0, n; p < p1; p += n) {
        bool whole = p1 - p >= n_wide;
        n = whole ? n_wide : 1;
        for (size_t t = 0, r = r0; t < n_tile; t++) {
            size_t next = r0 + n_row * (t + 1) / n_tile;
            fetch ahead = what_to_fetch((const unsigned char *)mm->w + p * size, n * size, n * pair, t, n_tile);
            tiles[next - r - 1][whole](mm, p, r, value, ahead);
            r = next;
        }
    }
}

/* Several tiles of a call have at least half of KZ_Q_ROWS each, and must want the same panels. */
_Static_assert(KZ_Q_ROWS / 2 > Q_STREAM_ROWS || KZ_Q_PANELS_1 == KZ_Q_PANELS_N, "tiles of one call differ in panels");

/* The three matmuls of an instruction set. */
#define KZ_Q_RUN(isa)                                                                                                  \
    void kz_mm_q8_##isa(const kz_mm *mm, size_t p0, size_t p1, size_t r0, size_t r1) {                                 \
        quantized_run(q8_tiles, NULL, mm, p0, p1, r0, r1);                                                             \
    }                                                                                                                  \
    void kz_mm_q4_##isa(const kz_mm *mm, size_t p0, size_t p1, size_t r0, size_t r1) {                                 \
        quantized_run(q4_tiles, kz_q4_value, mm, p0, p1, r0, r1);                                                      \
    }                                                                                                                  \
    void kz_mm_q4_0_##isa(const kz_mm *mm, size_t p0, size_t p1, size_t r0, size_t r1) {                               \
        quantized_run(q4_tiles, kz_q4_0_value, mm, p0, p1, r0, r1);                                                    \
    }

#endif
