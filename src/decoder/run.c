/* run.c: a piece of frames through all layers.  SPDX-License-Identifier: Apache-2.0
 *
 * Every layer gives a row the same bits whatever else is in the call, so neither the number of frames nor the tiles
 * of state.c show in the result. */
#include <string.h>

#include "decoder/parts.h"

static size_t min_size(size_t a, size_t b) { return a < b ? a : b; }

bool kz_decoder_stopped(const kz_ctx *ctx) {
    return ctx->stop && atomic_load_explicit(ctx->stop, memory_order_relaxed);
}

/* ---- codes -> latent --------------------------------------------------------------------------------------- */

/* A code's row; a code out of range counts as 0. */
static const float *code_row(const kz_decoder *d, size_t index, kz_code code) {
    const size_t k = code >= 0 && (size_t)code < d->cfg.codebook_size ? (size_t)code : 0;
    return d->codebook[index] + k * d->d_row;
}

/* first[f] = row of code 0, rest[f] = sum of the rows of codes 1 .., in order. */
static void gather_codes(const kz_decoder *d, const kz_code *codes, size_t n_frame, float *first, float *rest) {
    const size_t n_code = d->cfg.n_code, n_col = d->d_row;
    for (size_t f = 0; f < n_frame; f++, first += n_col, rest += n_col, codes += n_code) {
        memcpy(first, code_row(d, 0, codes[0]), n_col * sizeof *first);
        if (n_code > 1)
            memcpy(rest, code_row(d, 1, codes[1]), n_col * sizeof *rest);
        for (size_t i = 2; i < n_code; i++) {
            const float *row = code_row(d, i, codes[i]);
            for (size_t c = 0; c < n_col; c++)
                rest[c] += row[c];
        }
    }
}

static void run_rvq(const kz_ctx *ctx, kz_decoder_state *s, const kz_code *codes, size_t n_frame) {
    const kz_decoder *d = s->d;
    const size_t n_col = d->cfg.d_codebook;
    float *first = s->mid, *rest = s->mid + n_frame * d->d_row, *y = kz_hist_in(&s->pre_conv);
    gather_codes(d, codes, n_frame, first, rest);
    kz_linear_run(ctx, &d->first_proj, y, n_col, first, d->d_row, n_frame, NULL);
    if (d->cfg.n_code > 1)
        kz_linear_run(ctx, &d->rest_proj, y, n_col, rest, d->d_row, n_frame, y);
    kz_tap_put(ctx->tap, "rvq", 0, y, n_frame, n_col);
}

/* Leaves the latent rows in s->a. */
static void run_front(const kz_ctx *ctx, kz_decoder_state *s, const kz_code *codes, size_t n_frame) {
    const kz_decoder *d = s->d;
    const size_t d_latent = d->cfg.d_latent, d_model = d->cfg.transformer.d_model;
    run_rvq(ctx, s, codes, n_frame);
    kz_conv_run(ctx, &d->pre_conv, s->a, s->pre_conv.data, n_frame, NULL);
    kz_hist_next(&s->pre_conv, n_frame);
    kz_tap_put(ctx->tap, "pre_conv", 0, s->a, n_frame, d_latent);

    kz_linear_run(ctx, &d->input_proj, s->b, d_model, s->a, d_latent, n_frame, NULL);
    kz_stack_run(ctx, &d->stack, &s->stack, s->b, n_frame, "transformer_layer");
    kz_rows_rmsnorm(ctx, s->b, s->b, d->stack.norm, n_frame, d_model, d->stack.cfg.rms_eps);
    kz_linear_run(ctx, &d->output_proj, s->a, d_latent, s->b, d_model, n_frame, NULL);
    kz_tap_put(ctx->tap, "pre_transformer", 0, s->a, n_frame, d_latent);
}

/* ---- upsampling -------------------------------------------------------------------------------------------- */

/* x [n_row, d_latent] -> y [n_row * ratio, d_latent] */
static void run_upsample(const kz_ctx *ctx, kz_decoder_state *s, size_t index, float *y, const float *x, size_t n_row) {
    const float norm_eps = 1e-6f;
    const kz_upsample *up = &s->d->upsample[index];
    const size_t n_ch = s->d->cfg.d_latent, n_out = n_row * up->convt.stride, n_wide = KZ_EXPAND * n_ch;
    kz_hist *hist = &s->dw[index];
    float *branch = s->mid, *skip = kz_hist_in(hist);
    kz_convt_run(ctx, &up->convt, skip, x, n_row);
    kz_tap_put(ctx->tap, "upsample_conv", (int)index, skip, n_out, n_ch);

    kz_rows_dwconv(ctx, branch, hist->data, up->dw, up->dw_bias, KZ_WIDE_TAP, n_out, n_ch);
    kz_rows_layernorm(ctx, branch, branch, up->norm, up->norm_bias, n_out, n_ch, norm_eps);
    kz_linear_run(ctx, &up->expand, s->wide, n_wide, branch, n_ch, n_out, NULL);
    kz_rows_gelu(ctx, s->wide, s->wide, n_out, n_wide);
    kz_linear_run(ctx, &up->project, y, n_ch, s->wide, n_wide, n_out, skip);
    kz_hist_next(hist, n_out);
    kz_tap_put(ctx->tap, "upsample", (int)index, y, n_out, n_ch);
}

