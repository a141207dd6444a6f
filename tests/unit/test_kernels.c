/* test_kernels.c: the kernels against plain double arithmetic.  SPDX-License-Identifier: Apache-2.0
 *
 * That all tables agree bit for bit is the business of tests/kernels; here each is held against the truth. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/c/math.h"
#include "kernels/kernels.h"

static uint64_t rng_state;

static uint32_t rng_bits(void) {
    rng_state = rng_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(rng_state >> 33);
}

static float rng_float(void) { return (float)rng_bits() * 0x1p-30f - 1.0f; } /* about -1 .. 1 */

/* Every table of this machine. */
static const kz_kernels *table(int level) { return level < KZ_CPU_LEVELS ? kz_kernels_get((kz_cpu_level)level) : NULL; }

/* ---- functions of one number ----------------------------------------------------------------------------------- */

/* A float's spacing at `value`. */
static double ulp_at(double value) {
    int exponent;
    (void)frexp(fabs(value), &exponent);
    return ldexp(1.0, (exponent < -125 ? -125 : exponent) - 24);
}

static double sin2_double(double x) { return sin(x) * sin(x); }
static double erf_double(double x) { return erf(x); }
static double exp_double(double x) { return exp(x); }
static double log_double(double x) { return log(x); }
static double silu_double(double x) { return x / (1.0 + exp(-x)); }
static double gelu_double(double x) { return 0.5 * x * (1.0 + erf(x * sqrt(0.5))); }

/* Worst error over every 997th float of [lo, hi], in ulp or, with `absolute`, as it is. */
static double sweep(float (*f)(float), double (*truth)(double), float lo, float hi, bool absolute) {
    double worst = 0;
    for (uint32_t sign = 0; sign < 2; sign++) {
        for (uint32_t u = 0; u < 0x7f800000u; u += 997) {
            float x = kz_math_float(u | sign << 31);
            if (!(x >= lo && x <= hi))
                continue;
            double want = truth((double)x), error = fabs((double)f(x) - want);
            error = absolute ? error : error / ulp_at(want);
            worst = error > worst ? error : worst;
        }
    }
    return worst;
}

static void assert_at_most(const char *what, double worst, double bound) {
    if (!(worst <= bound)) {
        print_error("%s: error %g, bound %g\n", what, worst, bound);
        fail();
    }
}

static void test_functions_are_accurate(void **state) {
    (void)state;
    assert_at_most("exp", sweep(kz_math_exp, exp_double, -103.9f, 88.72f, false), 1.0);
    assert_at_most("sin^2", sweep(kz_math_sin2, sin2_double, -0x1p20f, 0x1p20f, false), 4.1);
    assert_at_most("erf", sweep(kz_math_erf, erf_double, -FLT_MAX, FLT_MAX, false), 1.1);
    assert_at_most("log", sweep(kz_math_log, log_double, 0x1p-149f, FLT_MAX, false), 1.0);
    assert_at_most("silu", sweep(kz_math_silu, silu_double, -80.0f, FLT_MAX, false), 2.5);
    assert_at_most("gelu", sweep(kz_math_gelu, gelu_double, 0.0f, FLT_MAX, false), 2.0);
    assert_at_most("gelu below 0", sweep(kz_math_gelu, gelu_double, -100.0f, 0.0f, true), 1e-7);
}

static void test_functions_have_exact_values(void **state) {
    (void)state;
    assert_true(kz_expf(0.0f) == 1.0f);
    assert_true(kz_expf(-200.0f) == 0.0f);
    assert_true(kz_expf(200.0f) == INFINITY);
    assert_true(kz_expf(-104.0f) == 0.0f && kz_expf(-103.0f) == 0x1p-149f);
    assert_true(kz_logf(1.0f) == 0.0f);
    assert_true(kz_math_sin2(0.0f) == 0.0f);
    assert_true(kz_math_sin2(-3.25f) == kz_math_sin2(3.25f));
    float near = 0x1.c463acp+5f; /* 18 pi: a reduction with too little of pi shows here */
    assert_at_most("sin^2 at 18 pi", fabs((double)kz_math_sin2(near) / sin2_double((double)near) - 1.0), 2.5e-7);
    assert_true(kz_math_sin2(0x1p30f) == kz_math_sin2(0x1p20f));
    assert_true(kz_math_erf(5.0f) == 1.0f && kz_math_erf(-5.0f) == -1.0f);
    assert_true(signbit(kz_math_erf(-0.0f)) && kz_math_erf(0.0f) == 0.0f);
    assert_true(kz_math_gelu(0.0f) == 0.0f && kz_math_gelu(-20.0f) == 0.0f && kz_math_gelu(20.0f) == 20.0f);
    assert_true(kz_math_silu(0.0f) == 0.0f && fabsf(kz_math_silu(-300.0f)) == 0.0f);
}

