/* unit.c: residual units, x + conv2(snake(conv1(snake(x)))).  SPDX-License-Identifier: Apache-2.0
 *
 * conv1 looks back, so its input, the first snake, is written by whatever makes x and waits in a history. What follows
 * is up to a row: where a core's cache holds the weights, a piece of rows goes through all of it, and through the next
 * unit's first snake, before the next piece begins, and the threads meet once a unit. */
#include "decoder/parts.h"

/* Weights of a unit below which its rows are worked off in pieces; where there are more, threads share the weights. */
enum { MAX_LOCAL_WEIGHTS = 2 << 20, MIN_PIECE = 12, MAX_PIECE = 48, PIECES_A_THREAD = 8 };

static size_t min_size(size_t a, size_t b) { return a < b ? a : b; }

/* Wherever they lie: those of a prepared file aren't memory of ours. */
static bool is_local(const kz_unit *unit) {
    kz_work work = {0};
    kz_linear_work(&work, &unit->conv1.lin, 1);
    kz_linear_work(&work, &unit->conv2, 1);
    return work.bytes <= MAX_LOCAL_WEIGHTS;
}

/* Groups of conv1 with so many rows at most, at least one. */
static size_t groups_of(const kz_unit *unit, size_t n_row) {
    const size_t n = n_row / (2 * unit->conv1.dilation);
    return n ? n : 1;
}

/* Rows of a local piece at most. */
static size_t piece_rows(const kz_unit *unit) { return groups_of(unit, MAX_PIECE) * 2 * unit->conv1.dilation; }

/* Floats a thread needs for a piece: rows, then conv1's tiles. A piece that begins with its frame has the most tiles. */
static size_t piece_scratch(const kz_unit *unit, size_t frame_row) {
    const kz_groups most = {frame_row, 0, groups_of(unit, MAX_PIECE)};
    return piece_rows(unit) * unit->conv1.n_ch + kz_winograd_scratch(&unit->conv1, &most);
}

size_t kz_unit_scratch(const kz_unit *unit, size_t max_row, size_t frame_row, int n_thread) {
    const kz_groups all = {frame_row, 0, kz_winograd_count(&unit->conv1, max_row, frame_row)};
    return is_local(unit) ? (size_t)n_thread * piece_scratch(unit, frame_row)
                          : max_row * unit->conv1.n_ch + kz_winograd_scratch(&unit->conv1, &all);
}

typedef struct unit_job {
    const kz_kernels *k;
    const kz_unit *unit;
    const kz_snake *next_act;
    const float *in;
    float *mid, *x, *next_in;
    size_t n_row, frame_row, n_ch, n_group, piece; /* piece: groups */
} unit_job;

/* mid: piece_scratch floats. */
static void run_piece(const unit_job *job, const kz_groups *groups, float *mid) {
    const kz_unit *unit = job->unit;
    const size_t row = kz_winograd_row(&unit->conv1, job->frame_row, groups->begin);
    const size_t n = kz_winograd_row(&unit->conv1, job->frame_row, groups->end) - row;
    const size_t at = row * job->n_ch, n_panel = kz_round16(job->n_ch) / KZ_PANEL;
    float *x = job->x + at;
    kz_winograd_piece(job->k, &unit->conv1, mid, job->in, groups, mid + piece_rows(unit) * job->n_ch);
    job->k->snake(mid, mid, unit->act2.alpha, unit->act2.inv_beta, n, job->n_ch);
    const kz_mm conv2 = kz_linear_mm(&unit->conv2, x, job->n_ch, mid, job->n_ch, x);
    job->k->mm[unit->conv2.type](&conv2, 0, n_panel, 0, n);
    if (job->next_act)
        job->k->snake(job->next_in + at, x, job->next_act->alpha, job->next_act->inv_beta, n, job->n_ch);
}

static void run_pieces(void *arg, size_t begin, size_t end, int worker) {
    const unit_job *job = arg;
    float *mid = job->mid + (size_t)worker * piece_scratch(job->unit, job->frame_row);
    for (size_t i = begin; i < end; i++) {
        const size_t first = i * job->piece;
        run_piece(job, &(kz_groups){job->frame_row, first, min_size(first + job->piece, job->n_group)}, mid);
    }
}

/* Groups a piece: pieces alike in size, some for every thread. */
static size_t piece_groups(const unit_job *job, size_t n_thread) {
    size_t most = job->n_row / (PIECES_A_THREAD * n_thread) + 1;
    most = groups_of(job->unit, most < MIN_PIECE ? MIN_PIECE : min_size(most, MAX_PIECE));
    const size_t n_piece = (job->n_group + most - 1) / most;
    return (job->n_group + n_piece - 1) / n_piece;
}

static void run_shared(const kz_ctx *ctx, const unit_job *job) {
    const kz_unit *unit = job->unit;
    const size_t n_ch = job->n_ch, n_row = job->n_row;
    kz_winograd_run(ctx, &unit->conv1, job->mid, job->in, n_row, job->frame_row, job->mid + n_row * n_ch);
    kz_rows_snake(ctx, job->mid, job->mid, unit->act2.alpha, unit->act2.inv_beta, n_row, n_ch);
    kz_linear_run(ctx, &unit->conv2, job->x, n_ch, job->mid, n_ch, n_row, job->x);
    if (job->next_act)
        kz_rows_snake(ctx, job->next_in, job->x, job->next_act->alpha, job->next_act->inv_beta, n_row, n_ch);
}

void kz_unit_run(const kz_ctx *ctx, const kz_unit *unit, kz_hist *hist, const kz_snake *next_act, float *next_in,
                 float *mid, float *x, size_t n_row, size_t frame_row) {
    unit_job job = {.k = ctx->k,
                    .unit = unit,
                    .next_act = next_act,
                    .in = hist->data,
                    .mid = mid,
                    .x = x,
                    .next_in = next_in,
                    .n_row = n_row,
                    .frame_row = frame_row,
                    .n_ch = hist->n_col,
                    .n_group = kz_winograd_count(&unit->conv1, n_row, frame_row)};
    if (is_local(unit)) {
        job.piece = piece_groups(&job, (size_t)kz_pool_threads(ctx->pool));
        kz_pool_run(ctx->pool, (job.n_group + job.piece - 1) / job.piece, 1, run_pieces, &job);
    } else {
        run_shared(ctx, &job);
    }
    kz_hist_next(hist, n_row);
}
