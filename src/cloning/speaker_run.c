/* speaker_run.c: mel rows through the speaker encoder.  SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "cloning/speaker.h"

/* All rows [n, channels]; sums over time are in double precision, in order. */
typedef struct run {
    const kz_ctx *ctx;
    const kz_speaker_encoder *sp;
    size_t n;      /* frames */
    float *mel;    /* [n, n_mel] */
    float *padded; /* a convolution's input with mirrored ends */
    float *x, *y;  /* [n, widest block] */
    float *cat;    /* [n, sum of blocks], all blocks' outputs side by side */
    float *last;   /* [n, n_last] aggregation */
    float *weight; /* [n, n_last] attention */
    float *wide;   /* [ROWS, 3 n_last] attention's input */
    float *stats;  /* [6 n_last] vectors */
} run;

enum { ROWS = 64 };

static void relu(float *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        x[i] = x[i] > 0 ? x[i] : 0;
}

static size_t mirror(ptrdiff_t t, size_t n) {
    if (t < 0)
        t = -t;
    return (size_t)(t < (ptrdiff_t)n ? t : 2 * ((ptrdiff_t)n - 1) - t);
}

/* A convolution that keeps the length: mirrored ends. x rows are x_row apart. */
static void conv_same(const run *r, const kz_conv *conv, float *y, const float *x, size_t x_row) {
    size_t pad = kz_conv_hist(conv) / 2, n_col = conv->n_in;
    for (size_t t = 0; t < r->n + 2 * pad; t++)
        memcpy(r->padded + t * n_col, x + mirror((ptrdiff_t)t - (ptrdiff_t)pad, r->n) * x_row, n_col * sizeof *x);
    kz_conv_run(r->ctx, conv, y, r->padded, r->n, NULL);
    relu(y, r->n * conv->lin.n_out);
}

static void point(const run *r, const kz_linear *lin, float *y, const float *x) {
    kz_linear_run(r->ctx, lin, y, lin->n_out, x, lin->n_in, r->n, NULL);
    relu(y, r->n * lin->n_out);
}

/* Mean over time of each of n_col columns. */
static void time_mean(float *mean, const float *x, size_t n, size_t n_col) {
    for (size_t c = 0; c < n_col; c++) {
        double sum = 0;
        for (size_t t = 0; t < n; t++)
            sum += (double)x[t * n_col + c];
        mean[c] = (float)(sum / (double)n);
    }
}

/* Groups in turn: each convolution reads its own group plus the group before's result. In place over x [n, width]. */
static void res2net(const run *r, const kz_res_block *b, float *x, size_t width, float *scratch) {
    size_t n_group = r->sp->cfg.n_group, part = width / n_group;
    float *in = scratch, *out = scratch + r->n * part;
    for (size_t g = 1; g < n_group; g++) {
        for (size_t t = 0; t < r->n; t++)
            for (size_t c = 0; c < part; c++) {
                float v = x[t * width + g * part + c];
                in[t * part + c] = g == 1 ? v : v + x[t * width + (g - 1) * part + c];
            }
        conv_same(r, &b->group[g - 1], out, in, part);
        for (size_t t = 0; t < r->n; t++)
            memcpy(x + t * width + g * part, out + t * part, part * sizeof *x);
    }
}

/* Scales each channel of y by a factor made from its mean, then adds the block's input. */
static void squeeze_excite(const run *r, const kz_res_block *b, float *y, const float *x, size_t n_col) {
    float *mean = r->stats, *gate = r->stats + n_col, *mid = gate + n_col;
    time_mean(mean, y, r->n, n_col);
    kz_linear_run(r->ctx, &b->squeeze, mid, b->squeeze.n_out, mean, n_col, 1, NULL);
    relu(mid, b->squeeze.n_out);
    kz_linear_run(r->ctx, &b->excite, gate, n_col, mid, b->squeeze.n_out, 1, NULL);
    for (size_t c = 0; c < n_col; c++)
        gate[c] = 1.0F / (1.0F + kz_expf(-gate[c]));
    for (size_t t = 0; t < r->n; t++)
        for (size_t c = 0; c < n_col; c++)
            y[t * n_col + c] = y[t * n_col + c] * gate[c] + x[t * n_col + c];
}