/* ---- storage types --------------------------------------------------------------------------------------------- */

static void test_to_f32_is_exact(void **state) {
    (void)state;
    assert_int_equal(kz_dtype_size(KZ_F32), 4);
    assert_int_equal(kz_dtype_size(KZ_BF16), 2);
    assert_int_equal(kz_dtype_size(KZ_F16), 2);
    for (uint32_t h = 0; h < 0x10000u; h++) {
        unsigned char at_odd[3];
        uint16_t value = (uint16_t)h;
        memcpy(at_odd + 1, &value, 2);
        float f16, bf16;
        kz_to_f32(&f16, at_odd + 1, KZ_F16, 1);
        kz_to_f32(&bf16, at_odd + 1, KZ_BF16, 1);
        int exponent = (int)(h >> 10 & 31), mantissa = (int)(h & 1023);
        double want = exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24);
        if (exponent == 31)
            assert_true(mantissa ? isnan(f16) : isinf(f16));
        else
            assert_true((double)f16 == (h & 0x8000u ? -want : want));
        assert_true(signbit(f16) == signbit(bf16));
        assert_int_equal(kz_math_bits(bf16), h << 16);
    }
    float x[3] = {1.5f, -0.0f, 0x1p-149f}, y[3];
    unsigned char odd[sizeof x + 1];
    memcpy(odd + 1, x, sizeof x);
    kz_to_f32(y, odd + 1, KZ_F32, 3);
    assert_memory_equal(x, y, sizeof x);
}

/* ---- panels ---------------------------------------------------------------------------------------------------- */

typedef struct layout {
    kz_pack pack;
    size_t n_src;
    ptrdiff_t (*at)(const struct layout *l, size_t out, size_t k); /* element of src, written another way */
    size_t n_in, n_out, n_tap, stride;
} layout;

static ptrdiff_t at_linear(const layout *l, size_t out, size_t k) { return (ptrdiff_t)(out * l->n_in + k); }

/* [out][in][tap], k = tap * in + i */
static ptrdiff_t at_conv(const layout *l, size_t out, size_t k) {
    return (ptrdiff_t)((out * l->n_in + k % l->n_in) * l->n_tap + k / l->n_in);
}

/* [in][out][2 * stride], output phase * n_out + out, older input first */
static ptrdiff_t at_convt(const layout *l, size_t out, size_t k) {
    size_t i = k % l->n_in, tap = out / l->n_out + (k < l->n_in ? l->stride : 0);
    return (ptrdiff_t)((i * l->n_out + out % l->n_out) * (2 * l->stride) + tap);
}

static layout linear_layout(size_t n_out, size_t n_in) {
    return (layout){.pack = {.n_out = n_out,
                             .n_in = n_in,
                             .out_inner = n_out,
                             .out_inner_step = (ptrdiff_t)n_in,
                             .k_inner = n_in,
                             .k_inner_step = 1},
                    .n_src = n_out * n_in,
                    .at = at_linear,
                    .n_in = n_in};
}

static layout conv_layout(size_t n_out, size_t n_in, size_t n_tap) {
    return (layout){.pack = {.n_out = n_out,
                             .n_in = n_in * n_tap,
                             .out_inner = n_out,
                             .out_inner_step = (ptrdiff_t)(n_in * n_tap),
                             .k_inner = n_in,
                             .k_inner_step = (ptrdiff_t)n_tap,
                             .k_outer_step = 1},
                    .n_src = n_out * n_in * n_tap,
                    .at = at_conv,
                    .n_in = n_in,
                    .n_tap = n_tap};
}

static layout convt_layout(size_t n_out, size_t n_in, size_t stride) {
    ptrdiff_t kernel = 2 * (ptrdiff_t)stride;
    return (layout){.pack = {.n_out = n_out * stride,
                             .n_in = n_in * 2,
                             .base = (ptrdiff_t)stride,
                             .out_inner = n_out,
                             .out_inner_step = kernel,
                             .out_outer_step = 1,
                             .k_inner = n_in,
                             .k_inner_step = (ptrdiff_t)n_out * kernel,
                             .k_outer_step = -(ptrdiff_t)stride},
                    .n_src = n_in * n_out * 2 * stride,
                    .at = at_convt,
                    .n_in = n_in,
                    .n_out = n_out,
                    .stride = stride};
}

