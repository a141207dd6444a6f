/* test_quantized.c: blocks, how they lie in panels, what a matmul of them gives.  SPDX-License-Identifier: Apache-2.0
 *
 * That all tables agree bit for bit is the business of tests/kernels; here blocks are held against plain definitions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/c/math.h"
#include "kernels/quant.h"

static uint64_t rng_state = 7;

static uint32_t rng_bits(void) {
    rng_state = rng_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(rng_state >> 33);
}

static float rng_float(void) { return (float)rng_bits() * 0x1p-30f - 1.0f; }

static float widened(uint16_t h) {
    float x;
    kz_to_f32(&x, &h, KZ_F16, 1);
    return x;
}

/* ---- f16 ------------------------------------------------------------------------------------------------------- */

/* Every f16 comes back, and what lies between two goes to the nearer, halfway to the even one. */
static void test_to_f16_rounds(void **state) {
    (void)state;
    for (uint32_t h = 0; h < 0x7c00u; h++) {
        float x = widened((uint16_t)h), next = h == 0x7bffu ? 65536.0f : widened((uint16_t)(h + 1));
        float middle = x + 0.5f * (next - x);
        assert_int_equal(kz_to_f16(x), h);
        assert_int_equal(kz_to_f16(-x), h | 0x8000u);
        assert_int_equal(kz_to_f16(middle), h + (h & 1));
        assert_int_equal(kz_to_f16(nextafterf(middle, 0.0f)), h);
        assert_int_equal(kz_to_f16(nextafterf(middle, 1e9f)), h + 1);
    }
    assert_int_equal(kz_to_f16(1e30f), 0x7c00u);
    assert_int_equal(kz_to_f16(-INFINITY), 0xfc00u);
    assert_int_equal(kz_to_f16(NAN) & 0x7e00u, 0x7e00u);
}

/* ---- blocks ---------------------------------------------------------------------------------------------------- */

static void random_block(float x[KZ_BLOCK], float size) {
    for (size_t i = 0; i < KZ_BLOCK; i++)
        x[i] = rng_float() * rng_float() * size;
}

static void test_q8_is_the_definition(void **state) {
    (void)state;
    for (int round = 0; round < 2000; round++) {
        float x[KZ_BLOCK], top = 0;
        kz_q8_block b;
        random_block(x, ldexpf(1.0f, round % 20 - 10));
        for (size_t i = 0; i < KZ_BLOCK; i++)
            top = fmaxf(top, fabsf(x[i]));
        float d = top / 127.0f, inverse = 1.0f / d;
        assert_true(kz_quantize_q8(&b, x));
        assert_int_equal(b.d, kz_to_f16(d));
        for (size_t i = 0; i < KZ_BLOCK; i++)
            assert_int_equal(b.q[i], (int)roundf(x[i] * inverse));
    }
}

/* With a largest magnitude of 127 the scale is 1, so that quotients that are exact halves are easy to have. */
static void test_q8_rounds_halves_away_from_zero(void **state) {
    static const struct {
        float x;
        int q;
    } rows[] = {{127.0f, 127},       {0.5f, 1},
                {-0.5f, -1},         {1.5f, 2},
                {-1.5f, -2},         {2.5f, 3},
                {-2.5f, -3},         {63.5f, 64},
                {-64.5f, -65},       {126.5f, 127},
                {-126.5f, -127},     {0.0f, 0},
                {0x1.fffffep-2f, 0}, {-0x1.fffffep-2f, 0},
                {0x1.3ffffep+1f, 2}, {-0x1.3ffffep+1f, -2}};
    float x[KZ_BLOCK] = {0};
    kz_q8_block b;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        x[i] = rows[i].x;
    assert_true(kz_quantize_q8(&b, x));
    assert_int_equal(b.d, kz_to_f16(1.0f));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(b.q[i], rows[i].q);
}

typedef bool (*quantize_q4_fn)(kz_q4_block *b, const float x[KZ_BLOCK]);

static double square_error(const kz_q4_block *b, kz_dtype type, const float x[KZ_BLOCK]) {
    float y[KZ_BLOCK];
    double sum = 0;
    kz_to_f32(y, b, type, KZ_BLOCK);
    for (size_t i = 0; i < KZ_BLOCK; i++)
        sum += ((double)y[i] - (double)x[i]) * ((double)y[i] - (double)x[i]);
    return sum;
}

static double square_sum(const float x[KZ_BLOCK]) {
    double sum = 0;
    for (size_t i = 0; i < KZ_BLOCK; i++)
        sum += (double)x[i] * (double)x[i];
    return sum;
}

