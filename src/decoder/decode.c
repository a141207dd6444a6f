/* decode.c: runs of frames, in both modes.  SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <string.h>

#include "decoder/parts.h"

static size_t min_size(size_t a, size_t b) { return a < b ? a : b; }

/* Keeps the codes of the last KZ_CONTEXT frames. */
static void remember(kz_decoder_state *s, const kz_code *codes, size_t n_frame) {
    const size_t n_code = s->d->cfg.n_code;
    const size_t n_new = min_size(n_frame, KZ_CONTEXT), n_old = KZ_CONTEXT - n_new;
    memmove(s->past, s->past + n_new * n_code, n_old * n_code * sizeof *codes);
    memcpy(s->past + n_old * n_code, codes + (n_frame - n_new) * n_code, n_new * n_code * sizeof *codes);
}

/* A new chunk of the reference: everything forgotten but the last frames, which are decoded again, unheard. */
static void begin_chunk(const kz_ctx *ctx, kz_decoder_state *s) {
    kz_ctx unwatched = *ctx;
    unwatched.tap = NULL;
    kz_decoder_clear(s);
    for (size_t f = 0, n; f < KZ_CONTEXT && !kz_decoder_stopped(ctx); f += n) {
        n = min_size(s->max_frame, KZ_CONTEXT - f);
        kz_decoder_piece(&unwatched, s, s->past + f * s->d->cfg.n_code, n, s->discard);
    }
    s->n_done = 0;
}

void kz_decoder_run(const kz_ctx *ctx, const kz_decoder *d, kz_decoder_state *s, const kz_code *codes, size_t n_frame,
                    float *pcm) {
    assert(d == s->d);
    for (size_t n; n_frame > 0 && !kz_decoder_stopped(ctx); n_frame -= n) {
        n = min_size(s->max_frame, n_frame);
        if (s->mode == KZ_DECODE_REFERENCE) {
            if (s->n_done == KZ_CHUNK)
                begin_chunk(ctx, s);
            n = min_size(n, KZ_CHUNK - s->n_done);
            remember(s, codes, n);
            s->n_done += n;
        }
        kz_decoder_piece(ctx, s, codes, n, pcm);
        codes += n * d->cfg.n_code;
        pcm += n * d->cfg.frame_samples;
    }
}