static void assert_panel_weight(const layout *l, const unsigned char *panels, const unsigned char *src, size_t out,
                                size_t k) {
    size_t size = kz_dtype_size(l->pack.dst_type);
    const unsigned char *got = panels + ((out / 16 * l->pack.n_in + k) * 16 + out % 16) * size;
    float want = 0.0f, value;
    if (out < l->pack.n_out)
        kz_to_f32(&want, src + (size_t)l->at(l, out, k) * kz_dtype_size(l->pack.src_type), l->pack.src_type, 1);
    kz_to_f32(&value, got, l->pack.dst_type, 1);
    assert_int_equal(kz_math_bits(value), kz_math_bits(want));
}

/* Finite random weights, unaligned. */
static unsigned char *random_source(const layout *l, unsigned char **block) {
    size_t size = kz_dtype_size(l->pack.src_type);
    *block = malloc(l->n_src * size + 1);
    assert_non_null(*block);
    unsigned char *src = *block + 1;
    for (size_t i = 0; i < l->n_src; i++) {
        uint32_t u = kz_math_bits(rng_float());
        uint16_t h = l->pack.src_type == KZ_BF16 ? (uint16_t)(u >> 16) : (uint16_t)(u & 0xbbffu);
        memcpy(src + i * size, size == 4 ? (const void *)&u : (const void *)&h, size);
    }
    return src;
}

static void check_layout(layout l, kz_dtype src_type, kz_dtype dst_type) {
    l.pack.src_type = src_type;
    l.pack.dst_type = dst_type;
    unsigned char *block;
    l.pack.src = random_source(&l, &block);
    size_t n_panel = (l.pack.n_out + 15) / 16, n_byte = l.pack.n_in * 16 * kz_dtype_size(dst_type);
    unsigned char *panels = aligned_alloc(64, (n_panel * n_byte + 63) / 64 * 64);
    assert_non_null(panels);
    memset(panels, 0x55, n_panel * n_byte);
    size_t half = n_panel / 2; /* two calls, as two threads would */
    assert_true(kz_pack_panels(panels, &l.pack, half, n_panel));
    for (size_t i = 0; i < half * n_byte; i++)
        assert_int_equal(panels[i], 0x55);
    assert_true(kz_pack_panels(panels, &l.pack, 0, half));
    for (size_t out = 0; out < n_panel * 16; out++)
        for (size_t k = 0; k < l.pack.n_in; k++)
            assert_panel_weight(&l, panels, l.pack.src, out, k);
    free(panels);
    free(block);
}

static void test_pack_reads_every_layout(void **state) {
    (void)state;
    static const kz_dtype types[5][2] = {
        {KZ_F32, KZ_F32}, {KZ_BF16, KZ_BF16}, {KZ_F16, KZ_F16}, {KZ_BF16, KZ_F32}, {KZ_F16, KZ_F32}};
    for (size_t t = 0; t < 5; t++) {
        check_layout(linear_layout(37, 131), types[t][0], types[t][1]);
        check_layout(linear_layout(16, 64), types[t][0], types[t][1]);
        check_layout(linear_layout(32, 66), types[t][0], types[t][1]);
        check_layout(linear_layout(1, 1), types[t][0], types[t][1]);
        check_layout(conv_layout(20, 11, 7), types[t][0], types[t][1]);
        check_layout(conv_layout(33, 70, 3), types[t][0], types[t][1]);
        check_layout(convt_layout(6, 5, 4), types[t][0], types[t][1]);
        check_layout(convt_layout(17, 65, 3), types[t][0], types[t][1]);
    }
}