/* Every half byte is the nearest there is, and q4, on the whole, is nearer than q4_0. */
static void test_q4_is_near(void **state) {
    (void)state;
    static const quantize_q4_fn quantize[2] = {kz_quantize_q4, kz_quantize_q4_0};
    double error[2] = {0}, all = 0;
    for (int round = 0; round < 2000; round++) {
        float x[KZ_BLOCK];
        random_block(x, ldexpf(1.0f, round % 20 - 10));
        double size = square_sum(x);
        all += 1;
        for (int t = 0; t < 2; t++) {
            kz_dtype type = t ? KZ_Q4_0 : KZ_Q4;
            kz_q4_block b;
            assert_true(quantize[t](&b, x));
            float d = widened(b.d);
            for (size_t i = 0; i < KZ_BLOCK && type == KZ_Q4; i++) {
                int8_t q[KZ_BLOCK];
                kz_block_read(q, (const unsigned char *)&b, type);
                for (size_t j = 0; j < 16; j++)
                    assert_true(fabsf(d * (float)q[i] - x[i]) <=
                                fabsf(d * (float)kz_q4_values(type)[j] - x[i]) + 1e-5f * fabsf(d));
            }
            error[t] += square_error(&b, type, x) / size;
        }
    }
    assert_true(error[0] / all < 0.006);
    assert_true(error[1] / all < 0.012);
    assert_true(error[0] < 0.8 * error[1]);
}

/* The scale of least square error for the values that x becomes when its largest magnitude becomes `end`, and how much of x's
 * square sum those explain. */
static double fit_q4(const float x[KZ_BLOCK], double end, double *gain) {
    double top = 0, xq = 0, qq = 0;
    for (size_t i = 0; i < KZ_BLOCK; i++)
        top = fabs((double)x[i]) > top ? fabs((double)x[i]) : top; /* fmax here crashes gcc 12 for ARM */
    for (size_t i = 0; i < KZ_BLOCK; i++) {
        double nearest = kz_q4_value[0], wanted = (double)x[i] * end / top;
        for (size_t j = 1; j < 16; j++)
            nearest = fabs(kz_q4_value[j] - wanted) < fabs(nearest - wanted) ? kz_q4_value[j] : nearest;
        xq += (double)x[i] * nearest;
        qq += nearest * nearest;
    }
    *gain = xq * xq / qq;
    return xq / qq;
}

/* The best of ten scales is taken, and each of the ten is the best of some blocks. */
static void test_q4_tries_all_ends(void **state) {
    enum { ENDS = 10 };
    static const double ends[ENDS] = {-100, 100, -110, 110, -120, 120, -130, 130, -140, 140};
    size_t n_best[ENDS] = {0};
    (void)state;
    for (int round = 0; round < 2000; round++) {
        float x[KZ_BLOCK];
        double scale[ENDS], gain[ENDS], second = 0;
        size_t best = 0;
        kz_q4_block b;
        random_block(x, 1.0f);
        for (size_t i = 0; i < ENDS; i++) {
            scale[i] = fit_q4(x, ends[i], &gain[i]);
            best = gain[i] > gain[best] ? i : best;
        }
        for (size_t i = 0; i < ENDS; i++)
            second = i != best && gain[i] > second ? gain[i] : second;
        if (gain[best] < second * (1 + 1e-5))
            continue; /* too near for single precision */
        assert_true(kz_quantize_q4(&b, x));
        assert_true(fabs((double)widened(b.d) / scale[best] - 1) < 0x1p-10);
        n_best[best]++;
    }
    for (size_t i = 0; i < ENDS; i++)
        assert_true(n_best[i] > 10);
}

static void test_small_and_large_blocks(void **state) {
    (void)state;
    float x[KZ_BLOCK] = {0}, y[KZ_BLOCK];
    kz_q8_block q8;
    kz_q4_block q4;
    const float sizes[] = {0.0f, 0x1p-149f, 0x1p-130f, 1e-30f};
    for (size_t s = 0; s < 4; s++) { /* too small for a scale: zeros */
        x[3] = -sizes[s];
        assert_true(kz_quantize_q8(&q8, x) && kz_quantize_q4(&q4, x));
        kz_to_f32(y, &q8, KZ_Q8, KZ_BLOCK);
        assert_true(square_sum(y) == 0);
        kz_to_f32(y, &q4, KZ_Q4, KZ_BLOCK);
        assert_true(square_sum(y) == 0);
        assert_true(kz_quantize_q4_0(&q4, x));
        kz_to_f32(y, &q4, KZ_Q4_0, KZ_BLOCK);
        assert_true(square_sum(y) == 0);
    }
    const float bad[] = {INFINITY, -INFINITY, NAN, 1e30f}; /* the last: no f16 scale */
    for (size_t s = 0; s < 4; s++) {
        x[31] = bad[s];
        assert_false(kz_quantize_q8(&q8, x));
        assert_false(kz_quantize_q4(&q4, x));
        assert_false(kz_quantize_q4_0(&q4, x));
    }
}

