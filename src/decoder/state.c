/* state.c: what the decoder carries from frame to frame, and its scratch memory.  SPDX-License-Identifier: Apache-2.0
 *
 * One arena, cut by layout(), which runs once to measure and once for real:
 *
 *   histories | keys and values | outputs a, b | mid | wide | blocks' outputs | past codes, discarded sound (reference mode)
 *
 * The wide layers near the end are worked off in tiles of frames that stay in the cache, so most scratch doesn't grow
 * with max_frame: a tile goes through a block, then, in tiles of theirs, through all that follows. */
#include <string.h>

#include "decoder/parts.h"

/* Floats a block puts out at once: they, the histories and the weights in use share a core's cache. SCRATCH: units of many
 * rows need less than so many times those; what few rows need can't overflow. */
enum { TILE_FLOATS = 256 * 1024, SCRATCH = 64 };

/* Sizes of shared buffers, in floats. */
typedef struct need {
    size_t out, mid, wide;
    bool overflow;
} need;

static void at_least(need *n, size_t *field, size_t n_row, size_t n_col) {
    size_t size;
    if (!kz_mul(n_row, n_col, &size))
        n->overflow = true;
    else if (size > *field)
        *field = size;
}

/* Frames to process together, of n_row rows each. */
static size_t tile_frames(size_t max_frame, size_t n_row, size_t n_col) {
    const size_t n = TILE_FLOATS / n_col / n_row;
    return n < 1 ? 1 : n < max_frame ? n : max_frame;
}

static void layout_front(kz_decoder_state *s, need *n) {
    const kz_decoder *d = s->d;
    kz_hist_layout(&s->pre_conv, &s->arena, kz_conv_hist(&d->pre_conv), s->max_frame, d->cfg.d_codebook);
    kz_stack_layout(&d->stack, &s->stack, &s->arena, 0, s->max_frame, s->n_thread);
    at_least(n, &n->mid, 2 * s->max_frame, d->d_row);
    at_least(n, &n->out, s->max_frame, d->cfg.d_latent);
    at_least(n, &n->out, s->max_frame, d->cfg.transformer.d_model);
}

/* Rows can't overflow (KZ_MAX_FRAME, KZ_MAX_SAMPLES), so only products with channels are checked.
 * Returns the rows a piece has after upsampling. */
static size_t layout_upsample(kz_decoder_state *s, need *n) {
    const kz_decoder *d = s->d;
    const size_t n_ch = d->cfg.d_latent;
    size_t n_row = s->max_frame;
    for (size_t i = 0; i < d->cfg.n_upsample; i++) {
        n_row *= d->cfg.upsample[i];
        kz_hist_layout(&s->dw[i], &s->arena, KZ_WIDE_TAP - 1, n_row, n_ch);
        at_least(n, &n->out, n_row, n_ch);
        at_least(n, &n->mid, n_row, n_ch);
        at_least(n, &n->wide, n_row, KZ_EXPAND * n_ch);
    }
    return n_row;
}

/* n_frame frames of n_row rows come in at most; returns how many are in a tile. */
static size_t layout_block(kz_decoder_state *s, need *n, size_t index, size_t n_frame, size_t n_row) {
    const kz_block *block = &s->d->block[index];
    kz_block_state *bs = &s->block[index];
    bs->frame_row = n_row * block->rate;
    const size_t tile = tile_frames(n_frame, bs->frame_row, block->n_out), n_out_row = tile * bs->frame_row;
    size_t fits;
    if (!kz_mul(SCRATCH * n_out_row, block->n_out, &fits)) /* kz_unit_scratch doesn't look */
        n->overflow = true;
    kz_hist_layout(&bs->convt, &s->arena, 1, tile * n_row, block->n_in);
    for (size_t u = 0; u < KZ_N_UNIT; u++) {
        const kz_unit *unit = &block->unit[u];
        kz_hist_layout(&bs->unit[u], &s->arena, kz_winograd_hist(&unit->conv1), n_out_row, block->n_out);
        at_least(n, &n->mid, kz_unit_scratch(unit, n_out_row, bs->frame_row, s->n_thread), 1);
    }
    return tile;
}

static void layout_vocoder(kz_decoder_state *s, need *n, size_t n_row) {
    const kz_decoder *d = s->d;
    size_t n_frame = s->max_frame, frame_row = n_row / s->max_frame;
    kz_hist_layout(&s->conv0, &s->arena, kz_conv_hist(&d->conv0), n_row, d->cfg.d_latent);
    at_least(n, &n->out, n_row, d->cfg.d_decoder);
    for (size_t i = 0; i < d->cfg.n_block; i++) {
        n_frame = layout_block(s, n, i, n_frame, frame_row);
        frame_row = s->block[i].frame_row;
    }
    kz_hist_layout(&s->final, &s->arena, kz_conv_hist(&d->final), n_frame * frame_row, d->d_last);
}

/* The blocks' outputs, which aren't carried. */
static void layout_outputs(kz_decoder_state *s) {
    for (size_t i = 0; i < s->d->cfg.n_block; i++) {
        kz_block_state *bs = &s->block[i];
        bs->out = kz_arena_take(&s->arena, bs->unit[0].max_row * s->d->block[i].n_out, sizeof(float));
    }
}

static void layout(kz_decoder_state *s) {
    const kz_codec_config *cfg = &s->d->cfg;
    need n = {0};
    layout_front(s, &n);
    layout_vocoder(s, &n, layout_upsample(s, &n));
    s->a = kz_arena_take(&s->arena, n.out, sizeof(float));
    s->b = kz_arena_take(&s->arena, n.out, sizeof(float));
    s->mid = kz_arena_take(&s->arena, n.mid, sizeof(float));
    s->wide = kz_arena_take(&s->arena, n.wide, sizeof(float));
    layout_outputs(s);
    if (s->mode == KZ_DECODE_REFERENCE) {
        s->past = kz_arena_take(&s->arena, KZ_CONTEXT * cfg->n_code, sizeof(kz_code));
        s->discard = kz_arena_take(&s->arena, s->max_frame * cfg->frame_samples, sizeof(float));
    }
    if (n.overflow)
        s->arena.overflow = true;
}

kztts_status kz_decoder_state_new(kz_decoder_state **out, const kz_decoder *d, kz_decode_mode mode, size_t max_frame,
                                  int n_thread, kz_err *err) {
    *out = NULL;
    if (max_frame < 1 || max_frame > KZ_MAX_FRAME)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "decoder: max_frame is %zu, expected 1 to %d", max_frame,
                       KZ_MAX_FRAME);
    kz_decoder_state *s = kz_alloc(1, sizeof *s);
    if (!s)
        return kz_fail_memory(err, sizeof *s, "codec decoder state");
    s->d = d;
    s->mode = mode;
    s->max_frame = max_frame;
    s->n_thread = n_thread;
    layout(s);
    kztts_status status = kz_arena_alloc(&s->arena, err, "codec decoder state");
    if (status < 0) {
        kz_decoder_state_free(s);
        return status;
    }
    kz_advise_huge(s->arena.base, s->arena.size); /* all of it is used all the time */
    layout(s);
    kz_decoder_reset(s);
    *out = s;
    return KZTTS_OK;
}

void kz_decoder_state_free(kz_decoder_state *s) {
    if (!s)
        return;
    kz_arena_free(&s->arena);
    kz_free(s);
}

size_t kz_decoder_state_bytes(const kz_decoder_state *s) { return sizeof *s + s->arena.size; }
