/* encoder_run.c: samples through the codec's encoder.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cloning/encoder.h"

/* Three buffers serve all layers in turn. Convolutions read a buffer whose first rows are zero (the past). */
typedef struct run {
    const kz_ctx *ctx;
    const kz_encoder *e;
    size_t n_sample;
    float *a, *b, *c; /* [most values] */
    kz_stack_state state;
    float *scratch;  /* [codebook_size] */
    float *residual; /* [d_codebook] */
} run;

/* x > 0 ? x : exp(x) - 1, in place. */
static void elu(const kz_ctx *ctx, float *y, const float *x, size_t n) {
    enum { PIECE = 256 };
    float e[PIECE];
    for (size_t i = 0; i < n; i += PIECE) {
        size_t m = n - i < PIECE ? n - i : PIECE;
        for (size_t j = 0; j < m; j++)
            e[j] = x[i + j] < 0 ? x[i + j] : 0;
        ctx->k->exp(e, e, m);
        for (size_t j = 0; j < m; j++)
            y[i + j] = x[i + j] > 0 ? x[i + j] : e[j] - 1.0F;
    }
}

static size_t divide_up(size_t n, size_t by) { return (n + by - 1) / by; }

/* y [ceil(n / stride), n_out] = conv(elu(x)) with the past zero and zeros up to a multiple of the stride; padded is
 * room for the input. */
static size_t conv_elu(const run *r, const kz_conv *conv, float *y, const float *x, size_t n, float *padded,
                       const float *res) {
    size_t left = kz_conv_hist(conv) + 1 - conv->stride, n_out = divide_up(n, conv->stride), n_col = conv->n_in;
    memset(padded, 0, left * n_col * sizeof *padded);
    elu(r->ctx, padded + left * n_col, x, n * n_col);
    memset(padded + (left + n) * n_col, 0, (n_out * conv->stride - n) * n_col * sizeof *padded);
    kz_conv_run(r->ctx, conv, y, padded, n_out, res);
    return n_out;
}

/* r->a holds x and then the result. */
static size_t run_stage(run *r, size_t i, size_t n) {
    const kz_encoder_stage *s = &r->e->stage[i];
    int index = (int)(1 + 3 * i);
    conv_elu(r, &s->narrow, r->b, r->a, n, r->c, NULL);
    conv_elu(r, &s->widen, r->a, r->b, n, r->c, r->a);
    kz_tap_put(r->ctx->tap, "encoder_conv", index, r->a, n, s->widen.lin.n_out);
    n = conv_elu(r, &s->down, r->b, r->a, n, r->c, NULL);
    float *t = r->a;
    r->a = r->b;
    r->b = t;
    kz_tap_put(r->ctx->tap, "encoder_conv", index + 2, r->a, n, s->down.lin.n_out);
    return n;
}

static size_t run_convs(run *r, const float *wave) {
    const kz_encoder *e = r->e;
    size_t n = r->n_sample, hist = kz_conv_hist(&e->first);
    memset(r->c, 0, hist * sizeof *r->c);
    memcpy(r->c + hist, wave, n * sizeof *wave);
    kz_conv_run(r->ctx, &e->first, r->a, r->c, n, NULL);
    kz_tap_put(r->ctx->tap, "encoder_conv", 0, r->a, n, e->first.lin.n_out);
    for (size_t i = 0; i < e->cfg.n_rate; i++)
        n = run_stage(r, i, n);
    conv_elu(r, &e->last, r->b, r->a, n, r->c, NULL);
    kz_tap_put(r->ctx->tap, "encoder_conv", (int)(3 * e->cfg.n_rate + 2), r->b, n, e->last.lin.n_out);
    kz_tap_put(r->ctx->tap, "encoder_convs_done", 0, r->b, n, e->last.lin.n_out);
    return n;
}

/* Halves the rate of x [n, d]; both ends are padded with copies of the edge rows. */
static size_t halve(run *r, float *y, const float *x, size_t n) {
    const kz_conv *conv = &r->e->down;
    size_t left = kz_conv_hist(conv) + 1 - conv->stride, n_out = divide_up(n, conv->stride), d = conv->n_in;
    for (size_t i = 0; i < left + n_out * conv->stride; i++) {
        size_t from = i < left ? 0 : i - left < n ? i - left : n - 1;
        memcpy(r->c + i * d, x + from * d, d * sizeof *x);
    }
    kz_conv_run(r->ctx, conv, y, r->c, n_out, NULL);
    return n_out;
}