/* x becomes the block's output and goes into its columns of r->cat. */
static void run_block(run *r, size_t i, size_t at, size_t n_cat) {
    const kz_speaker_config *c = &r->sp->cfg;
    const kz_res_block *b = &r->sp->block[i - 1];
    size_t n_col = c->channel[i];
    float *mid = r->weight; /* not in use yet, and wide enough */
    point(r, &b->in, r->y, r->x);
    res2net(r, b, r->y, n_col, mid);
    point(r, &b->out, mid, r->y);
    squeeze_excite(r, b, mid, r->x, n_col);
    memcpy(r->x, mid, r->n * n_col * sizeof *mid);
    kz_tap_put(r->ctx->tap, "speaker_block", (int)i, r->x, r->n, n_col);
    for (size_t t = 0; t < r->n; t++)
        memcpy(r->cat + t * n_cat + at, r->x + t * n_col, n_col * sizeof *mid);
}

/* Weighted mean and deviation of a column; weights NULL: all 1 / n. */
static void column_stats(float *mean, float *deviation, const float *x, const float *a, size_t n, size_t n_col) {
    double share = 1 / (double)n, m = 0, v = 0;
    for (size_t t = 0; t < n; t++)
        m += (a ? (double)a[t * n_col] : share) * (double)x[t * n_col];
    for (size_t t = 0; t < n; t++) {
        double d = (double)x[t * n_col] - m;
        v += (a ? (double)a[t * n_col] : share) * d * d;
    }
    *mean = (float)m;
    *deviation = (float)sqrt(v > 1e-12 ? v : 1e-12);
}

static void softmax_time(const run *r, float *a, size_t n_col) {
    for (size_t c = 0; c < n_col; c++) {
        float top = a[c];
        double sum = 0;
        for (size_t t = 1; t < r->n; t++)
            top = a[t * n_col + c] > top ? a[t * n_col + c] : top;
        for (size_t t = 0; t < r->n; t++) {
            a[t * n_col + c] = kz_expf(a[t * n_col + c] - top);
            sum += (double)a[t * n_col + c];
        }
        for (size_t t = 0; t < r->n; t++)
            a[t * n_col + c] = (float)((double)a[t * n_col + c] / sum);
    }
}

/* tanh of values >= 0 */
static void tanh_rows(float *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        float e = kz_expf(-2.0F * x[i]);
        x[i] = (1.0F - e) / (1.0F + e);
    }
}

/* Attentive statistics pooling: pooled [2 n_last] = weighted means, weighted deviations. */
static void pool_statistics(run *r, float *pooled) {
    const kz_speaker_encoder *sp = r->sp;
    size_t n_last = sp->mfa.n_out, d = sp->attention_in.n_out, rows;
    float *mean = r->stats, *deviation = mean + n_last, *mid = r->y;
    for (size_t c = 0; c < n_last; c++)
        column_stats(&mean[c], &deviation[c], r->last + c, NULL, r->n, n_last);
    for (size_t t = 0; t < r->n; t += rows) {
        rows = r->n - t < ROWS ? r->n - t : ROWS;
        for (size_t i = 0; i < rows; i++) {
            float *row = r->wide + i * 3 * n_last;
            memcpy(row, r->last + (t + i) * n_last, n_last * sizeof *row);
            memcpy(row + n_last, mean, 2 * n_last * sizeof *row);
        }
        kz_linear_run(r->ctx, &sp->attention_in, mid, d, r->wide, 3 * n_last, rows, NULL);
        relu(mid, rows * d);
        tanh_rows(mid, rows * d);
        kz_linear_run(r->ctx, &sp->attention_out, r->weight + t * n_last, n_last, mid, d, rows, NULL);
    }
    softmax_time(r, r->weight, n_last);
    for (size_t c = 0; c < n_last; c++)
        column_stats(&pooled[c], &pooled[n_last + c], r->last + c, r->weight + c, r->n, n_last);
}