static void test_pack_finds_what_is_not_finite(void **state) {
    (void)state;
    static const kz_dtype types[5][2] = {
        {KZ_F32, KZ_F32}, {KZ_BF16, KZ_BF16}, {KZ_F16, KZ_F16}, {KZ_BF16, KZ_F32}, {KZ_F16, KZ_F32}};
    static const uint32_t bad[3][2] = {{0x7f800000u, 0xffc00001u}, {0x7f80u, 0xffc1u}, {0x7c00u, 0xfe01u}};
    static const uint32_t largest[3] = {0x7f7fffffu, 0xff7fu, 0x7bffu};
    for (size_t t = 0; t < 5; t++) {
        layout l = linear_layout(21, 35);
        l.pack.src_type = types[t][0];
        l.pack.dst_type = types[t][1];
        unsigned char *block, *src = random_source(&l, &block), *panels = aligned_alloc(64, 2 * 35 * 64);
        assert_non_null(panels);
        l.pack.src = src;
        size_t size = kz_dtype_size(l.pack.src_type);
        for (size_t i = 0; i < l.n_src; i++) {
            unsigned char keep[4];
            memcpy(keep, src + i * size, size);
            for (size_t b = 0; b < 3; b++) {
                uint32_t u = b < 2 ? bad[l.pack.src_type][b] : largest[l.pack.src_type];
                uint16_t h = (uint16_t)u;
                memcpy(src + i * size, size == 4 ? (const void *)&u : (const void *)&h, size);
                assert_true(kz_pack_panels(panels, &l.pack, 0, 2) == (b == 2));
                size_t own = i / 35 / 16; /* the other panel has nothing to complain of */
                assert_true(kz_pack_panels(panels, &l.pack, 1 - own, 2 - own));
            }
            memcpy(src + i * size, keep, size);
        }
        free(panels);
        free(block);
    }
}

/* ---- matmul ---------------------------------------------------------------------------------------------------- */

enum { N_OUT = 35, N_CH = 24, N_TAP = 5, DILATION = 3, N_ROW = 14, N_K = N_TAP * N_CH };

/* Chains of length n: each of the n roundings is at most half an ulp of a partial sum, itself at most the sum of
 * magnitudes. */
static void assert_close(double got, double want, double magnitude, size_t n) {
    double bound = (double)n * 0x1p-24 * magnitude * 1.01 + 1e-40;
    if (!(fabs(got - want) <= bound)) {
        print_error("got %g, want %g, bound %g\n", got, want, bound);
        fail();
    }
}

static void check_conv(const kz_kernels *k, kz_dtype type) {
    _Alignas(64) static unsigned char w[3 * N_K * 16 * 4];
    _Alignas(64) static float bias[48], scale[48];
    static float x[(N_ROW + (N_TAP - 1) * DILATION) * N_CH], y[N_ROW * N_OUT], res[N_ROW * N_OUT];
    for (size_t i = 0; i < 3 * N_K * 16; i++) {
        uint32_t u = kz_math_bits(rng_float());
        uint16_t h = type == KZ_BF16 ? (uint16_t)(u >> 16) : (uint16_t)(u & 0xbbffu);
        memcpy(w + i * kz_dtype_size(type), type == KZ_F32 ? (const void *)&u : (const void *)&h, kz_dtype_size(type));
    }
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        x[i] = rng_float();
    for (size_t i = 0; i < 48; i++)
        bias[i] = rng_float(), scale[i] = rng_float();
    for (size_t i = 0; i < N_ROW * N_OUT; i++)
        res[i] = rng_float();
    kz_mm mm = {.w = w,
                .bias = bias,
                .x = x,
                .x_row = N_CH,
                .n_seg = N_TAP,
                .seg_len = N_CH,
                .seg_step = DILATION * N_CH,
                .y = y,
                .y_row = N_OUT,
                .n_out = N_OUT,
                .res = res,
                .res_row = N_OUT,
                .scale = scale};
    k->mm[type](&mm, 0, 3, 0, N_ROW);
    for (size_t t = 0; t < N_ROW; t++)
        for (size_t o = 0; o < N_OUT; o++) {
            double sum = (double)bias[o], magnitude = fabs(sum);
            for (size_t tap = 0; tap < N_TAP; tap++)
                for (size_t c = 0; c < N_CH; c++) {
                    float weight;
                    size_t at = ((o / 16) * N_K + tap * N_CH + c) * 16 + o % 16;
                    kz_to_f32(&weight, w + at * kz_dtype_size(type), type, 1);
                    double product = (double)weight * (double)x[(t + tap * DILATION) * N_CH + c];
                    sum += product;
                    magnitude += fabs(product);
                }
            double s = (double)scale[o], r = (double)res[t * N_OUT + o];
            assert_close((double)y[t * N_OUT + o], sum * s + r, magnitude * fabs(s) + fabs(r), N_K + 1);
        }
}

static void test_mm_is_a_convolution(void **state) {
    (void)state;
    for (int level = 0; level < KZ_CPU_LEVELS; level++)
        for (int type = KZ_F32; type <= KZ_F16 && table(level); type++)
            check_conv(table(level), (kz_dtype)type);
}

/* ---- rows ------------------------------------------------------------------------------------------------------ */

enum { N = 45 };

