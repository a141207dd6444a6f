/* test_winograd.c: nn.h's sums for convolutions of 7 taps, written out; and the convolution itself.
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "nn/nn.h"

enum { TAP = 7, MAX_CH = 35, MAX_ROW = 96, MAX_DILATION = 9, MAX_HIST = (TAP - 1) * MAX_DILATION };

static struct rig {
    size_t n_ch, dilation;
    float w[MAX_CH * MAX_CH * TAP], b[MAX_CH];
    float x[(MAX_HIST + MAX_ROW) * MAX_CH];
    kz_weights *weights;
    kz_winograd conv;
    kz_pool *pool;
    unsigned char *file;
} rig;

static float next_float(void) {
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (float)(int32_t)state / 2147483648.0f;
}

static kztts_status open_conv(size_t n_ch, size_t dilation, kz_err *err) {
    char header[256];
    const size_t n_w = n_ch * n_ch * TAP * sizeof(float), n_b = n_ch * sizeof(float);
    int n = snprintf(header, sizeof header,
                     "{\"c.weight\":{\"dtype\":\"F32\",\"shape\":[%zu,%zu,7],\"data_offsets\":[0,%zu]},"
                     "\"c.bias\":{\"dtype\":\"F32\",\"shape\":[%zu],\"data_offsets\":[%zu,%zu]}}",
                     n_ch, n_ch, n_w, n_ch, n_w, n_w + n_b);
    const size_t n_header = ((size_t)n + 7) / 8 * 8;
    rig.file = calloc(1, 8 + n_header + n_w + n_b);
    assert_non_null(rig.file);
    rig.file[0] = (unsigned char)n_header;
    rig.file[1] = (unsigned char)(n_header >> 8);
    memset(rig.file + 8, ' ', n_header);
    memcpy(rig.file + 8, header, (size_t)n);
    memcpy(rig.file + 8 + n_header, rig.w, n_w);
    memcpy(rig.file + 8 + n_header + n_w, rig.b, n_b);
    rig.n_ch = n_ch;
    rig.dilation = dilation;
    assert_int_equal(kz_weights_open_memory(&rig.weights, rig.file, 8 + n_header + n_w + n_b, "conv", err), KZTTS_OK);
    return kz_winograd_load(&rig.conv, rig.weights, "c", n_ch, dilation, rig.pool, err);
}

static void close_conv(void) {
    kz_winograd_free(&rig.conv);
    kz_weights_close(rig.weights);
    free(rig.file);
}

static void fill(float *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        x[i] = next_float();
}

/* ---- the sums ---------------------------------------------------------------------------------------------- */

static float u_of(size_t e, size_t out, size_t in) {
    static const double point[] = {0, 1, -1, 2, -2, 0.5, -0.5, 0}, n[] = {0, -4.5, -4.5, 90, 90, 1.40625, 1.40625, 0};
    const float *f = rig.w + (out * rig.n_ch + in) * TAP;
    if (e == 0 || e == 7)
        return e ? f[6] : -f[0];
    const double p = fabs(point[e]), p2 = p * p;
    const double even = f[0] + p2 * (f[2] + p2 * (f[4] + p2 * (double)f[6]));
    const double odd = p * (f[1] + p2 * (f[3] + p2 * (double)f[5]));
    return (float)((point[e] > 0 ? even + odd : even - odd) / n[e]);
}

/* first: the first output's oldest row. */
static float v_of(size_t e, const float *first, size_t in, bool both) {
    float d[8];
    for (size_t k = 0; k < 8; k++)
        d[k] = k < 7 || both ? first[k * rig.dilation * rig.n_ch + in] : 0;
    const float a[] = {fmaf(-4.25f, d[4], d[2] + d[6]), fmaf(0.25f, d[2], fmaf(-1.25f, d[4], d[6])),
                       fmaf(4, d[2], fmaf(-5, d[4], d[6]))};
    const float b[] = {fmaf(-4.25f, d[3], d[1] + d[5]), fmaf(0.5f, d[1], fmaf(-2.5f, d[3], 2 * d[5])),
                       fmaf(2, d[1], fmaf(-2.5f, d[3], d[5] / 2))};
    if (e == 0)
        return fmaf(5.25f, d[2] - d[4], d[6] - d[0]);
    if (e == 7)
        return fmaf(5.25f, d[3] - d[5], d[7] - d[1]);
    return e % 2 ? a[(e - 1) / 2] + b[(e - 1) / 2] : a[(e - 1) / 2] - b[(e - 1) / 2];
}

/* Row `row` of its frame, which begins at x. */
static float y_of(const float *x, size_t row, size_t out, size_t frame_row) {
    const size_t in_group = row % (2 * rig.dilation);
    const bool second = in_group >= rig.dilation, both = second || row + rig.dilation < frame_row;
    const float *first = x + (second ? row - rig.dilation : row) * rig.n_ch;
    float m[8];
    for (size_t e = 0; e < 8; e++) {
        m[e] = e == 0 || e == 7 ? rig.b[out] : 0;
        for (size_t in = 0; in < rig.n_ch; in++)
            m[e] = fmaf(u_of(e, out, in), v_of(e, first, in, both), m[e]);
    }
    return second ? m[7] + ((m[1] - m[2]) + fmaf(2, m[3] - m[4], (m[5] - m[6]) / 2))
                  : m[0] + ((m[1] + m[2]) + ((m[3] + m[4]) + (m[5] + m[6])));
}

