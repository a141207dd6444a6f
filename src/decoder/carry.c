/* carry.c: what later frames need of a state: forgotten, copied, or as bytes.  SPDX-License-Identifier: Apache-2.0
 *
 * Bytes: two counters (rows of keys that are kept, position) | keys | values | histories. Rows that aren't there yet are
 * zero. How many frames the state takes at once doesn't show. */
#include <stdint.h>
#include <string.h>

#include "decoder/parts.h"

enum { MAX_HIST = 3 + KZ_MAX_STAGE + (1 + KZ_N_UNIT) * KZ_MAX_STAGE };

/* All histories, in their order. Returns how many. */
static size_t list_hists(const kz_decoder_state *s, const kz_hist **list) {
    const kz_codec_config *cfg = &s->d->cfg;
    size_t n = 0;
    list[n++] = &s->pre_conv;
    for (size_t i = 0; i < cfg->n_upsample; i++)
        list[n++] = &s->dw[i];
    list[n++] = &s->conv0;
    for (size_t i = 0; i < cfg->n_block; i++) {
        list[n++] = &s->block[i].convt;
        for (size_t u = 0; u < KZ_N_UNIT; u++)
            list[n++] = &s->block[i].unit[u];
    }
    list[n++] = &s->final;
    return n;
}

static size_t hist_floats(const kz_hist *h) { return h->n_hist * h->n_col; }

/* ---- forgotten --------------------------------------------------------------------------------------------- */

void kz_decoder_clear(kz_decoder_state *s) {
    const kz_hist *list[MAX_HIST];
    size_t n = list_hists(s, list);
    kz_stack_reset(&s->stack);
    for (size_t i = 0; i < n; i++)
        kz_hist_reset(list[i]);
}

void kz_decoder_reset(kz_decoder_state *s) {
    kz_decoder_clear(s);
    s->n_done = 0;
}

/* ---- copied ------------------------------------------------------------------------------------------------ */

/* Rows of keys that later frames see. */
static size_t kept_rows(const kz_decoder_state *s) {
    const size_t most = s->d->stack.cfg.window - 1;
    return s->stack.n_used < most ? s->stack.n_used : most;
}

static void copy_stack(const kz_stack *stack, kz_stack_state *dst, const kz_stack_state *src, size_t n) {
    const size_t n_head = stack->cfg.n_layer * stack->cfg.n_kv, d = stack->cfg.d_head, n_byte = n * d * sizeof(float);
    for (size_t h = 0; h < n_head; h++) {
        const size_t to = h * dst->n_cache * d, from = (h * src->n_cache + src->n_used - n) * d;
        memcpy(dst->k + to, src->k + from, n_byte);
        memcpy(dst->v + to, src->v + from, n_byte);
    }
    dst->n_used = n;
    dst->pos = src->pos;
}

void kz_decoder_state_copy(kz_decoder_state *dst, const kz_decoder_state *src) {
    const kz_hist *to[MAX_HIST], *from[MAX_HIST];
    const size_t n = list_hists(dst, to);
    (void)list_hists(src, from);
    for (size_t i = 0; i < n; i++)
        memcpy(to[i]->data, from[i]->data, hist_floats(to[i]) * sizeof(float));
    copy_stack(&src->d->stack, &dst->stack, &src->stack, kept_rows(src));
    if (src->past)
        memcpy(dst->past, src->past, KZ_CONTEXT * src->d->cfg.n_code * sizeof *src->past);
    dst->n_done = src->n_done;
}

/* ---- as bytes ---------------------------------------------------------------------------------------------- */

typedef struct counters {
    uint64_t n_kept, pos;
} counters;

/* Of the keys, and of the values. */
static size_t cache_floats(const kz_decoder_state *s) {
    const kz_stack_config *c = &s->d->stack.cfg;
    return c->n_layer * c->n_kv * c->d_head * (c->window - 1);
}

size_t kz_decoder_state_size(const kz_decoder_state *s) {
    const kz_hist *list[MAX_HIST];
    const size_t n_hist = list_hists(s, list);
    size_t n = 2 * cache_floats(s);
    for (size_t i = 0; i < n_hist; i++)
        n += hist_floats(list[i]);
    return sizeof(counters) + n * sizeof(float);
}

void kz_decoder_state_out(const kz_decoder_state *s, void *bytes) {
    const kz_hist *list[MAX_HIST];
    const size_t n_hist = list_hists(s, list), n_cache = cache_floats(s), n_kept = kept_rows(s);
    const counters c = {n_kept, s->stack.pos};
    memcpy(bytes, &c, sizeof c);
    float *at = (void *)((unsigned char *)bytes + sizeof c);
    memset(at, 0, 2 * n_cache * sizeof *at);
    kz_stack_cache_out(&s->d->stack, &s->stack, s->stack.n_used - n_kept, n_kept, at, at + n_cache);
    at += 2 * n_cache;
    for (size_t i = 0; i < n_hist; at += hist_floats(list[i++]))
        memcpy(at, list[i]->data, hist_floats(list[i]) * sizeof *at);
}

bool kz_decoder_state_in(kz_decoder_state *s, const void *bytes) {
    const kz_hist *list[MAX_HIST];
    const size_t n_hist = list_hists(s, list), n_cache = cache_floats(s);
    counters c;
    memcpy(&c, bytes, sizeof c);
    kz_decoder_reset(s);
    if ((uintptr_t)bytes % sizeof(float) || s->mode != KZ_DECODE_CONTINUOUS || c.n_kept >= s->d->stack.cfg.window ||
        c.pos < c.n_kept || c.pos > UINT32_MAX)
        return false;
    const float *at = (const void *)((const unsigned char *)bytes + sizeof c);
    kz_stack_cache_in(&s->d->stack, &s->stack, (size_t)c.n_kept, at, at + n_cache);
    s->stack.pos = (size_t)c.pos;
    at += 2 * n_cache;
    for (size_t i = 0; i < n_hist; at += hist_floats(list[i++]))
        memcpy(list[i]->data, at, hist_floats(list[i]) * sizeof *at);
    return true;
}