static void check_norms(const kz_kernels *k) {
    float x[N], w[N], b[N], y[N];
    double sum = 0, sum_sq = 0, sum_dev = 0;
    for (size_t i = 0; i < N; i++) {
        x[i] = rng_float() + 0.5f, w[i] = rng_float(), b[i] = rng_float();
        sum += (double)x[i];
        sum_sq += (double)x[i] * (double)x[i];
    }
    k->rmsnorm(y, x, w, N, 1e-5f);
    for (size_t i = 0; i < N; i++)
        assert_close((double)y[i], (double)w[i] * (double)x[i] / sqrt(sum_sq / (double)N + 1e-5), fabs((double)y[i]),
                     20);
    for (size_t i = 0; i < N; i++)
        sum_dev += ((double)x[i] - sum / (double)N) * ((double)x[i] - sum / (double)N);
    k->layernorm(y, x, w, b, N, 1e-5f);
    for (size_t i = 0; i < N; i++) {
        double d = ((double)x[i] - sum / (double)N) / sqrt(sum_dev / (double)N + 1e-5);
        assert_close((double)y[i], d * (double)w[i] + (double)b[i], 4, 20);
    }
}

static void check_rope(const kz_kernels *k) {
    float x[20], before[20], cs[20];
    for (size_t j = 0; j < 10; j++) {
        float angle = rng_float();
        x[j] = rng_float(), x[j + 10] = rng_float(), cs[j] = cosf(angle), cs[10 + j] = sinf(angle);
    }
    memcpy(before, x, sizeof x);
    k->rope(x, cs, 20);
    for (size_t j = 0; j < 10; j++) {
        double a = (double)before[j], b = (double)before[j + 10], c = (double)cs[j], s = (double)cs[10 + j];
        assert_close((double)x[j], a * c - b * s, 2, 2);
        assert_close((double)x[j + 10], b * c + a * s, 2, 2);
    }
}

static void check_attend(const kz_kernels *k) {
    enum { D = 20, P = 37, STRIDE = 23 };
    float q[D], keys[P * STRIDE], values[P * STRIDE], y[D], scores[P];
    for (size_t i = 0; i < D; i++)
        q[i] = rng_float();
    for (size_t i = 0; i < P * STRIDE; i++)
        keys[i] = rng_float(), values[i] = rng_float();
    kz_attend a = {.y = y,
                   .q = q,
                   .n_row = 1,
                   .n_head = 1,
                   .k = keys,
                   .v = values,
                   .stride = STRIDE,
                   .d_head = D,
                   .n_pos = P,
                   .scale = 0.7f,
                   .scores = scores,
                   .score_row = P};
    k->attend(&a);
    double e[P], total = 0;
    for (size_t p = 0; p < P; p++) {
        double s = 0;
        for (size_t i = 0; i < D; i++)
            s += (double)q[i] * (double)keys[p * STRIDE + i];
        e[p] = exp(s * (double)0.7f);
        total += e[p];
    }
    for (size_t i = 0; i < D; i++) {
        double want = 0;
        for (size_t p = 0; p < P; p++)
            want += e[p] * (double)values[p * STRIDE + i] / total;
        assert_close((double)y[i], want, 1, 64);
    }
    a.n_pos = 1; /* alone, a position is the answer */
    k->attend(&a);
    assert_memory_equal(y, values, sizeof y);
}

static void check_elements(const kz_kernels *k) {
    float x[N], z[N], y[N];
    for (size_t i = 0; i < N; i++)
        x[i] = 4.0f * rng_float(), z[i] = rng_float();
    k->add(y, x, z, N);
    for (size_t i = 0; i < N; i++)
        assert_true(y[i] == x[i] + z[i]);
    k->silu(y, x, N);
    for (size_t i = 0; i < N; i++)
        assert_true(y[i] == kz_math_silu(x[i]));
    k->silu_mul(y, x, z, N);
    for (size_t i = 0; i < N; i++)
        assert_true(y[i] == kz_math_silu(x[i]) * z[i]);
    k->gelu(y, x, N);
    for (size_t i = 0; i < N; i++)
        assert_true(y[i] == kz_math_gelu(x[i]));
    k->exp(y, x, N);
    for (size_t i = 0; i < N; i++)
        assert_true(y[i] == kz_expf(x[i]));
    k->snake(y, x, z, z, 3, N / 3);
    for (size_t i = 0; i < N; i++) {
        double s = sin((double)(z[i % (N / 3)] * x[i]));
        assert_close((double)y[i], (double)x[i] + s * s * (double)z[i % (N / 3)], 5, 4);
    }
    float total = k->softmax_exp(x, N);
    double sum = 0;
    float largest = 0;
    for (size_t i = 0; i < N; i++) {
        sum += (double)x[i];
        largest = x[i] > largest ? x[i] : largest;
    }
    assert_true(largest == 1.0f);
    assert_close((double)total, sum, sum, 10);
}

