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

/* Rows that go through the layers together: the first pass has two a lane. */
static size_t max_row(const kz_predictor *p) {
    size_t first = 2 * (size_t)KZ_MAX_LANE;
    return p->n_code > first ? p->n_code : first;
}

void kz_predictor_layout(const kz_predictor *p, kz_predictor_state *s, kz_arena *arena, int n_thread) {
    size_t d = p->stack.cfg.d_model, n_row = max_row(p);
    kz_stack_layout(&p->stack, &s->stack, arena, p->n_code, n_row, n_thread);
    s->in = kz_arena_take(arena, p->n_code * p->d_model, sizeof(float));
    s->gathered = kz_arena_take(arena, n_row * p->d_model, sizeof(float));
    s->rows = kz_arena_take(arena, n_row * d, sizeof(float));
    s->hidden = kz_arena_take(arena, KZ_MAX_LANE * d, sizeof(float));
    s->logits = kz_arena_take(arena, KZ_MAX_LANE * p->vocab, sizeof(float));
    s->scratch = kz_arena_take(arena, p->vocab, sizeof(float));
    s->order = kz_arena_take(arena, p->vocab, sizeof(int32_t));
}

size_t kz_predictor_scratch(const kz_predictor *p) {
    size_t n_row = max_row(p), n = kz_stack_scratch(&p->stack, n_row), project = kz_linear_scratch(&p->project, n_row);
    n = n > project ? n : project;
    for (size_t k = 0; k + 1 < p->n_code; k++) {
        size_t head = kz_linear_scratch(&p->head[k], KZ_MAX_LANE);
        n = n > head ? n : head;
    }
    return n;
}

/* Frames that are made together. Scratch is the first lane's. */
typedef struct frames {
    const kz_ctx *ctx;
    const kz_predictor *p;
    const kz_predictor_lane *lanes;
    size_t n, k; /* k: the code that is made */
    const kz_embed *embed;
} frames;

/* Input rows [from, to) of every lane, side by side in the width of the predictor. */
static void gather_rows(const frames *f, size_t from, size_t to) {
    const kz_predictor *p = f->p;
    kz_predictor_state *s = f->lanes[0].state;
    size_t n_row = (to - from) * f->n, n = (to - from) * p->d_model;
    for (size_t i = 0; i < f->n; i++)
        memcpy(s->gathered + i * n, f->lanes[i].state->in + from * p->d_model, n * sizeof *s->gathered);
    if (p->projected)
        kz_linear_run(f->ctx, &p->project, s->rows, p->stack.cfg.d_model, s->gathered, p->d_model, n_row, NULL);
    else
        memcpy(s->rows, s->gathered, n_row * p->d_model * sizeof *s->rows);
}

/* Positions [from, to) of every lane through the layers; the first state's `hidden` has each lane's last. */
static void run_rows(const frames *f, size_t from, size_t to) {
    const kz_stack_config *c = &f->p->stack.cfg;
    kz_stack_state *stacks[KZ_MAX_LANE];
    kz_predictor_state *s = f->lanes[0].state;
    size_t each = to - from;
    for (size_t i = 0; i < f->n; i++)
        stacks[i] = &f->lanes[i].state->stack;
    kz_tap_put(f->ctx->tap, "predictor_rows", (int)from, s->rows, each, c->d_model);
    kz_stack_run_many(f->ctx, &f->p->stack, stacks, f->n, s->rows, each);
    for (size_t i = 0; i < f->n; i++)
        f->ctx->k->rmsnorm(s->hidden + i * c->d_model, s->rows + ((i + 1) * each - 1) * c->d_model, f->p->stack.norm,
                           c->d_model, c->rms_eps);
    kz_tap_put(f->ctx->tap, "predictor_hidden", (int)(to - 1), s->hidden, 1, c->d_model);
}

static void pick_some(void *arg, size_t begin, size_t end, int worker) {
    const frames *f = arg;
    const kz_predictor *p = f->p;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const kz_predictor_lane *l = &f->lanes[i];
        float *logits = f->lanes[0].state->logits + i * p->vocab;
        l->codes[f->k] = kz_sampling_pick(f->ctx->k, logits, p->vocab, &l->run.sampling, l->run.seed, l->run.frame,
                                          (uint32_t)f->k, l->state->scratch, l->state->order);
        if (l->codes[f->k] >= 0 && l->run.forced) {
            l->run.chosen[f->k] = l->codes[f->k];
            l->codes[f->k] = l->run.forced[f->k];
        }
        if (l->codes[f->k] >= 0 && f->k + 1 < p->n_code)
            kz_embed_group(f->embed, f->k - 1, l->codes[f->k], l->state->in + (f->k + 1) * p->d_model);
    }
}

static void begin_frames(const frames *f) {
    for (size_t i = 0; i < f->n; i++) {
        const kz_predictor_lane *l = &f->lanes[i];
        memcpy(l->state->in, l->hidden, f->p->d_model * sizeof *l->hidden);
        kz_embed_codec(f->embed, l->codes[0], l->state->in + f->p->d_model);
        kz_stack_reset(&l->state->stack);
    }
}

/* Adds what has passed since `from` to `spent`; the moment. */
static double lap(double *spent, double from) {
    double now = kz_now();
    *spent += now - from;
    return now;
}

/* Code k of every lane. */
static void run_pass(frames *f, kz_pass_times *spent) {
    const kz_predictor *p = f->p;
    kz_predictor_state *s = f->lanes[0].state;
    double at = kz_now();
    size_t from = f->lanes[0].run.uncached ? 0 : s->stack.pos, to = f->k + 1;
    if (f->lanes[0].run.uncached)
        kz_stack_reset(&s->stack);
    gather_rows(f, from, to);
    at = lap(&spent->input, at);
    run_rows(f, from, to);
    at = lap(&spent->layers, at);
    kz_linear_run(f->ctx, &p->head[f->k - 1], s->logits, p->vocab, s->hidden, p->stack.cfg.d_model, f->n, NULL);
    kz_tap_put(f->ctx->tap, "predictor_logits", (int)f->k, s->logits, 1, p->vocab);
    at = lap(&spent->head, at);
    kz_pool_run(f->ctx->pool, f->n, 1, pick_some, f);
    lap(&spent->draw, at);
}

kztts_status kz_predictor_frames(const kz_ctx *ctx, const kz_predictor *p, const kz_predictor_lane *lanes, size_t n,
                                 const kz_embed *embed, kz_pass_times *spent, kz_err *err) {
    frames f = {ctx, p, lanes, n, 1, embed};
    kz_pass_times unmeasured = {0};
    begin_frames(&f);
    for (; f.k < p->n_code; f.k++) {
        run_pass(&f, spent ? &spent[f.k - 1] : &unmeasured);
        for (size_t i = 0; i < n; i++)
            if (lanes[i].codes[f.k] < 0)
                return kz_fail(err, KZTTS_ERROR_FORMAT,
                               "the code predictor's output is not a number; the model is damaged");
    }
    return KZTTS_OK;
}
