/* tmpl/elements.h: element-wise kernels and depthwise convolution.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_KERNELS_TMPL_ELEMENTS_H
#define KZ_KERNELS_TMPL_ELEMENTS_H

/* y[i] = f(a[i]) and y[i] = f(a[i], b[i]): whole vectors, then what is left. */
#define KZ_MAP_1(f)                                                                                                    \
    do {                                                                                                               \
        size_t i = 0;                                                                                                  \
        for (; i + 16 <= n; i += 16)                                                                                   \
            v_store(y + i, f(v_load(x + i)));                                                                          \
        if (i < n)                                                                                                     \
            v_store_part(y + i, f(v_load_part(x + i, n - i)), n - i);                                                  \
    } while (0)
#define KZ_MAP_2(f, a, b)                                                                                              \
    do {                                                                                                               \
        size_t i = 0;                                                                                                  \
        for (; i + 16 <= n; i += 16)                                                                                   \
            v_store(y + i, f(v_load((a) + i), v_load((b) + i)));                                                       \
        if (i < n)                                                                                                     \
            v_store_part(y + i, f(v_load_part((a) + i, n - i), v_load_part((b) + i, n - i)), n - i);                   \
    } while (0)

KZ_INLINE v16 v_silu_mul(v16 gate, v16 up) { return v_mul(v_silu(gate), up); }

static void add(float *y, const float *a, const float *b, size_t n) { KZ_MAP_2(v_add, a, b); }
static void silu(float *y, const float *x, size_t n) { KZ_MAP_1(v_silu); }
static void silu_mul(float *y, const float *gate, const float *up, size_t n) { KZ_MAP_2(v_silu_mul, gate, up); }
static void gelu(float *y, const float *x, size_t n) { KZ_MAP_1(v_gelu); }
static void exp_all(float *y, const float *x, size_t n) { KZ_MAP_1(v_exp); }

KZ_INLINE v16 v_snake(v16 x, v16 alpha, v16 inv_beta) { return v_fma(v_sin2(v_mul(alpha, x)), inv_beta, x); }

static void snake(float *y, const float *x, const float *alpha, const float *inv_beta, size_t n_row, size_t n_ch) {
    for (size_t t = 0; t < n_row; t++, x += n_ch, y += n_ch) {
        size_t c = 0, rest;
        for (; c + 16 <= n_ch; c += 16)
            v_store(y + c, v_snake(v_load(x + c), v_load(alpha + c), v_load(inv_beta + c)));
        rest = n_ch - c;
        if (rest > 0) {
            v16 v = v_snake(v_load_part(x + c, rest), v_load_part(alpha + c, rest), v_load_part(inv_beta + c, rest));
            v_store_part(y + c, v, rest);
        }
    }
}

static void dwconv(float *y, const float *x, const float *w, const float *b, size_t n_tap, size_t n_row, size_t n_ch) {
    size_t c = 0;
    for (; c + 16 <= n_ch; c += 16)
        for (size_t t = 0; t < n_row; t++) {
            v16 acc = v_load(b + c);
            for (size_t tap = 0; tap < n_tap; tap++)
                acc = v_fma(v_load(w + tap * n_ch + c), v_load(x + (t + tap) * n_ch + c), acc);
            v_store(y + t * n_ch + c, acc);
        }
    size_t rest = n_ch - c;
    for (size_t t = 0; rest > 0 && t < n_row; t++) {
        v16 acc = v_load_part(b + c, rest);
        for (size_t tap = 0; tap < n_tap; tap++)
            acc = v_fma(v_load_part(w + tap * n_ch + c, rest), v_load_part(x + (t + tap) * n_ch + c, rest), acc);
        v_store_part(y + t * n_ch + c, acc, rest);
    }
}

#endif
