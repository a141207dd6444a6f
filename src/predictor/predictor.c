/* predictor.c: the code predictor's passes over one frame.  SPDX-License-Identifier: Apache-2.0 */
#include "predictor/predictor.h"

#include <string.h>

static kztts_status load_heads(kz_predictor *p, const kz_weights *w, kz_pool *pool, kz_err *err) {
    for (size_t k = 0; k + 1 < p->n_code; k++) {
        kz_name name = kz_namef("talker.code_predictor.lm_head.%zu.weight", k);
        kz_linear_spec head = {
            .part = {{name.s, p->vocab}}, .n_part = 1, .n_in = p->stack.cfg.d_model, .quant = p->stack.cfg.quant};
        KZ_TRY(kz_linear_load(&p->head[k], w, &head, pool, err));
    }
    return KZTTS_OK;
}

static kztts_status load_predictor(kz_predictor *p, const kz_config *cfg, const kz_weights *w, kz_pool *pool,
                                   kz_err *err) {
    const char *weight = "talker.code_predictor.small_to_mtp_projection.weight";
    p->projected = kz_weights_have(w, weight);
    if (!p->projected && p->d_model != cfg->predictor.d_model)
        return kz_fail(err, KZTTS_ERROR_FORMAT,
                       "tensor %s is missing: talker (%zu) and code predictor (%zu) differ in width", weight,
                       p->d_model, cfg->predictor.d_model);
    if (p->projected) {
        kz_linear_spec project = {.part = {{weight, cfg->predictor.d_model}},
                                  .n_part = 1,
                                  .n_in = p->d_model,
                                  .bias = "talker.code_predictor.small_to_mtp_projection.bias",
                                  .quant = cfg->predictor.quant};
        KZ_TRY(kz_linear_load(&p->project, w, &project, pool, err));
    }
    KZ_TRY(kz_stack_load(&p->stack, &cfg->predictor, w, "talker.code_predictor.model", pool, err));
    return load_heads(p, w, pool, err);
}

kztts_status kz_predictor_load(kz_predictor *p, const kz_config *cfg, const kz_weights *w, kz_pool *pool, kz_err *err) {
    *p = (kz_predictor){.n_code = cfg->n_code, .vocab = cfg->sub_vocab, .d_model = cfg->talker.d_model};
    kztts_status status = load_predictor(p, cfg, w, pool, err);
    if (status < 0)
        kz_predictor_free(p);
    return status;
}

void kz_predictor_free(kz_predictor *p) {
    kz_stack_free(&p->stack);
    kz_linear_free(&p->project);
    for (size_t k = 0; k < KZ_MAX_CODE; k++)
        kz_linear_free(&p->head[k]);
}

void kz_predictor_layout(const kz_predictor *p, kz_predictor_state *s, kz_arena *arena, int n_thread) {
    size_t d = p->stack.cfg.d_model;
    kz_stack_layout(&p->stack, &s->stack, arena, p->n_code, p->n_code, n_thread);
    s->in = kz_arena_take(arena, p->n_code * p->d_model, sizeof(float));
    s->rows = kz_arena_take(arena, p->n_code * d, sizeof(float));
    s->hidden = kz_arena_take(arena, d, sizeof(float));
    s->logits = kz_arena_take(arena, p->vocab, sizeof(float));
    s->scratch = kz_arena_take(arena, p->vocab, sizeof(float));
    s->order = kz_arena_take(arena, p->vocab, sizeof(int32_t));
}

size_t kz_predictor_scratch(const kz_predictor *p) {
    size_t n = kz_stack_scratch(&p->stack, p->n_code), project = kz_linear_scratch(&p->project, p->n_code);
    n = n > project ? n : project;
    for (size_t k = 0; k + 1 < p->n_code; k++) {
        size_t head = kz_linear_scratch(&p->head[k], 1);
        n = n > head ? n : head;
    }
    return n;
}

/* Positions [from, to) of s->in through the layers; s->hidden is the last one's. */
static void run_rows(const kz_ctx *ctx, const kz_predictor *p, kz_predictor_state *s, size_t from, size_t to) {
    const kz_stack_config *c = &p->stack.cfg;
    size_t n = to - from;
    const float *in = s->in + from * p->d_model;
    if (p->projected)
        kz_linear_run(ctx, &p->project, s->rows, c->d_model, in, p->d_model, n, NULL);
    else
        memcpy(s->rows, in, n * c->d_model * sizeof *in);
    kz_tap_put(ctx->tap, "predictor_rows", (int)from, s->rows, n, c->d_model);
    kz_stack_run(ctx, &p->stack, &s->stack, s->rows, n, NULL);
    ctx->k->rmsnorm(s->hidden, s->rows + (n - 1) * c->d_model, p->stack.norm, c->d_model, c->rms_eps);
    kz_tap_put(ctx->tap, "predictor_hidden", (int)(to - 1), s->hidden, 1, c->d_model);
}

kztts_status kz_predictor_frame(const kz_ctx *ctx, const kz_predictor *p, kz_predictor_state *s, const kz_embed *embed,
                                const float *hidden, const kz_predictor_run *run, kz_code *codes, kz_err *err) {
    memcpy(s->in, hidden, p->d_model * sizeof *hidden);
    kz_embed_codec(embed, codes[0], s->in + p->d_model);
    kz_stack_reset(&s->stack);
    for (size_t k = 1; k < p->n_code; k++) {
        if (run->uncached)
            kz_stack_reset(&s->stack);
        run_rows(ctx, p, s, s->stack.pos, k + 1);
        kz_linear_run(ctx, &p->head[k - 1], s->logits, p->vocab, s->hidden, p->stack.cfg.d_model, 1, NULL);
        kz_tap_put(ctx->tap, "predictor_logits", (int)k, s->logits, 1, p->vocab);
        codes[k] = kz_sampling_pick(ctx->k, s->logits, p->vocab, &run->sampling, run->seed, run->frame, (uint32_t)k,
                                    s->scratch, s->order);
        if (codes[k] < 0)
            return kz_fail(err, KZTTS_ERROR_FORMAT,
                           "the code predictor's output is not a number; the model is damaged");
        if (run->forced) {
            run->chosen[k] = codes[k];
            codes[k] = run->forced[k];
        }
        if (k + 1 < p->n_code)
            kz_embed_group(embed, k - 1, codes[k], s->in + (k + 1) * p->d_model);
    }
    return KZTTS_OK;
}