static void check_dwconv(const kz_kernels *k) {
    enum { TAPS = 7, ROWS = 4, CH = 19 };
    float x[(ROWS + TAPS - 1) * CH], w[TAPS * CH], b[CH], y[ROWS * CH];
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        x[i] = rng_float();
    for (size_t i = 0; i < TAPS * CH; i++)
        w[i] = rng_float();
    for (size_t i = 0; i < CH; i++)
        b[i] = rng_float();
    k->dwconv(y, x, w, b, TAPS, ROWS, CH);
    for (size_t t = 0; t < ROWS; t++)
        for (size_t c = 0; c < CH; c++) {
            double want = (double)b[c];
            for (size_t tap = 0; tap < TAPS; tap++)
                want += (double)w[tap * CH + c] * (double)x[(t + tap) * CH + c];
            assert_close((double)y[t * CH + c], want, TAPS + 1, TAPS);
        }
}

static void test_rows_and_elements(void **state) {
    (void)state;
    for (int level = 0; level < KZ_CPU_LEVELS; level++) {
        const kz_kernels *k = table(level);
        for (int round = 0; k && round < 20; round++) {
            check_norms(k);
            check_rope(k);
            check_attend(k);
            check_elements(k);
            check_dwconv(k);
        }
    }
}

/* The order of a reduction, on numbers for which order shows: 16 lanes, then 8, 4, 2, 1. */
static void test_sum_has_sixteen_lanes(void **state) {
    (void)state;
    for (int level = 0; level < KZ_CPU_LEVELS; level++) {
        const kz_kernels *k = table(level);
        for (int round = 0; k && round < 20; round++) {
            float x[N], lane[16] = {0};
            for (size_t i = 0; i < N; i++)
                x[i] = 10.0f * rng_float();
            float total = k->softmax_exp(x, N);
            for (size_t i = 0; i < N; i++)
                lane[i % 16] += x[i];
            for (size_t half = 8; half > 0; half /= 2)
                for (size_t i = 0; i < half; i++)
                    lane[i] += lane[i + half];
            assert_int_equal(kz_math_bits(total), kz_math_bits(lane[0]));
        }
    }
}

/* ---- levels ---------------------------------------------------------------------------------------------------- */

static void test_levels_have_names(void **state) {
    (void)state;
    assert_string_equal(kz_kernels_get(KZ_CPU_C)->name, "c");
    assert_null(kz_kernels_get(KZ_CPU_LEVELS));
    assert_null(kz_kernels_by_name("sse9"));
    assert_null(kz_kernels_by_name(""));
    assert_null(kz_cpu_level_name(KZ_CPU_LEVELS));
    assert_non_null(kz_kernels_best());
    assert_ptr_equal(kz_kernels_by_name("best"), kz_kernels_best());
    const kz_kernels *last = NULL;
    for (int level = 0; level < KZ_CPU_LEVELS; level++) {
        const char *name = kz_cpu_level_name((kz_cpu_level)level);
        assert_non_null(name);
        assert_ptr_equal(kz_kernels_by_name(name), table(level));
        if (table(level)) {
            assert_string_equal(table(level)->name, name);
            last = table(level);
        }
    }
    assert_ptr_equal(kz_kernels_best(), last);
}

int main(int argc, char **argv) {
    const char *seed = argc > 1 ? argv[1] : getenv("KZTTS_TEST_SEED");
    rng_state = seed ? strtoull(seed, NULL, 10) : 1;
    printf("seed %llu\n", (unsigned long long)rng_state);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions_are_accurate),
        cmocka_unit_test(test_functions_have_exact_values),
        cmocka_unit_test(test_to_f32_is_exact),
        cmocka_unit_test(test_pack_reads_every_layout),
        cmocka_unit_test(test_pack_finds_what_is_not_finite),
        cmocka_unit_test(test_mm_is_a_convolution),
        cmocka_unit_test(test_rows_and_elements),
        cmocka_unit_test(test_sum_has_sixteen_lanes),
        cmocka_unit_test(test_levels_have_names),
    };
    return cmocka_run_group_tests_name("kernels", tests, NULL, NULL);
}
