/* rows.c: element-wise and row-wise layers, rows split over threads.  SPDX-License-Identifier: Apache-2.0 */
#include "nn/nn.h"

typedef struct rows_job {
    const kz_kernels *k;
    float *y;
    const float *x, *a, *b;
    size_t n_col, n_tap;
    float eps;
} rows_job;

/* Rows a piece: about this many values, so that small layers stay on one thread. */
enum { VALUES_A_PIECE = 8192 };

static void run_rows(const kz_ctx *ctx, rows_job job, size_t n_row, kz_job fn) {
    size_t grain = VALUES_A_PIECE / job.n_col;
    job.k = ctx->k;
    kz_pool_run(ctx->pool, n_row, grain ? grain : 1, fn, &job);
}

static void rmsnorm_some(void *arg, size_t begin, size_t end, int worker) {
    const rows_job *job = arg;
    (void)worker;
    for (size_t r = begin; r < end; r++)
        job->k->rmsnorm(job->y + r * job->n_col, job->x + r * job->n_col, job->a, job->n_col, job->eps);
}

void kz_rows_rmsnorm(const kz_ctx *ctx, float *y, const float *x, const float *w, size_t n_row, size_t n_col,
                     float eps) {
    run_rows(ctx, (rows_job){.y = y, .x = x, .a = w, .n_col = n_col, .eps = eps}, n_row, rmsnorm_some);
}

static void layernorm_some(void *arg, size_t begin, size_t end, int worker) {
    const rows_job *job = arg;
    (void)worker;
    for (size_t r = begin; r < end; r++)
        job->k->layernorm(job->y + r * job->n_col, job->x + r * job->n_col, job->a, job->b, job->n_col, job->eps);
}

void kz_rows_layernorm(const kz_ctx *ctx, float *y, const float *x, const float *w, const float *b, size_t n_row,
                       size_t n_col, float eps) {
    run_rows(ctx, (rows_job){.y = y, .x = x, .a = w, .b = b, .n_col = n_col, .eps = eps}, n_row, layernorm_some);
}

static void snake_some(void *arg, size_t begin, size_t end, int worker) {
    const rows_job *job = arg;
    size_t at = begin * job->n_col;
    (void)worker;
    job->k->snake(job->y + at, job->x + at, job->a, job->b, end - begin, job->n_col);
}

void kz_rows_snake(const kz_ctx *ctx, float *y, const float *x, const float *alpha, const float *inv_beta, size_t n_row,
                   size_t n_col) {
    run_rows(ctx, (rows_job){.y = y, .x = x, .a = alpha, .b = inv_beta, .n_col = n_col}, n_row, snake_some);
}

static void gelu_some(void *arg, size_t begin, size_t end, int worker) {
    const rows_job *job = arg;
    size_t at = begin * job->n_col;
    (void)worker;
    job->k->gelu(job->y + at, job->x + at, (end - begin) * job->n_col);
}

void kz_rows_gelu(const kz_ctx *ctx, float *y, const float *x, size_t n_row, size_t n_col) {
    run_rows(ctx, (rows_job){.y = y, .x = x, .n_col = n_col}, n_row, gelu_some);
}

static void dwconv_some(void *arg, size_t begin, size_t end, int worker) {
    const rows_job *job = arg;
    size_t at = begin * job->n_col;
    (void)worker;
    job->k->dwconv(job->y + at, job->x + at, job->a, job->b, job->n_tap, end - begin, job->n_col);
}

void kz_rows_dwconv(const kz_ctx *ctx, float *y, const float *x, const float *w, const float *b, size_t n_tap,
                    size_t n_row, size_t n_col) {
    run_rows(ctx, (rows_job){.y = y, .x = x, .a = w, .b = b, .n_col = n_col, .n_tap = n_tap}, n_row, dwconv_some);
}
