/* bench.c: how fast the kernels are.  SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "check.h"

#define SECONDS 0.4

/* Time this thread was running: the machine may be busy with other things. */
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *block(size_t n_byte) {
    void *p = aligned_alloc((size_t)2 << 20, (n_byte + ((size_t)2 << 20) - 1) >> 21 << 21);
    if (!p) {
        fprintf(stderr, "bench: no memory\n");
        exit(2);
    }
#ifdef MADV_HUGEPAGE
    madvise(p, (n_byte + ((size_t)2 << 20) - 1) >> 21 << 21, MADV_HUGEPAGE);
#endif
    return p;
}

/* Best time of a call, over about SECONDS. */
#define BEST(best, call)                                                                                               \
    do {                                                                                                               \
        double stop_ = now() + SECONDS;                                                                                \
        (best) = 1e9;                                                                                                  \
        for (double begin_ = now(), end_; begin_ < stop_; begin_ = end_) {                                             \
            call;                                                                                                      \
            end_ = now();                                                                                              \
            (best) = end_ - begin_ < (best) ? end_ - begin_ : (best);                                                  \
        }                                                                                                              \
    } while (0)

/* Reads all of it, a line of each of eight streams in turn: as many fetches in flight as the core can hold. */
static uint64_t read_all(const uint64_t *x, size_t n) {
    enum { STREAMS = 8, LINE = 8, STRETCH = 4096 };
    uint64_t all = 0;
    for (size_t at = 0; at + STREAMS * STRETCH <= n; at += STREAMS * STRETCH)
        for (size_t i = at; i < at + STRETCH; i += LINE)
            for (size_t j = 0; j < STREAMS; j++)
                all |= x[i + j * STRETCH];
    return all;
}

/* One matrix after the other through `pool` bytes of weights: what a language model does. */
static void matvec_all(const kz_kernels *k, kz_dtype type, kz_mm mm, const unsigned char *pool, size_t n_pool) {
    size_t n_panel = (mm.n_out + 15) / 16, n_byte = n_panel * kz_panel_bytes(type, mm.seg_len);
    for (size_t at = 0; at + n_byte <= n_pool; at += n_byte) {
        mm.w = pool + at;
        k->mm[type](&mm, 0, n_panel, 0, 1);
    }
}

/* Rows of ones, quantised too. */
static kz_qx *quantized_ones(const kz_kernels *k, const float *x, size_t n_in, size_t n_row) {
    size_t n_pair = (n_in + KZ_PAIR - 1) / KZ_PAIR;
    kz_qx *qx = block(n_row * n_pair * sizeof *qx);
    for (size_t r = 0; r < n_row; r++)
        k->quantize(qx + r * n_pair, x, n_in);
    return qx;
}

static void bench_matvec(const kz_kernels *k, kz_dtype type, size_t n_out, size_t n_in, const unsigned char *pool,
                         size_t n_pool, double limit) {
    float *x = block(n_in * 4), *y = block(n_out * 4);
    for (size_t i = 0; i < n_in; i++)
        x[i] = 1.0f;
    kz_qx *qx = quantized_ones(k, x, n_in, 1);
    kz_mm mm = {.x = x, .x_row = n_in, .n_seg = 1, .seg_len = n_in, .y = y, .y_row = n_out, .n_out = n_out, .qx = qx};
    size_t n_byte = n_out / 16 * kz_panel_bytes(type, n_in);
    double best;
    BEST(best, matvec_all(k, type, mm, pool, n_pool));
    double rate = (double)(n_pool / n_byte * n_byte) / best * 1e-9;
    printf("%-10s matvec %-4s %4zux%-4zu          %7.2f GB/s  %3.0f %% of reading\n", k->name, kz_dtype_name(type),
           n_out, n_in, rate, 100 * rate / limit);
    free(qx);
    free(x);
    free(y);
}

static void bench_mm(const kz_kernels *k, kz_dtype type, size_t n_out, size_t n_seg, size_t seg_len, size_t n_row) {
    size_t n_panel = (n_out + 15) / 16, n_k = n_seg * seg_len;
    float *x = block((n_row + n_seg) * seg_len * 4), *y = block(n_row * n_out * 4);
    unsigned char *w = block(n_panel * kz_panel_bytes(type, n_k));
    memset(w, 0, n_panel * kz_panel_bytes(type, n_k));
    for (size_t i = 0; i < (n_row + n_seg) * seg_len; i++)
        x[i] = 1.0f;
    kz_qx *qx = quantized_ones(k, x, n_k, kz_is_quantized(type) ? n_row : 0);
    kz_mm mm = {.w = w,
                .qx = qx,
                .x = x,
                .x_row = seg_len,
                .n_seg = n_seg,
                .seg_len = seg_len,
                .seg_step = seg_len,
                .y = y,
                .y_row = n_out,
                .n_out = n_out};
    double best;
    BEST(best, k->mm[type](&mm, 0, n_panel, 0, n_row));
    printf("%-10s mm %-4s %5zux%-5zu rows %-5zu %7.1f GFLOP/s\n", k->name, kz_dtype_name(type), n_out, n_k, n_row,
           2e-9 * (double)(n_out * n_k * n_row) / best);
    free(qx);
    free(x);
    free(y);
    free(w);
}

