/* talker.c: the talker's layers and head.  SPDX-License-Identifier: Apache-2.0 */
#include "talker/talker.h"

#include <string.h>

/* The most prompt rows that go through the layers together. */
enum { MAX_ROW = 96 };

kztts_status kz_talker_load(kz_talker *t, const kz_config *cfg, const kz_weights *w, kz_pool *pool, kz_err *err) {
    *t = (kz_talker){0};
    kz_linear_spec head = {.part = {{"talker.codec_head.weight", cfg->vocab}},
                           .n_part = 1,
                           .n_in = cfg->talker.d_model,
                           .quant = cfg->talker.quant};
    kztts_status status = kz_stack_load(&t->stack, &cfg->talker, w, "talker.model", pool, err);
    if (status >= 0)
        status = kz_linear_load(&t->head, w, &head, pool, err);
    if (status < 0)
        kz_talker_free(t);
    return status;
}

void kz_talker_free(kz_talker *t) {
    kz_stack_free(&t->stack);
    kz_linear_free(&t->head);
}

void kz_talker_layout(const kz_talker *t, kz_talker_state *s, kz_arena *arena, size_t max_pos, int n_thread) {
    kz_stack_layout(&t->stack, &s->stack, arena, max_pos, MAX_ROW, n_thread);
    s->rows = kz_arena_take(arena, MAX_ROW * t->stack.cfg.d_model, sizeof(float));
}

size_t kz_talker_scratch(const kz_talker *t) {
    size_t head = kz_linear_scratch(&t->head, KZ_MAX_LANE), n = kz_stack_scratch(&t->stack, MAX_ROW);
    return n > head ? n : head;
}

void kz_talker_rewind(kz_talker_state *s, size_t n_pos) { kz_stack_rewind(&s->stack, n_pos); }

size_t kz_talker_part(size_t n_row) {
    size_t n_part = (n_row + MAX_ROW - 1) / MAX_ROW;
    return (n_row + n_part - 1) / n_part;
}

void kz_talker_run(const kz_ctx *ctx, const kz_talker *t, kz_talker_state *s, const float *rows, size_t n_row,
                   float *hidden) {
    size_t d = t->stack.cfg.d_model, n = 0;
    for (size_t r = 0; r < n_row; r += n) {
        n = kz_talker_part(n_row - r);
        memcpy(s->rows, rows + r * d, n * d * sizeof *rows);
        kz_stack_run_last(ctx, &t->stack, &s->stack, s->rows, n, "talker_layer");
    }
    ctx->k->rmsnorm(hidden, s->rows + (n - 1) * d, t->stack.norm, d, t->stack.cfg.rms_eps);
}

void kz_talker_step(const kz_ctx *ctx, const kz_talker *t, kz_talker_state *const *states, size_t n, const float *rows,
                    float *hidden) {
    kz_stack_state *stacks[KZ_MAX_LANE];
    float *x = states[0]->rows;
    size_t d = t->stack.cfg.d_model;
    for (size_t i = 0; i < n; i++)
        stacks[i] = &states[i]->stack;
    memcpy(x, rows, n * d * sizeof *rows);
    kz_stack_run_many(ctx, &t->stack, stacks, n, x, 1);
    kz_rows_rmsnorm(ctx, hidden, x, t->stack.norm, n, d, t->stack.cfg.rms_eps);
}

void kz_talker_logits(const kz_ctx *ctx, const kz_talker *t, const float *hidden, float *logits, size_t n) {
    kz_linear_run(ctx, &t->head, logits, t->head.n_out, hidden, t->stack.cfg.d_model, n, NULL);
}
