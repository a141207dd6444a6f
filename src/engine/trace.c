/* trace.c: what a model would do after codes that are given: the language model's loop without sound, without ends, for
 * measuring one model by another's codes.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "engine/lane.h"

enum { MIN_TOKENS = 2 }; /* before the end may be drawn */

typedef struct trace {
    const kz_model *m;
    const kz_utterance *u;
    const kz_trace *t;
    kz_prompt prompt;
    kz_arena arena;
    kz_talker_state talker;
    kz_predictor_state predictor;
    kz_qx *qx;
    float *hidden, *row, *row_scratch; /* [d_model] */
    float *scores, *logits, *scratch;  /* [vocab] */
    float *sub_scores;                 /* [n_code][sub_vocab], the first unused */
    int32_t *order;                    /* [vocab] */
    uint8_t *seen;                     /* [vocab] */
    kz_code *codes, *chosen;           /* [n_code] */
    size_t frame;
} trace;

static void layout(trace *s, kz_arena *arena) {
    const kz_model *m = s->m;
    const kz_config *c = &m->cfg;
    size_t d = c->talker.d_model, n_talker = kz_talker_scratch(&m->talker),
           n_predictor = kz_predictor_scratch(&m->predictor);
    int n_thread = kz_pool_threads(m->pool);
    s->qx = kz_arena_take(arena, n_talker > n_predictor ? n_talker : n_predictor, sizeof *s->qx);
    s->hidden = kz_arena_take(arena, d, sizeof(float));
    s->row = kz_arena_take(arena, d, sizeof(float));
    s->row_scratch = kz_arena_take(arena, d, sizeof(float));
    s->scores = kz_arena_take(arena, c->vocab, sizeof(float));
    s->logits = kz_arena_take(arena, c->vocab, sizeof(float));
    s->scratch = kz_arena_take(arena, c->vocab, sizeof(float));
    s->sub_scores = kz_arena_take(arena, c->n_code * c->sub_vocab, sizeof(float));
    s->order = kz_arena_take(arena, c->vocab, sizeof(int32_t));
    s->seen = kz_arena_take(arena, c->vocab, 1);
    s->codes = kz_arena_take(arena, c->n_code, sizeof(kz_code));
    s->chosen = kz_arena_take(arena, c->n_code, sizeof(kz_code));
    kz_predictor_layout(&m->predictor, &s->predictor, arena, n_thread);
    kz_talker_layout(&m->talker, &s->talker, arena, s->prompt.n_row + s->t->n_frame + 1, n_thread);
}

static kztts_status make_prompt(trace *s, const kz_voice *voice, kz_span text, kz_err *err) {
    const kz_model *m = s->m;
    const kz_utterance *u = s->u;
    const char *instruct = voice->description ? voice->description : u->instruct, *ref = voice->ref_text;
    kz_prompt_tokens tokens;
    KZ_TRY(kz_prompt_tokenize(&tokens, m->tokenizer, &m->cfg, text,
                              (kz_span){instruct, instruct ? strlen(instruct) : 0},
                              (kz_span){ref, ref ? strlen(ref) : 0}, u->special, err));
    kz_prompt_request request = {.tokens = &tokens,
                                 .mode = u->text_mode,
                                 .language = u->language,
                                 .speaker = voice->speaker ? voice->speaker->id : -1,
                                 .x_vector = voice->x_vector,
                                 .ref_code = voice->ref_code,
                                 .n_ref = voice->n_ref};
    kz_ctx ctx = {.k = m->kernels, .pool = m->pool};
    kztts_status status = kz_lane_check_length(&tokens, err);
    if (status >= 0)
        status = kz_prompt_build(&s->prompt, &ctx, &m->cfg, &m->embed, &request, err);
    kz_prompt_tokens_free(&tokens);
    return status;
}

/* The predictor's logits, group after group. */
static void keep_logits(void *user, const char *stage, int index, const float *data, size_t n_row, size_t n_col) {
    trace *s = user;
    if (strcmp(stage, "predictor_logits") == 0)
        memcpy(s->sub_scores + (size_t)index * n_col, data, n_row * n_col * sizeof *data);
}