static void bench_elements(const kz_kernels *k) {
    const size_t n_row = 640, n_ch = 192;
    float *x = block(n_row * n_ch * 4), *y = block(n_row * n_ch * 4), *c = block(n_ch * 4);
    for (size_t i = 0; i < n_row * n_ch; i++)
        x[i] = sinf((float)i);
    for (size_t i = 0; i < n_ch; i++)
        c[i] = 1.5f;
    double best;
    BEST(best, k->snake(y, x, c, c, n_row, n_ch));
    printf("%-7s snake %zu x %zu              %7.2f G/s\n", k->name, n_row, n_ch, 1e-9 * (double)(n_row * n_ch) / best);
    BEST(best, k->silu_mul(y, x, x, n_row * n_ch));
    printf("%-7s silu_mul                      %7.2f G/s\n", k->name, 1e-9 * (double)(n_row * n_ch) / best);
    BEST(best, k->gelu(y, x, n_row * n_ch));
    printf("%-7s gelu                          %7.2f G/s\n", k->name, 1e-9 * (double)(n_row * n_ch) / best);
    free(x);
    free(y);
    free(c);
}

/* One layer's attention of n_row rows after n_pos - 1 positions: 16 heads, two to a head of keys. */
static void bench_attend(const kz_kernels *k, size_t n_row, size_t n_pos) {
    const size_t d_head = 128, n_kv = 8, n_head = 2, n_all = n_pos + n_row - 1, row = n_kv * n_head * d_head;
    float *kv = block(2 * n_kv * n_all * d_head * 4), *q = block(n_row * row * 4), *y = block(n_row * row * 4),
          *scores = block(KZ_ATTEND_QUERIES * n_all * 4);
    for (size_t i = 0; i < 2 * n_kv * n_all * d_head; i++)
        kv[i] = sinf((float)i);
    for (size_t i = 0; i < n_row * row; i++)
        q[i] = 0.1f;
    kz_attend a = {.y_row = row,
                   .q_row = row,
                   .n_row = n_row,
                   .n_head = n_head,
                   .stride = d_head,
                   .d_head = d_head,
                   .n_pos = n_pos,
                   .scale = 0.09f,
                   .scores = scores,
                   .score_row = n_all};
    double best;
    BEST(
        best, for (size_t h = 0; h < n_kv; h++) {
            a.y = y + h * n_head * d_head;
            a.q = q + h * n_head * d_head;
            a.k = kv + h * n_all * d_head;
            a.v = kv + (n_kv + h) * n_all * d_head;
            k->attend(&a);
        });
    printf("%-7s attend rows %zu, %4zu positions  %7.1f GFLOP/s, %.1f us\n", k->name, n_row, n_pos,
           4e-9 * (double)((n_pos + (n_row - 1) / 2) * n_row * d_head * n_head * n_kv) / best, best * 1e6);
    free(kv);
    free(q);
    free(y);
    free(scores);
}

static void bench_pack(void) {
    const size_t n = 2048;
    uint16_t *src = block(n * n * 2), *dst = block(n * n * 4);
    memset(src, 0x11, n * n * 2);
    kz_pack pack = {.src = src,
                    .src_type = KZ_BF16,
                    .dst_type = KZ_BF16,
                    .n_out = n,
                    .n_in = n,
                    .out_inner = n,
                    .out_inner_step = n,
                    .k_inner = n,
                    .k_inner_step = 1};
    double best;
    bool fine = true;
    BEST(best, fine &= kz_pack_panels(dst, &pack, 0, n / 16));
    printf("pack bf16 %7.2f G/s%s\n", 1e-9 * (double)(n * n) / best, fine ? "" : " (not finite)");
    pack.dst_type = KZ_F32;
    BEST(best, fine &= kz_pack_panels(dst, &pack, 0, n / 16));
    printf("pack bf16 to f32 %7.2f G/s\n", 1e-9 * (double)(n * n) / best);
    free(src);
    free(dst);
}

void check_bench(const kz_kernels *k) {
    const char *mib = getenv("KZTTS_BENCH_MIB"); /* weights the matvecs walk through: more than the caches hold */
    size_t n_pool = (mib ? (size_t)strtoul(mib, NULL, 10) : 640) << 20;
    unsigned char *pool = block(n_pool);
    memset(pool, 0, n_pool);
    double best;
    volatile uint64_t sink = 0;
    BEST(best, sink |= read_all((const uint64_t *)(const void *)pool, n_pool / 8));
    double limit = (double)n_pool / best * 1e-9;
    printf("reading %zu MiB: %.2f GB/s\n", n_pool >> 20, limit);
    for (int type = 0; type < KZ_DTYPES; type++) {
        bench_matvec(k, (kz_dtype)type, 2048, 1024, pool, n_pool, limit);
        bench_matvec(k, (kz_dtype)type, 3072, 1024, pool, n_pool, limit);
        bench_matvec(k, (kz_dtype)type, 1024, 3072, pool, n_pool, limit);
    }
    free(pool);
    bench_mm(k, KZ_F32, 768, 7, 768, 32);
    bench_mm(k, KZ_F32, 96, 7, 96, 1920);
    bench_mm(k, KZ_F32, 96, 1, 96, 1920);
    bench_mm(k, KZ_F32, 384, 7, 384, 160);
    bench_mm(k, KZ_F32, 1024, 1, 1024, 4);
    for (int type = 0; type < KZ_DTYPES; type++)
        for (size_t rows = 4; rows <= 32; rows *= 2)
            bench_mm(k, (kz_dtype)type, 3072, 1, 1024, rows);
    bench_elements(k);
    bench_attend(k, 1, 50);
    bench_attend(k, 1, 2000);
    bench_attend(k, 8, 200);
    bench_attend(k, 8, 2000);
    bench_pack();
}