/* The row nearest to x: the least |e|^2 - 2 x.e, lowest index on ties. */
static size_t nearest(const run *r, const kz_encoder_book *b, const float *x) {
    const kz_encoder_config *c = &r->e->cfg;
    size_t best = 0;
    kz_mm mm = {.w = b->panels,
                .x = x,
                .x_row = c->d_codebook,
                .n_seg = 1,
                .seg_len = c->d_codebook,
                .y = r->scratch,
                .y_row = c->codebook_size,
                .n_out = c->codebook_size};
    r->ctx->k->mm[KZ_F32](&mm, 0, kz_round16(c->codebook_size) / KZ_PANEL, 0, 1);
    for (size_t i = 0; i < c->codebook_size; i++) {
        r->scratch[i] = b->norm[i] - 2.0F * r->scratch[i];
        if (r->scratch[i] < r->scratch[best])
            best = i;
    }
    return best;
}

/* Code 0 from the semantic projection; the others, from the acoustic one, each from what the one before left. */
static void quantize(const run *r, const float *latent, kz_code *codes) {
    const kz_encoder_config *c = &r->e->cfg;
    for (size_t k = 0; k < c->n_code; k++) {
        if (k < 2)
            kz_linear_run(r->ctx, &r->e->project[k], r->residual, c->d_codebook, latent, c->transformer.d_model, 1,
                          NULL);
        size_t best = nearest(r, &r->e->book[k], r->residual);
        codes[k] = (kz_code)best;
        for (size_t i = 0; i < c->d_codebook; i++)
            r->residual[i] -= r->e->book[k].rows[best * c->d_codebook + i];
    }
}

/* Most values a layer reads (with its padding) or writes. */
static size_t most_values(const kz_encoder *e, size_t n) {
    const kz_encoder_config *c = &e->cfg;
    size_t n_ch = c->n_filter, most = 0;
    for (size_t i = 0; i < c->n_rate; i++, n_ch *= 2) {
        size_t here = (n + 4 * c->rate[i] + c->kernel + c->residual_kernel) * n_ch;
        most = here > most ? here : most;
        n = divide_up(n, c->rate[i]);
    }
    size_t d = c->transformer.d_model, wide = n_ch > d ? n_ch : d, last = (n + 4 * KZ_HALVE + c->last_kernel) * wide;
    return last > most ? last : most;
}

enum { MAX_ROW = 64 };

static void layout(run *r, kz_arena *arena, size_t n_step, int n_thread) {
    size_t n = most_values(r->e, r->n_sample);
    r->a = kz_arena_take(arena, n, sizeof(float));
    r->b = kz_arena_take(arena, n, sizeof(float));
    r->c = kz_arena_take(arena, n, sizeof(float));
    r->scratch = kz_arena_take(arena, r->e->cfg.codebook_size, sizeof(float));
    r->residual = kz_arena_take(arena, r->e->cfg.d_codebook, sizeof(float));
    kz_stack_layout(&r->e->stack, &r->state, arena, n_step, MAX_ROW, n_thread);
}

static void run_all(run *r, const float *wave, kz_code *codes) {
    const kz_encoder *e = r->e;
    size_t d = e->cfg.transformer.d_model, n = run_convs(r, wave);
    kz_stack_reset(&r->state);
    kz_stack_run(r->ctx, &e->stack, &r->state, r->b, n, "encoder_layer");
    n = halve(r, r->a, r->b, n);
    kz_tap_put(r->ctx->tap, "encoder_latent", 0, r->a, n, d);
    for (size_t f = 0; f < n; f++)
        quantize(r, r->a + f * d, codes + f * e->cfg.n_code);
}

kztts_status kz_encoder_run(const kz_ctx *ctx, const kz_encoder *e, const float *wave, size_t n_sample, kz_code **codes,
                            size_t *n_frame, kz_err *err) {
    run r = {.ctx = ctx, .e = e, .n_sample = n_sample};
    kz_arena arena = {0};
    size_t n_step = n_sample;
    for (size_t i = 0; i < e->cfg.n_rate; i++)
        n_step = divide_up(n_step, e->cfg.rate[i]);
    *n_frame = divide_up(n_step, KZ_HALVE);
    *codes = kz_alloc(*n_frame * e->cfg.n_code, sizeof **codes);
    layout(&r, &arena, n_step, kz_pool_threads(ctx->pool));
    kztts_status status = *codes ? kz_arena_alloc(&arena, err, "the codec encoder; a shorter recording needs less")
                                 : kz_fail_memory(err, *n_frame * sizeof **codes, "codes");
    if (status >= 0) {
        layout(&r, &arena, n_step, kz_pool_threads(ctx->pool));
        run_all(&r, wave, *codes);
    } else {
        kz_free(*codes);
        *codes = NULL;
    }
    kz_arena_free(&arena);
    return status;
}
