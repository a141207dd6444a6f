/* amx.c: quantised matmuls in AMX tiles.  SPDX-License-Identifier: Apache-2.0
 *
 * A block of 32 inputs of a panel is a tile as it lies in memory, the same block of up to 16 rows another; one instruction
 * gives all their sums, 16 outputs of each row. They go through a small buffer to the vectors that hold the chains; while
 * those take one pair's sums, the tiles make the next. Up to some dozens of rows the weights' way from memory takes most of
 * the time, and the level below goes it faster.
 *
 * The configuration of tiles is a thread's own: set for each tile of rows and released at the end of a call, for a thread
 * with tiles in use has more to save when it is switched, and no other code expects them. A call takes 60 KiB of stack. */
#if !defined(__AMX_TILE__) || !defined(__AMX_INT8__)
#error "this file needs -mamx-tile -mamx-int8"
#endif

#include "kernels/x86/vec_avx512.h"

#include "kernels/quant.h"
#include "kernels/tables.h"

#include "kernels/tmpl/finish.h"

/* Rows of a tile, the least of one and of a call; pairs of inputs that go through a group of panels together; panels of a
 * group, and the bytes that leave room for the next group in the second cache. */
enum { TILE_ROWS = 16, LEAST_ROWS = 12, LEAST_CALL = 48, CHUNK = 16, GROUP = 32, GROUP_BYTES = 512 << 10 };

/* Compilers needn't know what a tile instruction reads or writes: nothing in memory may move past. */
#define SETTLE() __asm__ volatile("" ::: "memory")

/* As the instruction reads it: rows, and bytes of a row, of each tile. */
typedef struct tile_config {
    uint8_t palette, start_row, reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
} tile_config;

_Static_assert(sizeof(tile_config) == 64, "no gaps");

/* Tiles 0 and 1: sums of a pair's halves; 2 and 3: inputs of the rows; 4 and 5: weights. */
static void configure(size_t n_row) {
    tile_config c = {.palette = 1};
    for (int i = 0; i < 2; i++) {
        c.rows[i] = c.rows[2 + i] = (uint8_t)n_row;
        c.rows[4 + i] = KZ_BLOCK / 4;
        c.row_bytes[i] = c.row_bytes[4 + i] = KZ_PANEL * 4;
        c.row_bytes[2 + i] = KZ_BLOCK;
    }
    SETTLE();
    _tile_loadconfig(&c);
}

/* A pair's sums, and its weights when they must be widened. */
typedef struct sums {
    _Alignas(64) int32_t of[2][TILE_ROWS][KZ_PANEL];
    int8_t w[2][8][KZ_PANEL][4];
} sums;

/* A chunk of a tile's rows, aligned: a tile's row that crosses a line costs as much as six that don't. */
typedef struct rows {
    _Alignas(64) int8_t q[CHUNK][TILE_ROWS][KZ_PAIR];
    float d[CHUNK][2][TILE_ROWS];
} rows;

/* The chains of a group of panels between two chunks. */
typedef struct chains {
    _Alignas(64) float of[GROUP][TILE_ROWS][KZ_PANEL];
} chains;

/* Panels that go through a chunk of inputs together, of one of the two sizes of weights. */
typedef struct work {
    const unsigned char *w; /* the first panel's part of the chunk; the next panel's is w_step bytes further */
    size_t w_step, n_panel, n_pair;
    const unsigned char *next; /* what is needed later, fetched n_line lines a pair and panel, panels w_step apart */
    size_t n_line;
    const int8_t *value; /* of half bytes */
} work;

static void gather_rows(rows *to, const kz_qx *x, size_t n_pair, size_t n, size_t n_row) {
    for (size_t r = 0; r < n_row; r++, x += n_pair)
        for (size_t i = 0; i < n; i++) {
            _mm512_store_si512((void *)to->q[i][r], _mm512_loadu_si512((const void *)x[i].q));
            to->d[i][0][r] = x[i].d[0];
            to->d[i][1][r] = x[i].d[1];
        }
}

