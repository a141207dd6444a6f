/* tmpl/rows.h: norms, rotation, softmax, attention.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_KERNELS_TMPL_ROWS_H
#define KZ_KERNELS_TMPL_ROWS_H

static float sum(const float *x, size_t n) {
    v16 acc = v_zero();
    size_t i = 0;
    for (; i + 16 <= n; i += 16)
        acc = v_add(acc, v_load(x + i));
    if (i < n)
        acc = v_add(acc, v_load_part(x + i, n - i));
    return v_sum(acc);
}

static void rmsnorm(float *y, const float *x, const float *w, size_t n, float eps) {
    v16 acc = v_zero();
    size_t i = 0;
    for (; i + 16 <= n; i += 16)
        acc = v_fma(v_load(x + i), v_load(x + i), acc);
    if (i < n)
        acc = v_fma(v_load_part(x + i, n - i), v_load_part(x + i, n - i), acc);
    v16 r = v_set(sqrtf(v_sum(acc) / (float)n + eps));
    for (i = 0; i + 16 <= n; i += 16)
        v_store(y + i, v_mul(v_load(w + i), v_div(v_load(x + i), r)));
    if (i < n)
        v_store_part(y + i, v_mul(v_load_part(w + i, n - i), v_div(v_load_part(x + i, n - i), r)), n - i);
}

/* Sum of (x - m)^2. The lanes beyond the end must add zero, not m^2. */
static float sum_sq(const float *x, float m, size_t n) {
    v16 acc = v_zero();
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        v16 d = v_sub(v_load(x + i), v_set(m));
        acc = v_fma(d, d, acc);
    }
    if (i < n) {
        float rest[16] = {0};
        for (size_t j = i; j < n; j++)
            rest[j - i] = x[j] - m;
        v16 d = v_load(rest);
        acc = v_fma(d, d, acc);
    }
    return v_sum(acc);
}

static void layernorm(float *y, const float *x, const float *w, const float *b, size_t n, float eps) {
    float m = sum(x, n) / (float)n;
    v16 mean = v_set(m), r = v_set(sqrtf(sum_sq(x, m, n) / (float)n + eps));
    size_t i = 0;
    for (; i + 16 <= n; i += 16)
        v_store(y + i, v_fma(v_div(v_sub(v_load(x + i), mean), r), v_load(w + i), v_load(b + i)));
    size_t rest = n - i;
    if (rest > 0) {
        v16 d = v_div(v_sub(v_load_part(x + i, rest), mean), r);
        v_store_part(y + i, v_fma(d, v_load_part(w + i, rest), v_load_part(b + i, rest)), rest);
    }
}

KZ_INLINE v16 v_rotate_a(v16 a, v16 b, v16 cs, v16 sn) { return v_fma(a, cs, v_neg(v_mul(b, sn))); }
KZ_INLINE v16 v_rotate_b(v16 a, v16 b, v16 cs, v16 sn) { return v_fma(b, cs, v_mul(a, sn)); }

static void rope(float *x, const float *cs, size_t d_head) {
    size_t h = d_head / 2, j = 0;
    for (; j + 16 <= h; j += 16) {
        v16 a = v_load(x + j), b = v_load(x + j + h), c = v_load(cs + j), s = v_load(cs + h + j);
        v_store(x + j, v_rotate_a(a, b, c, s));
        v_store(x + j + h, v_rotate_b(a, b, c, s));
    }
    size_t rest = h - j;
    if (rest > 0) {
        v16 a = v_load_part(x + j, rest), b = v_load_part(x + j + h, rest);
        v16 c = v_load_part(cs + j, rest), s = v_load_part(cs + h + j, rest);
        v_store_part(x + j, v_rotate_a(a, b, c, s), rest);
        v_store_part(x + j + h, v_rotate_b(a, b, c, s), rest);
    }
}

static float maximum(const float *x, size_t n) {
    v16 m = v_set(x[0]);
    size_t i = 0;
    for (; i + 16 <= n; i += 16)
        m = v_max(m, v_load(x + i));
    if (i < n) {
        float rest[16];
        for (size_t j = 0; j < 16; j++)
            rest[j] = i + j < n ? x[i + j] : x[0];
        m = v_max(m, v_load(rest));
    }
    return v_maximum(m);
}

static float softmax_exp(float *x, size_t n) {
    v16 m = v_set(maximum(x, n)), acc = v_zero();
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        v16 e = v_exp(v_sub(v_load(x + i), m));
        v_store(x + i, e);
        acc = v_add(acc, e);
    }
    if (i < n) { /* the lanes beyond the end must add zero, not exp(-m): through memory */
        v_store_part(x + i, v_exp(v_sub(v_load_part(x + i, n - i), m)), n - i);
        acc = v_add(acc, v_load_part(x + i, n - i));
    }
    return v_sum(acc);
}

#endif