static kztts_status choose_first(trace *s, const kz_ctx *ctx, kz_err *err) {
    const kz_config *c = &s->m->cfg;
    const kz_utterance *u = s->u;
    kz_token_rules rules = {.penalty = u->repetition_penalty,
                            .seen = s->seen,
                            .suppress_from = c->vocab - KZ_SUPPRESSED,
                            .eos = u->eos,
                            .hide_eos = s->frame < MIN_TOKENS};
    kz_talker_logits(ctx, &s->m->talker, s->hidden, s->scores, 1);
    kz_sampling_rules(s->scores, c->vocab, &rules);
    memcpy(s->logits, s->scores, c->vocab * sizeof *s->logits);
    s->chosen[0] = kz_sampling_pick(ctx->k, s->logits, c->vocab, &u->sampling, u->seed, (uint32_t)s->frame, 0,
                                    s->scratch, s->order);
    if (s->chosen[0] < 0)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "the talker's output is not a number; the model is damaged");
    return KZTTS_OK;
}

static kztts_status choose_others(trace *s, kz_err *err) {
    const kz_model *m = s->m;
    const kz_tap tap = {keep_logits, s};
    kz_ctx own = {.k = m->predictor_kernels, .pool = m->pool, .tap = &tap, .qx = s->qx};
    kz_predictor_run run = {.sampling = s->u->sub_sampling,
                            .seed = s->u->seed,
                            .frame = (uint32_t)s->frame,
                            .forced = s->t->codes + s->frame * m->cfg.n_code,
                            .chosen = s->chosen};
    kz_predictor_lane lane = {&s->predictor, s->hidden, run, s->codes};
    return kz_predictor_frames(&own, &m->predictor, &lane, 1, &m->embed, NULL, err);
}

static bool tell(const trace *s, size_t n_group) {
    const kz_config *c = &s->m->cfg;
    bool go_on = true;
    for (size_t k = 0; k < n_group && go_on; k++)
        go_on = s->t->fn(s->t->user, s->frame, (int)k, k ? s->sub_scores + k * c->sub_vocab : s->scores,
                         k ? c->sub_vocab : c->vocab, s->chosen[k]);
    return go_on;
}

static void make_feedback(trace *s, const kz_ctx *ctx) {
    const kz_prompt *p = &s->prompt;
    const float *text = s->frame < p->n_trailing ? p->trailing + s->frame * p->d_model : p->pad;
    kz_embed_frame(&s->m->embed, s->codes, s->row, s->row_scratch);
    ctx->k->add(s->row, s->row, text, p->d_model);
}

static kztts_status run(trace *s, kz_err *err) {
    const kz_model *m = s->m;
    size_t n_code = m->cfg.n_code;
    kz_ctx ctx = {.k = m->kernels, .pool = m->pool, .qx = s->qx};
    kz_talker_rewind(&s->talker, 0);
    kz_talker_run(&ctx, &m->talker, &s->talker, s->prompt.rows, s->prompt.n_row, s->hidden);
    for (; s->frame < s->t->n_frame; s->frame++) {
        memcpy(s->codes, s->t->codes + s->frame * n_code, n_code * sizeof *s->codes);
        KZ_TRY(choose_first(s, &ctx, err));
        KZ_TRY(choose_others(s, err));
        if (!tell(s, n_code))
            return KZTTS_END;
        s->seen[s->codes[0]] = 1;
        make_feedback(s, &ctx);
        kz_talker_run(&ctx, &m->talker, &s->talker, s->row, 1, s->hidden);
    }
    KZ_TRY(choose_first(s, &ctx, err)); /* whether it would end here */
    return tell(s, 1) ? KZTTS_OK : KZTTS_END;
}

static kztts_status start(trace *s, const kz_voice *voice, kz_span text, kz_err *err) {
    KZ_TRY(make_prompt(s, voice, text, err));
    layout(s, &s->arena);
    KZ_TRY(kz_arena_alloc(&s->arena, err, "a trace"));
    layout(s, &s->arena);
    return run(s, err);
}

kztts_status kz_trace_run(const kz_model *m, const kz_voice *voice, const kz_utterance *u, kz_span text,
                          const kz_trace *t, kz_err *err) {
    trace s = {.m = m, .u = u, .t = t};
    kztts_status status = start(&s, voice, text, err);
    kz_prompt_free(&s.prompt);
    kz_arena_free(&s.arena);
    return status;
}