static double convolution(const float *x, size_t row, size_t out) {
    double y = (double)rig.b[out];
    for (size_t tap = 0; tap < TAP; tap++)
        for (size_t in = 0; in < rig.n_ch; in++)
            y += (double)rig.w[(out * rig.n_ch + in) * TAP + tap] *
                 (double)x[(row + tap * rig.dilation) * rig.n_ch + in];
    return y;
}

/* ---- tests ------------------------------------------------------------------------------------------------- */

static void check_rows(const float *y, size_t n_frame, size_t frame_row) {
    for (size_t r = 0; r < n_frame * frame_row; r++)
        for (size_t out = 0; out < rig.n_ch; out++) {
            const float *x = rig.x + r / frame_row * frame_row * rig.n_ch;
            const float want = y_of(x, r % frame_row, out, frame_row), got = y[r * rig.n_ch + out];
            if (got != want)
                fail_msg("row %zu of frames of %zu, dilation %zu, output %zu of %zu: %a, expected %a", r, frame_row,
                         rig.dilation, out, rig.n_ch, (double)got, (double)want);
            /* sums of 7 n_ch products below 1, through numbers some times as large */
            assert_true(fabs((double)got - convolution(rig.x, r, out)) < 2e-6 * (double)(TAP * rig.n_ch));
        }
}

/* Groups one by one, and some together, as all at once. */
static void check_pieces(const kz_kernels *k, const float *y, size_t n_row, size_t frame_row) {
    const size_t n_group = kz_winograd_count(&rig.conv, n_row, frame_row), n_ch = rig.n_ch;
    for (size_t at_once = 1; at_once <= 3; at_once += 2)
        for (size_t g = 0; g < n_group; g += at_once) {
            const kz_groups groups = {frame_row, g, g + at_once < n_group ? g + at_once : n_group};
            const size_t row = kz_winograd_row(&rig.conv, frame_row, groups.begin);
            const size_t n = kz_winograd_row(&rig.conv, frame_row, groups.end) - row;
            float *got = calloc(n * n_ch, sizeof *got), *scratch;
            scratch = calloc(kz_winograd_scratch(&rig.conv, &groups), sizeof *scratch);
            assert_true(got && scratch);
            kz_winograd_piece(k, &rig.conv, got, rig.x, &groups, scratch);
            assert_memory_equal(got, y + row * n_ch, n * n_ch * sizeof *got);
            free(scratch);
            free(got);
        }
}

static void check_frames(size_t n_frame, size_t frame_row) {
    const size_t n_row = n_frame * frame_row, n_ch = rig.n_ch;
    const kz_groups all = {frame_row, 0, kz_winograd_count(&rig.conv, n_row, frame_row)};
    float *y = calloc(n_row * n_ch, sizeof *y), *scratch;
    scratch = calloc(kz_winograd_scratch(&rig.conv, &all), sizeof *scratch);
    assert_true(y && scratch);
    fill(rig.x, (MAX_HIST + MAX_ROW) * MAX_CH);
    for (int level = 0; level < KZ_CPU_LEVELS; level++) {
        const kz_ctx ctx = {.k = kz_kernels_get((kz_cpu_level)level), .pool = rig.pool};
        if (!ctx.k)
            continue;
        memset(y, 0, n_row * n_ch * sizeof *y);
        kz_winograd_run(&ctx, &rig.conv, y, rig.x, n_row, frame_row, scratch);
        check_rows(y, n_frame, frame_row);
        check_pieces(ctx.k, y, n_row, frame_row);
    }
    free(scratch);
    free(y);
}

static void test_sums(void **unused) {
    static const size_t width[] = {1, 16, MAX_CH}, rows[][2] = {{1, 1}, {3, 7}, {2, 12}, {1, 18}, {2, 32}, {1, 41}};
    (void)unused;
    for (size_t i = 0; i < sizeof width / sizeof *width; i++)
        for (size_t dilation = 1; dilation <= 9; dilation *= 3) {
            kz_err err = {""};
            fill(rig.w, width[i] * width[i] * TAP);
            fill(rig.b, width[i]);
            if (open_conv(width[i], dilation, &err) < 0)
                fail_msg("%s", err.message);
            for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
                check_frames(rows[r][0], rows[r][1]);
            close_conv();
        }
}

static void test_not_finite(void **unused) {
    (void)unused;
    for (size_t tap = 0; tap < TAP; tap++) {
        kz_err err = {""};
        fill(rig.w, (size_t)5 * 5 * TAP);
        rig.w[13 * TAP + tap] = tap % 2 ? INFINITY : NAN;
        assert_int_equal(open_conv(5, 1, &err), KZTTS_ERROR_FORMAT);
        assert_non_null(strstr(err.message, "c.weight holds a value that is not a finite number"));
        close_conv();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums), cmocka_unit_test(test_not_finite)};
    kz_err err;
    if (kz_pool_new(&rig.pool, 3, &err) < 0)
        return 1;
    int failed = cmocka_run_group_tests_name("winograd", tests, NULL, NULL);
    kz_pool_free(rig.pool);
    return failed;
}
