/* tmpl/attend.h: attention in tiles of queries.  SPDX-License-Identifier: Apache-2.0
 *
 * A block of positions, small enough for the first cache, meets all queries before the next block; several queries at
 * once share what is loaded of it. The chains over positions rest in y between blocks. */
#ifndef KZ_KERNELS_TMPL_ATTEND_H
#define KZ_KERNELS_TMPL_ATTEND_H

#include <string.h>

enum { ATTEND_BLOCK = 32 };

KZ_INLINE const float *attend_query(const kz_attend *a, size_t i) {
    return a->q + i / a->n_head * a->q_row + i % a->n_head * a->d_head;
}
KZ_INLINE float *attend_output(const kz_attend *a, size_t i) {
    return a->y + i / a->n_head * a->y_row + i % a->n_head * a->d_head;
}

/* Scores of n_p (4 or 1) positions from p on for n_q queries. */
KZ_INLINE void score_tile(const kz_attend *a, const float *const *q, float *const *s, size_t p, int n_q, int n_p) {
    const float *k = a->k + p * a->stride;
    v16 acc[KZ_ATTEND_Q][4];
    KZ_UNROLL
    for (int j = 0; j < n_q * n_p; j++)
        acc[j / n_p][j % n_p] = v_zero();
    size_t i = 0, rest = a->d_head % 16;
    for (; i + 16 <= a->d_head; i += 16) {
        v16 kp[4];
        KZ_UNROLL
        for (int j = 0; j < n_p; j++)
            kp[j] = v_load(k + (size_t)j * a->stride + i);
        KZ_UNROLL
        for (int j = 0; j < n_q * n_p; j++)
            acc[j / n_p][j % n_p] = v_fma(v_load(q[j / n_p] + i), kp[j % n_p], acc[j / n_p][j % n_p]);
    }
    if (rest > 0) {
        KZ_UNROLL
        for (int j = 0; j < n_q * n_p; j++)
            acc[j / n_p][j % n_p] =
                v_fma(v_load_part(q[j / n_p] + i, rest), v_load_part(k + (size_t)(j % n_p) * a->stride + i, rest),
                      acc[j / n_p][j % n_p]);
    }
    KZ_UNROLL
    for (int j = 0; j < n_q; j++) {
        if (n_p == 4)
            v_sum_4(s[j] + p, acc[j], a->scale);
        else
            s[j][p] = v_sum(acc[j][0]) * a->scale;
    }
}

/* Scores of positions [from, to) for n_q queries from i on. */
KZ_INLINE void score_some(const kz_attend *a, size_t i, size_t from, size_t to, int n_q) {
    const float *q[KZ_ATTEND_Q];
    float *s[KZ_ATTEND_Q];
    KZ_UNROLL
    for (int j = 0; j < n_q; j++) {
        q[j] = attend_query(a, i + (size_t)j);
        s[j] = a->scores + (i + (size_t)j) * a->score_row;
    }
    for (; from + 4 <= to; from += 4)
        score_tile(a, q, s, from, n_q, 4);
    for (; from < to; from++)
        score_tile(a, q, s, from, n_q, 1);
}

/* y += the weighted sum of value rows [from, to): outputs at .. at + 16 * n_v of n_q queries. */
KZ_INLINE void value_tile(const kz_attend *a, float *const *y, const float *const *e, size_t at, size_t from, size_t to,
                          int n_q, int n_v) {
    v16 acc[KZ_ATTEND_Q][KZ_ATTEND_V];
    KZ_UNROLL
    for (int j = 0; j < n_q * n_v; j++)
        acc[j / n_v][j % n_v] = v_load(y[j / n_v] + at + 16 * (j % n_v));
    const float *v = a->v + from * a->stride + at;
    for (size_t p = from; p < to; p++, v += a->stride) {
        v16 vp[KZ_ATTEND_V];
        KZ_UNROLL
        for (int j = 0; j < n_v; j++)
            vp[j] = v_load(v + 16 * j);
        KZ_UNROLL
        for (int j = 0; j < n_q * n_v; j++)
            acc[j / n_v][j % n_v] = v_fma(v_set(e[j / n_v][p]), vp[j % n_v], acc[j / n_v][j % n_v]);
    }
    KZ_UNROLL
    for (int j = 0; j < n_q * n_v; j++)
        v_store(y[j / n_v] + at + 16 * (j % n_v), acc[j / n_v][j % n_v]);
}

/* The last outputs, fewer than 16, of one query. */
static void value_rest(const kz_attend *a, float *y, const float *e, size_t at, size_t from, size_t to) {
    size_t rest = a->d_head - at;
    v16 acc = v_load_part(y + at, rest);
    for (size_t p = from; p < to; p++)
        acc = v_fma(v_set(e[p]), v_load_part(a->v + p * a->stride + at, rest), acc);
    v_store_part(y + at, acc, rest);
}