/* Half bytes as bytes, in the order of q8. */
KZ_INLINE void widen_pair(sums *s, const kz_q4_pair *pair, const int8_t *value) {
    const __m512i mask = _mm512_set1_epi8(15);
    const __m512i table = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)value));
    KZ_UNROLL
    for (int i = 0; i < 8; i++) {
        __m512i w = _mm512_load_si512((const void *)pair->q[i / 4][i % 4]), high = _mm512_srli_epi16(w, 4);
        _mm512_store_si512((void *)s->w[i / 4][i % 4], _mm512_shuffle_epi8(table, _mm512_and_si512(w, mask)));
        _mm512_store_si512((void *)s->w[i / 4][4 + i % 4], _mm512_shuffle_epi8(table, _mm512_and_si512(high, mask)));
    }
}

/* q: inputs of the rows; pair: weights. */
KZ_INLINE void sum_pair(sums *s, const int8_t *q, const unsigned char *pair, const int8_t *value) {
    const int8_t *w = value ? s->w[0][0][0] : ((const kz_q8_pair *)(const void *)pair)->q[0][0][0];
    if (value)
        widen_pair(s, (const kz_q4_pair *)(const void *)pair, value);
    SETTLE();
    _tile_loadd(2, q, KZ_PAIR);
    _tile_loadd(4, w, KZ_PANEL * 4);
    _tile_zero(0);
    _tile_dpbssd(0, 2, 4);
    _tile_loadd(3, q + KZ_BLOCK, KZ_PAIR);
    _tile_loadd(5, w + KZ_BLOCK * KZ_PANEL, KZ_PANEL * 4);
    _tile_zero(1);
    _tile_dpbssd(1, 3, 5);
    _tile_stored(0, s->of[0], KZ_PANEL * 4);
    _tile_stored(1, s->of[1], KZ_PANEL * 4);
    SETTLE();
}

/* Scales of weights come first in a pair of either kind. */
KZ_INLINE void add_pair(v16 *acc, const sums *s, const float (*d)[TILE_ROWS], const unsigned char *pair, int n_row) {
    KZ_UNROLL
    for (int half = 0; half < 2; half++) {
        v16 w = v_load_f16((const uint16_t *)(const void *)pair + half * KZ_PANEL);
        KZ_UNROLL
        for (int r = 0; r < n_row; r++) {
            v16 sum = _mm512_cvtepi32_ps(_mm512_load_si512((const void *)s->of[half][r]));
            acc[r] = v_fma(v_mul(w, v_set(d[half][r])), sum, acc[r]);
        }
    }
}

/* A chunk of inputs of some panels into their chains. */
KZ_INLINE void tile(chains *c, const work *todo, const rows *x, const int8_t *value, int n_row) {
    const size_t n = todo->n_pair, size = value ? sizeof(kz_q4_pair) : sizeof(kz_q8_pair);
    sums s[2];
    size_t at = 0;
    sum_pair(&s[0], x->q[0][0], todo->w, value);
    for (size_t p = 0; p < todo->n_panel; p++) {
        const unsigned char *w = todo->w + p * todo->w_step, *next = todo->next + p * todo->w_step;
        v16 acc[TILE_ROWS];
        KZ_UNROLL
        for (int r = 0; r < n_row; r++)
            acc[r] = v_load(c->of[p][r]);
        for (size_t i = 0; i < n; i++, w += size, at ^= 1) {
            for (size_t line = 0; line < todo->n_line; line++, next += 64)
                v_prefetch_far(next);
            if (i + 1 < n)
                sum_pair(&s[at ^ 1], x->q[i + 1][0], w + size, value);
            else if (p + 1 < todo->n_panel)
                sum_pair(&s[at ^ 1], x->q[0][0], todo->w + (p + 1) * todo->w_step, value);
            add_pair(acc, &s[at], x->d[i], w, n_row);
        }
        KZ_UNROLL
        for (int r = 0; r < n_row; r++)
            v_store(c->of[p][r], acc[r]);
    }
}

#define DEFINE(n)                                                                                                      \
    static void q8_##n(chains *c, const work *todo, const rows *x) { tile(c, todo, x, NULL, n); }                      \
    static void q4_##n(chains *c, const work *todo, const rows *x) { tile(c, todo, x, todo->value, n); }
DEFINE(12)
DEFINE(13)
DEFINE(14)
DEFINE(15)
DEFINE(16)

typedef void (*tile_fn)(chains *c, const work *todo, const rows *x);
static const tile_fn q8_tiles[] = {q8_12, q8_13, q8_14, q8_15, q8_16};
static const tile_fn q4_tiles[] = {q4_12, q4_13, q4_14, q4_15, q4_16};