/* ---- panels ---------------------------------------------------------------------------------------------------- */

/* Element (out, k) of panels, as a double. */
static double panel_value(const unsigned char *panels, kz_dtype type, size_t n_in, size_t out, size_t k) {
    const unsigned char *panel = panels + out / 16 * kz_panel_bytes(type, n_in);
    size_t half = k / 32 % 2, i = k % 32, o = out % 16;
    if (type == KZ_Q8) {
        const kz_q8_pair *pair = (const kz_q8_pair *)(const void *)panel + k / 64;
        return (double)widened(pair->d[half][o]) * pair->q[half][i / 4][o][i % 4];
    }
    const kz_q4_pair *pair = (const kz_q4_pair *)(const void *)panel + k / 64;
    uint8_t both = pair->q[half][i % 16 / 4][o][i % 4];
    return (double)widened(pair->d[half][o]) * kz_q4_values(type)[i < 16 ? both & 15 : both >> 4];
}

static kz_pack linear(size_t n_out, size_t n_in, const void *src, kz_dtype src_type, kz_dtype dst_type) {
    return (kz_pack){.src = src,
                     .src_type = src_type,
                     .dst_type = dst_type,
                     .n_out = n_out,
                     .n_in = n_in,
                     .out_inner = n_out,
                     .out_inner_step = (ptrdiff_t)n_in,
                     .k_inner = n_in,
                     .k_inner_step = 1};
}

static unsigned char *new_panels(kz_dtype type, size_t n_out, size_t n_in) {
    size_t n = (n_out + 15) / 16 * kz_panel_bytes(type, n_in);
    unsigned char *panels = aligned_alloc(64, (n + 63) / 64 * 64);
    assert_non_null(panels);
    memset(panels, 0x55, n);
    return panels;
}

/* Rows of file blocks with any contents and finite scales. */
static unsigned char *random_rows(kz_dtype type, size_t n_out, size_t n_in) {
    size_t n_byte = kz_row_bytes(type, n_in) * n_out, block = kz_row_bytes(type, KZ_BLOCK);
    unsigned char *rows = malloc(n_byte);
    assert_non_null(rows);
    for (size_t i = 0; i < n_byte; i++)
        rows[i] = (unsigned char)rng_bits();
    for (size_t i = 1; i < n_byte; i += block)
        rows[i] = (unsigned char)((rows[i] & 0x83u) | (rng_bits() % 31) << 2);
    return rows;
}

/* What a file holds is in the panels, exactly; what is beyond is zero; two calls fill what one does. */
static void check_from_file(kz_dtype type, size_t n_out, size_t n_in) {
    unsigned char *rows = random_rows(type, n_out, n_in), *panels = new_panels(type, n_out, n_in);
    float *want = malloc(n_in * sizeof *want), *wide = (float *)(void *)new_panels(KZ_F32, n_out, n_in);
    size_t n_panel = (n_out + 15) / 16, n_all = (n_in + 63) / 64 * 64;
    kz_pack pack = linear(n_out, n_in, rows, type, type);
    assert_true(kz_pack_panels(panels, &pack, n_panel / 2, n_panel));
    assert_true(kz_pack_panels(panels, &pack, 0, n_panel / 2));
    pack.dst_type = KZ_F32;
    assert_true(kz_pack_panels(wide, &pack, 0, n_panel));
    for (size_t out = 0; out < n_panel * 16; out++) {
        if (out < n_out)
            kz_to_f32(want, rows + out * kz_row_bytes(type, n_in), type, n_in);
        for (size_t k = 0; k < n_all; k++) {
            bool there = out < n_out && k < n_in;
            double value = panel_value(panels, type, n_in, out, k);
            assert_true((float)value == (there ? want[k] : 0.0f));
            if (k < n_in)
                assert_true(wide[(out / 16 * n_in + k) * 16 + out % 16] == (there ? want[k] : 0.0f));
        }
    }
    rows[kz_row_bytes(type, n_in) * (n_out - 1) + 1] |= 0x7cu; /* a scale that is no number */
    for (int t = 0; t < 2; t++) {
        pack.dst_type = t ? KZ_F32 : type;
        assert_false(kz_pack_panels(t ? (void *)wide : panels, &pack, 0, n_panel));
    }
    free(rows);
    free(panels);
    free(want);
    free(wide);
}