static void run_all(run *r, float *x_vector) {
    const kz_speaker_encoder *sp = r->sp;
    const kz_speaker_config *c = &sp->cfg;
    size_t at = 0, n_cat = sp->mfa.n_in, n_last = sp->mfa.n_out;
    conv_same(r, &sp->first, r->x, r->mel, c->n_mel);
    kz_tap_put(r->ctx->tap, "speaker_block", 0, r->x, r->n, c->channel[0]);
    for (size_t i = 1; i <= KZ_N_RES; at += c->channel[i++])
        run_block(r, i, at, n_cat);
    point(r, &sp->mfa, r->last, r->cat);
    kz_tap_put(r->ctx->tap, "speaker_mfa", 0, r->last, r->n, n_last);
    float *pooled = r->stats + 2 * n_last;
    pool_statistics(r, pooled);
    kz_tap_put(r->ctx->tap, "speaker_asp", 0, pooled, 1, 2 * n_last);
    kz_linear_run(r->ctx, &sp->fc, x_vector, sp->fc.n_out, pooled, 2 * n_last, 1, NULL);
}

/* Widest of the convolutions' inputs, and the most rows they are padded by. */
static void measure(const kz_speaker_config *c, size_t *widest, size_t *most_pad) {
    *widest = c->n_mel > c->d_attention ? c->n_mel : c->d_attention;
    *most_pad = 0;
    for (size_t i = 0; i < KZ_SPEAKER_BLOCKS; i++) {
        size_t pad = (c->kernel[i] - 1) * c->dilation[i];
        if (i + 1 < KZ_SPEAKER_BLOCKS && c->channel[i] > *widest)
            *widest = c->channel[i];
        if (pad > *most_pad)
            *most_pad = pad;
    }
}

static void layout(run *r, kz_arena *arena) {
    const kz_speaker_encoder *sp = r->sp;
    size_t widest, pad, n_last = sp->mfa.n_out, n_weight, n_stats;
    measure(&sp->cfg, &widest, &pad);
    n_weight = n_last > 2 * widest ? n_last : 2 * widest; /* blocks keep two arrays here */
    n_stats = 2 * widest + sp->cfg.d_squeeze > 4 * n_last ? 2 * widest + sp->cfg.d_squeeze : 4 * n_last;
    r->padded = kz_arena_take(arena, (r->n + pad) * widest, sizeof(float));
    r->x = kz_arena_take(arena, r->n * widest, sizeof(float));
    r->y = kz_arena_take(arena, (r->n + ROWS) * widest, sizeof(float));
    r->cat = kz_arena_take(arena, r->n * sp->mfa.n_in, sizeof(float));
    r->last = kz_arena_take(arena, r->n * n_last, sizeof(float));
    r->weight = kz_arena_take(arena, r->n * n_weight, sizeof(float));
    r->wide = kz_arena_take(arena, ROWS * 3 * n_last, sizeof(float));
    r->stats = kz_arena_take(arena, n_stats, sizeof(float));
}

kztts_status kz_speaker_run(const kz_ctx *ctx, const kz_speaker_encoder *sp, const float *wave, size_t n_sample,
                            float *x_vector, kz_err *err) {
    run r = {.ctx = ctx, .sp = sp};
    kz_arena arena = {0};
    KZ_TRY(kz_mel(&r.mel, &r.n, sp->cfg.n_mel, wave, n_sample, err));
    kz_tap_put(ctx->tap, "mel", 0, r.mel, r.n, sp->cfg.n_mel);
    layout(&r, &arena);
    kztts_status status = kz_arena_alloc(&arena, err, "the speaker encoder; a shorter recording needs less");
    if (status >= 0) {
        layout(&r, &arena);
        run_all(&r, x_vector);
    }
    kz_arena_free(&arena);
    kz_free(r.mel);
    return status;
}