/* ---- blocks ------------------------------------------------------------------------------------------------ */

/* x, n_frame frames of rows [n_in] -> bs->out, rate times as many of [n_out] */
static void run_block(const kz_ctx *ctx, kz_decoder_state *s, size_t index, const float *x, size_t n_frame) {
    const kz_block *block = &s->d->block[index];
    const kz_unit *unit = block->unit;
    kz_block_state *bs = &s->block[index];
    const size_t n_out = block->n_out, n_out_row = n_frame * bs->frame_row, n_row = n_out_row / block->rate;
    const int number = (int)index + 1;
    kz_rows_snake(ctx, kz_hist_in(&bs->convt), x, block->act.alpha, block->act.inv_beta, n_row, block->n_in);
    kz_convt_run(ctx, &block->convt, bs->out, bs->convt.data, n_row);
    kz_hist_next(&bs->convt, n_row);
    kz_tap_put(ctx->tap, "block_convt", number, bs->out, n_out_row, n_out);

    kz_rows_snake(ctx, kz_hist_in(&bs->unit[0]), bs->out, unit->act1.alpha, unit->act1.inv_beta, n_out_row, n_out);
    for (int u = 0; u < KZ_N_UNIT && !kz_decoder_stopped(ctx); u++) {
        const bool last = u == KZ_N_UNIT - 1;
        kz_unit_run(ctx, &unit[u], &bs->unit[u], last ? NULL : &unit[u + 1].act1,
                    last ? NULL : kz_hist_in(&bs->unit[u + 1]), s->mid, bs->out, n_out_row, bs->frame_row);
        kz_tap_put(ctx->tap, "block_unit", number * KZ_N_UNIT + u, bs->out, n_out_row, n_out);
    }
    kz_tap_put(ctx->tap, "block", number, bs->out, n_out_row, n_out);
}

/* ---- pcm --------------------------------------------------------------------------------------------------- */

/* Into [-1, 1]; what isn't a number becomes silence. */
static void clamp_pcm(float *pcm, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const float v = pcm[i];
        pcm[i] = v > 1.0f ? 1.0f : v < -1.0f ? -1.0f : v == v ? v : 0.0f;
    }
}

static void run_final(const kz_ctx *ctx, kz_decoder_state *s, float *pcm, const float *x, size_t n_row) {
    const kz_decoder *d = s->d;
    for (size_t r = 0, n; r < n_row; r += n) {
        n = min_size(s->final.max_row, n_row - r);
        float *in = kz_hist_in(&s->final);
        kz_rows_snake(ctx, in, x + r * d->d_last, d->last.alpha, d->last.inv_beta, n, d->d_last);
        kz_tap_put(ctx->tap, "last_snake", 0, in, n, d->d_last);
        kz_conv_run(ctx, &d->final, pcm + r, s->final.data, n, NULL);
        kz_hist_next(&s->final, n);
    }
    clamp_pcm(pcm, n_row);
}

/* ---- blocks and pcm: a tile through all the rest before the next tile --------------------------------------- */

static void run_rest(const kz_ctx *ctx, kz_decoder_state *s, size_t index, const float *x, size_t n_frame, float *pcm) {
    const size_t frame_samples = s->d->cfg.frame_samples;
    if (index == s->d->cfg.n_block) {
        run_final(ctx, s, pcm, x, n_frame * frame_samples);
        return;
    }
    const kz_block *block = &s->d->block[index];
    const kz_block_state *bs = &s->block[index];
    const size_t frame_row = bs->frame_row / block->rate, most = bs->convt.max_row / frame_row;
    const size_t n_tile = (n_frame + most - 1) / most;
    for (size_t t = 0, f = 0; t < n_tile && !kz_decoder_stopped(ctx); t++) {
        const size_t n = n_frame * (t + 1) / n_tile - f;
        run_block(ctx, s, index, x + f * frame_row * block->n_in, n);
        run_rest(ctx, s, index + 1, bs->out, n, pcm + f * frame_samples);
        f += n;
    }
}

/* ---- all of it --------------------------------------------------------------------------------------------- */

static void swap(float **a, float **b) {
    float *t = *a;
    *a = *b;
    *b = t;
}

void kz_decoder_piece(const kz_ctx *ctx, kz_decoder_state *s, const kz_code *codes, size_t n_frame, float *pcm) {
    const kz_decoder *d = s->d;
    float *x = s->a, *y = s->b;
    size_t n_row = n_frame;
    run_front(ctx, s, codes, n_frame);
    for (size_t i = 0; i < d->cfg.n_upsample && !kz_decoder_stopped(ctx); i++) {
        run_upsample(ctx, s, i, y, x, n_row);
        n_row *= d->cfg.upsample[i];
        swap(&x, &y);
    }
    if (kz_decoder_stopped(ctx))
        return;
    memcpy(kz_hist_in(&s->conv0), x, n_row * d->cfg.d_latent * sizeof *x);
    kz_conv_run(ctx, &d->conv0, y, s->conv0.data, n_row, NULL);
    kz_hist_next(&s->conv0, n_row);
    kz_tap_put(ctx->tap, "block_0", 0, y, n_row, d->cfg.d_decoder);
    run_rest(ctx, s, 0, y, n_frame, pcm);
}