/* Value rows [from, to) for n_q queries from i on, all of which see them. */
KZ_INLINE void value_some(const kz_attend *a, size_t i, size_t from, size_t to, int n_q) {
    float *y[KZ_ATTEND_Q];
    const float *e[KZ_ATTEND_Q];
    size_t at = 0;
    KZ_UNROLL
    for (int j = 0; j < n_q; j++) {
        y[j] = attend_output(a, i + (size_t)j);
        e[j] = a->scores + (i + (size_t)j) * a->score_row;
    }
    for (; at + 16 * KZ_ATTEND_V <= a->d_head; at += 16 * KZ_ATTEND_V)
        value_tile(a, y, e, at, from, to, n_q, KZ_ATTEND_V);
    for (; at + 16 <= a->d_head; at += 16)
        value_tile(a, y, e, at, from, to, n_q, 1);
    for (int j = 0; j < n_q && at < a->d_head; j++)
        value_rest(a, y[j], e[j], at, from, to);
}

#if KZ_ATTEND_Q == 4
#define KZ_ATTEND_CASES(f, n, ...)                                                                                     \
    (n) == 4 ? f(__VA_ARGS__, 4) : (n) == 3 ? f(__VA_ARGS__, 3) : (n) == 2 ? f(__VA_ARGS__, 2) : f(__VA_ARGS__, 1)
#elif KZ_ATTEND_Q == 2
#define KZ_ATTEND_CASES(f, n, ...) (n) == 2 ? f(__VA_ARGS__, 2) : f(__VA_ARGS__, 1)
#endif

static size_t attend_max(size_t a, size_t b) { return a > b ? a : b; }
static size_t attend_min(size_t a, size_t b) { return a < b ? a : b; }

/* Scores of a block of positions, those that no query of the tile sees left out. */
static void score_block(const kz_attend *a, size_t i, size_t n, size_t from, size_t to) {
    from = attend_max(from, kz_attend_seen(a, i).begin);
    to = attend_min(to, kz_attend_seen(a, i + n - 1).end);
    KZ_ATTEND_CASES(score_some, n, a, i, from, to);
}

static void value_one(const kz_attend *a, size_t i, size_t from, size_t to) {
    kz_attend_range seen = kz_attend_seen(a, i);
    from = attend_max(from, seen.begin);
    to = attend_min(to, seen.end);
    if (from < to)
        value_some(a, i, from, to, 1);
}

/* Value rows of a block of positions. Those that only some of the tile's queries see come first and last. */
static void value_block(const kz_attend *a, size_t i, size_t n, size_t from, size_t to) {
    size_t begin = attend_max(from, kz_attend_seen(a, i + n - 1).begin);
    size_t end = attend_min(to, kz_attend_seen(a, i).end);
    if (begin >= end)
        begin = end = to;
    for (size_t j = i; j < i + n; j++)
        value_one(a, j, from, begin);
    if (begin < end)
        KZ_ATTEND_CASES(value_some, n, a, i, begin, end);
    for (size_t j = i; j < i + n; j++)
        value_one(a, j, end, to);
}

/* Every block of positions meets every tile of queries. */
static void attend_blocks(const kz_attend *a,
                          void (*block)(const kz_attend *a, size_t i, size_t n, size_t from, size_t to)) {
    size_t n_query = a->n_row * a->n_head, n_pos = a->n_pos + a->n_row - 1;
    for (size_t p = 0; p < n_pos; p += ATTEND_BLOCK)
        for (size_t i = 0; i < n_query; i += KZ_ATTEND_Q)
            block(a, i, attend_min(n_query - i, KZ_ATTEND_Q), p, attend_min(n_pos, p + ATTEND_BLOCK));
}

static void divide(float *y, float by, size_t n) {
    v16 l = v_set(by);
    size_t i = 0;
    for (; i + 16 <= n; i += 16)
        v_store(y + i, v_div(v_load(y + i), l));
    if (i < n)
        v_store_part(y + i, v_div(v_load_part(y + i, n - i), l), n - i);
}

static void attend(const kz_attend *a) {
    float l[KZ_ATTEND_QUERIES];
    size_t n_query = a->n_row * a->n_head;
    attend_blocks(a, score_block);
    for (size_t i = 0; i < n_query; i++) {
        kz_attend_range seen = kz_attend_seen(a, i);
        l[i] = softmax_exp(a->scores + i * a->score_row + seen.begin, seen.end - seen.begin);
        memset(attend_output(a, i), 0, a->d_head * sizeof(float));
    }
    attend_blocks(a, value_block);
    for (size_t i = 0; i < n_query; i++)
        divide(attend_output(a, i), l[i], a->d_head);
}

#endif