static size_t min_size(size_t a, size_t b) { return a < b ? a : b; }

static void begin_chains(chains *c, const kz_mm *mm, size_t p0, size_t p1, size_t n_row) {
    for (size_t p = p0; p < p1; p++) {
        v16 b = mm->bias ? v_load(mm->bias + p * KZ_PANEL) : v_zero();
        for (size_t r = 0; r < n_row; r++)
            v_store(c->of[p - p0][r], b);
    }
}

/* A group of panels and a tile of rows, a chunk of inputs after the other. Each of n_tile tiles fetches its share of as
 * many panels that come next. */
static void run_group(const kz_mm *mm, const int8_t *value, size_t p0, size_t p1, size_t r0, size_t r1, size_t i_tile,
                      size_t n_tile) {
    const size_t pair = value ? sizeof(kz_q4_pair) : sizeof(kz_q8_pair), n_pair = kz_pairs(mm->seg_len);
    const size_t n_row = r1 - r0, n_line = (pair / 64 + n_tile - 1) / n_tile;
    const unsigned char *w = mm->w;
    const tile_fn *tiles = value ? q4_tiles : q8_tiles;
    bool more = (2 * p1 - p0 - 1) * KZ_PANEL < mm->n_out;
    rows x;
    chains c;
    begin_chains(&c, mm, p0, p1, n_row);
    configure(n_row);
    for (size_t k = 0; k < n_pair; k += CHUNK) {
        size_t n = min_size(CHUNK, n_pair - k);
        gather_rows(&x, mm->qx + r0 * n_pair + k, n_pair, n, n_row);
        work todo = {w + (p0 * n_pair + k) * pair, n_pair * pair, p1 - p0, n, w, 0, value};
        if (more) {
            todo.next = w + (p1 * n_pair + k) * pair + i_tile * n_line * n * 64;
            todo.n_line = n_line;
        }
        tiles[n_row - LEAST_ROWS](&c, &todo, &x);
    }
    for (size_t p = p0; p < p1; p++)
        mm_finish(mm, c.of[p - p0][0], p, r0, 1, n_row);
}

/* Rows are shared out evenly among as few tiles as possible. */
static void run(const kz_mm *mm, const int8_t *value, size_t p0, size_t p1, size_t r0, size_t r1) {
    size_t size = kz_pairs(mm->seg_len) * (value ? sizeof(kz_q4_pair) : sizeof(kz_q8_pair));
    size_t group = min_size(GROUP, GROUP_BYTES / size + 1), n_row = r1 - r0;
    size_t n_tile = (n_row + TILE_ROWS - 1) / TILE_ROWS;
    for (size_t p = p0, end; p < p1; p = end) {
        end = min_size(p1, p + group);
        for (size_t t = 0, r = r0, next; t < n_tile; t++, r = next) {
            next = r0 + n_row * (t + 1) / n_tile;
            run_group(mm, value, p, end, r, next, t, n_tile);
        }
    }
    _tile_release();
}

_Static_assert((LEAST_CALL + 1) / (LEAST_CALL / TILE_ROWS + 1) >= LEAST_ROWS, "the first call with a tile more");

void kz_mm_q8_amx(const kz_mm *mm, size_t p0, size_t p1, size_t r0, size_t r1) {
    if (r1 < r0 + LEAST_CALL)
        kz_mm_q8_avx512vnni(mm, p0, p1, r0, r1);
    else
        run(mm, NULL, p0, p1, r0, r1);
}

void kz_mm_q4_amx(const kz_mm *mm, size_t p0, size_t p1, size_t r0, size_t r1) {
    if (r1 < r0 + LEAST_CALL)
        kz_mm_q4_avx512vnni(mm, p0, p1, r0, r1);
    else
        run(mm, kz_q4_value, p0, p1, r0, r1);
}

void kz_mm_q4_0_amx(const kz_mm *mm, size_t p0, size_t p1, size_t r0, size_t r1) {
    if (r1 < r0 + LEAST_CALL)
        kz_mm_q4_0_avx512vnni(mm, p0, p1, r0, r1);
    else
        run(mm, kz_q4_0_value, p0, p1, r0, r1);
}