static void test_panels_hold_the_file(void **state) {
    (void)state;
    for (int type = KZ_Q8; type < KZ_DTYPES; type++) {
        check_from_file((kz_dtype)type, 37, 96);
        check_from_file((kz_dtype)type, 16, 64);
        check_from_file((kz_dtype)type, 1, 32);
    }
}

static size_t quantize(unsigned char out[34], const float x[KZ_BLOCK], kz_dtype type) {
    bool fine = type == KZ_Q8   ? kz_quantize_q8((kz_q8_block *)(void *)out, x)
                : type == KZ_Q4 ? kz_quantize_q4((kz_q4_block *)(void *)out, x)
                                : kz_quantize_q4_0((kz_q4_block *)(void *)out, x);
    assert_true(fine);
    return kz_row_bytes(type, KZ_BLOCK);
}

/* Quantising while packing is quantising each row's blocks, then packing those; other types of source likewise. */
static void check_from_floats(kz_dtype src_type, kz_dtype type, size_t n_out, size_t n_in) {
    size_t n_whole = (n_in + 31) / 32 * 32, row = kz_row_bytes(type, n_whole), size = kz_dtype_size(src_type);
    unsigned char *src = malloc(n_out * n_in * size), *rows = malloc(n_out * row), *got = new_panels(type, n_out, n_in),
                  *want = new_panels(type, n_out, n_whole);
    for (size_t i = 0; i < n_out * n_in; i++) {
        uint32_t u = kz_math_bits(rng_float());
        uint16_t h = src_type == KZ_BF16 ? (uint16_t)(u >> 16) : kz_to_f16(kz_math_float(u));
        memcpy(src + i * size, size == 4 ? (const void *)&u : (const void *)&h, size);
    }
    for (size_t i = 0; i < n_out * n_whole; i += 32) {
        float x[KZ_BLOCK] = {0};
        _Alignas(4) unsigned char block[34];
        size_t out = i / n_whole, k = i % n_whole, n = n_in - k < 32 ? n_in - k : 32;
        kz_to_f32(x, src + (out * n_in + k) * size, src_type, n);
        size_t n_byte = quantize(block, x, type);
        memcpy(rows + out * row + k / 32 * n_byte, block, n_byte);
    }
    kz_pack pack = linear(n_out, n_in, src, src_type, type), ready = linear(n_out, n_whole, rows, type, type);
    size_t n_panel = (n_out + 15) / 16;
    assert_true(kz_pack_panels(got, &pack, 0, n_panel));
    assert_true(kz_pack_panels(want, &ready, 0, n_panel));
    assert_memory_equal(got, want, n_panel * kz_panel_bytes(type, n_in));
    free(src);
    free(rows);
    free(got);
    free(want);
}

static void test_packing_quantizes(void **state) {
    (void)state;
    for (int type = KZ_Q8; type < KZ_DTYPES; type++)
        for (int src = KZ_F32; src <= KZ_F16; src++) {
            check_from_floats((kz_dtype)src, (kz_dtype)type, 37, 131);
            check_from_floats((kz_dtype)src, (kz_dtype)type, 17, 64);
            check_from_floats((kz_dtype)src, (kz_dtype)type, 1, 1);
        }
}

/* ---- rows and matmul ------------------------------------------------------------------------------------------- */

static void check_row(const kz_kernels *k, size_t n) {
    float *x = malloc(n * sizeof *x);
    kz_qx *q = malloc((n + 63) / 64 * sizeof *q);
    for (size_t i = 0; i < n; i++)
        x[i] = rng_float() * ldexpf(1.0f, (int)(i / 32 % 9) - 4);
    k->quantize(q, x, n);
    for (size_t b = 0; b < (n + 63) / 64 * 2; b++) {
        float top = 0;
        int sum = 0;
        for (size_t i = b * 32; i < b * 32 + 32 && i < n; i++)
            top = fmaxf(top, fabsf(x[i]));
        assert_true(q[b / 2].d[b % 2] == top / 127.0f);
        for (size_t i = b * 32; i < b * 32 + 32; i++) {
            int value = q[b / 2].q[i % 64];
            sum += value;
            assert_int_equal(value, i < n ? (int)lrint((double)x[i] * (double)(127.0f / top)) : 0);
        }
        assert_int_equal(q[b / 2].offset[b % 2], -128 * sum);
    }
    free(x);
    free(q);
}

