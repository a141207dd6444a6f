/* unit.c: residual units, x + conv2(snake(conv1(snake(x)))).  SPDX-License-Identifier: Apache-2.0
 *
 * conv1 looks back, so its input, the first snake, is written by whatever makes x and waits in a history. What follows
 * is up to a row: where a core's cache holds the weights, a piece of rows goes through all of it, and through the next
 * unit's first snake, before the next piece begins, and the threads meet once a unit. */
#include "decoder/parts.h"

/* Weights of a unit below which its rows are worked off in pieces; where there are more, threads share the weights. */
enum { MAX_LOCAL_WEIGHTS = 2 << 20, MIN_PIECE = 12, MAX_PIECE = 96, PIECES_A_THREAD = 8 };

static size_t min_size(size_t a, size_t b) { return a < b ? a : b; }

static bool is_local(const kz_unit *unit) {
    return kz_linear_bytes(&unit->conv1.lin) + kz_linear_bytes(&unit->conv2) <= MAX_LOCAL_WEIGHTS;
}

size_t kz_unit_mid_rows(const kz_unit *unit, size_t max_row, int n_thread) {
    return is_local(unit) ? (size_t)n_thread * MAX_PIECE : max_row;
}

typedef struct unit_job {
    const kz_kernels *k;
    const kz_unit *unit;
    const kz_snake *next_act;
    const float *in;
    float *mid, *x, *next_in;
    size_t n_row, n_ch, piece;
} unit_job;

static void run_piece(const unit_job *job, size_t row, size_t n, float *mid) {
    const kz_unit *unit = job->unit;
    const size_t at = row * job->n_ch, n_panel = kz_round16(job->n_ch) / KZ_PANEL;
    float *x = job->x + at;
    const kz_mm conv1 = kz_conv_mm(&unit->conv1, mid, job->in + at, NULL);
    job->k->mm[unit->conv1.lin.type](&conv1, 0, n_panel, 0, n);
    job->k->snake(mid, mid, unit->act2.alpha, unit->act2.inv_beta, n, job->n_ch);
    const kz_mm conv2 = kz_linear_mm(&unit->conv2, x, job->n_ch, mid, job->n_ch, x);
    job->k->mm[unit->conv2.type](&conv2, 0, n_panel, 0, n);
    if (job->next_act)
        job->k->snake(job->next_in + at, x, job->next_act->alpha, job->next_act->inv_beta, n, job->n_ch);
}

static void run_pieces(void *arg, size_t begin, size_t end, int worker) {
    const unit_job *job = arg;
    float *mid = job->mid + (size_t)worker * MAX_PIECE * job->n_ch;
    for (size_t i = begin; i < end; i++)
        run_piece(job, i * job->piece, min_size(job->piece, job->n_row - i * job->piece), mid);
}

/* Pieces alike in size, some for every thread. */
static size_t piece_rows(size_t n_row, size_t n_thread) {
    size_t most = n_row / (PIECES_A_THREAD * n_thread) + 1;
    most = most < MIN_PIECE ? MIN_PIECE : most < MAX_PIECE ? most : MAX_PIECE;
    const size_t n_piece = (n_row + most - 1) / most;
    return (n_row + n_piece - 1) / n_piece;
}

static void run_shared(const kz_ctx *ctx, const unit_job *job) {
    const kz_unit *unit = job->unit;
    const size_t n_ch = job->n_ch, n_row = job->n_row;
    kz_conv_run(ctx, &unit->conv1, job->mid, job->in, n_row, NULL);
    kz_rows_snake(ctx, job->mid, job->mid, unit->act2.alpha, unit->act2.inv_beta, n_row, n_ch);
    kz_linear_run(ctx, &unit->conv2, job->x, n_ch, job->mid, n_ch, n_row, job->x);
    if (job->next_act)
        kz_rows_snake(ctx, job->next_in, job->x, job->next_act->alpha, job->next_act->inv_beta, n_row, n_ch);
}

void kz_unit_run(const kz_ctx *ctx, const kz_unit *unit, kz_hist *hist, const kz_snake *next_act, float *next_in,
                 float *mid, float *x, size_t n_row) {
    unit_job job = {.k = ctx->k,
                    .unit = unit,
                    .next_act = next_act,
                    .in = hist->data,
                    .mid = mid,
                    .x = x,
                    .next_in = next_in,
                    .n_row = n_row,
                    .n_ch = hist->n_col};
    if (is_local(unit)) {
        job.piece = piece_rows(n_row, (size_t)kz_pool_threads(ctx->pool));
        kz_pool_run(ctx->pool, (n_row + job.piece - 1) / job.piece, 1, run_pieces, &job);
    } else {
        run_shared(ctx, &job);
    }
    kz_hist_next(hist, n_row);
}