/* A largest magnitude of 2^-100 is one, the float below it is none. */
static void check_least_row(const kz_kernels *k, size_t at, float sign) {
    float x[KZ_PAIR] = {0};
    kz_qx q;
    x[at] = sign * 0x1p-100f;
    k->quantize(&q, x, KZ_PAIR);
    assert_true(q.d[at / 32] == 0x1p-100f / 127.0f && q.d[1 - at / 32] == 0.0f);
    assert_int_equal(q.q[at], (int)sign * 127);
    assert_int_equal(q.offset[at / 32], -128 * 127 * (int)sign);
    x[at] = sign * nextafterf(0x1p-100f, 0.0f);
    k->quantize(&q, x, KZ_PAIR);
    assert_true(q.d[0] == 0.0f && q.d[1] == 0.0f);
    assert_int_equal(q.q[at], 0);
    assert_int_equal(q.offset[at / 32], 0);
}

static void test_least_row(void **state) {
    (void)state;
    for (int level = 0; level < KZ_CPU_LEVELS; level++) {
        const kz_kernels *k = kz_kernels_get((kz_cpu_level)level);
        for (size_t at = 0; k && at < KZ_PAIR; at++)
            check_least_row(k, at, at % 3 ? 1.0f : -1.0f);
    }
}

/* Against sums in double: the weights as the panels hold them, the row as it was before it was quantised. */
static void check_matmul(const kz_kernels *k, kz_dtype type, size_t n_out, size_t n_in) {
    float *w = malloc(n_out * n_in * sizeof *w), *x = malloc(n_in * sizeof *x), *y = malloc(n_out * sizeof *y);
    kz_qx *qx = malloc((n_in + 63) / 64 * sizeof *qx);
    unsigned char *panels = new_panels(type, n_out, n_in);
    for (size_t i = 0; i < n_out * n_in; i++)
        w[i] = rng_float();
    for (size_t i = 0; i < n_in; i++)
        x[i] = rng_float();
    kz_pack pack = linear(n_out, n_in, w, KZ_F32, type);
    assert_true(kz_pack_panels(panels, &pack, 0, (n_out + 15) / 16));
    k->quantize(qx, x, n_in);
    kz_mm mm = {.w = panels, .n_seg = 1, .seg_len = n_in, .y = y, .y_row = n_out, .n_out = n_out, .qx = qx};
    k->mm[type](&mm, 0, (n_out + 15) / 16, 0, 1);
    for (size_t out = 0; out < n_out; out++) {
        double sum = 0, size = 0;
        for (size_t i = 0; i < n_in; i++) {
            double product = panel_value(panels, type, n_in, out, i) * (double)x[i];
            sum += product;
            size += fabs(panel_value(panels, type, n_in, out, i)) / 254;
        }
        assert_true(fabs((double)y[out] - sum) <= size + 1e-5); /* half a step of each input */
    }
    free(w);
    free(x);
    free(y);
    free(qx);
    free(panels);
}

static void test_rows_and_matmul(void **state) {
    (void)state;
    for (int level = 0; level < KZ_CPU_LEVELS; level++) {
        const kz_kernels *k = kz_kernels_get((kz_cpu_level)level);
        if (!k)
            continue;
        check_row(k, 700);
        check_row(k, 33);
        check_row(k, 1);
        for (int type = KZ_Q8; type < KZ_DTYPES; type++) {
            check_matmul(k, (kz_dtype)type, 37, 200);
            check_matmul(k, (kz_dtype)type, 16, 64);
            check_matmul(k, (kz_dtype)type, 5, 7);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_to_f16_rounds),        cmocka_unit_test(test_q8_is_the_definition),
        cmocka_unit_test(test_q4_is_near),           cmocka_unit_test(test_small_and_large_blocks),
        cmocka_unit_test(test_panels_hold_the_file), cmocka_unit_test(test_packing_quantizes),
        cmocka_unit_test(test_rows_and_matmul),      cmocka_unit_test(test_q8_rounds_halves_away_from_zero),
        cmocka_unit_test(test_q4_tries_all_ends),    cmocka_unit_test(test_least_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
