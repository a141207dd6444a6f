/* pipeline.c: the frame loop (specification section 7): the one place that names every stage in order.
 * SPDX-License-Identifier: Apache-2.0 */
#include "engine/stream.h"

/* Tokens that must come before the end may be drawn. */
enum { MIN_TOKENS = 2 };

static kztts_status end(kz_stream *s, kztts_finish_reason reason) {
    s->finish = reason;
    return KZTTS_END;
}

/* Failing only costs time at the next start. */
static void write_snapshot(kz_stream *s) {
    kz_err err = {""};
    s->snapshot_due = false;
    if (kz_snapshot_write(s, s->utterance.snapshot, &err) < 0)
        kz_model_log(s->model, KZTTS_LOG_DEBUG, "no snapshot of the voice: %s", err.message);
}

/* Prompt rows that the cache lacks, in pieces, so that a cancel is seen in time. */
static void read_prompt(kz_stream *s, const kz_ctx *ctx) {
    enum { PIECE = 64 };
    const kz_prompt *p = &s->prompt;
    while (s->n_ready < p->n_row && !atomic_load(&s->cancelled)) {
        size_t n = p->n_row - s->n_ready < PIECE ? p->n_row - s->n_ready : PIECE;
        kz_talker_run(ctx, &s->model->talker, &s->talker, p->rows + s->n_ready * p->d_model, n, s->hidden);
        s->n_ready += n;
    }
    if (s->n_ready < p->n_row)
        return;
    if (s->snapshot_due)
        write_snapshot(s);
    if (s->memory_due)
        kz_snapshot_keep(s);
    s->memory_due = false;
}

/* Prompt, or feedback of the last frame, through the talker. */
static void step_talker(kz_stream *s, const kz_ctx *ctx) {
    double begin = kz_now();
    bool first = s->n_frame == 0;
    if (first)
        read_prompt(s, ctx);
    else
        kz_talker_run(ctx, &s->model->talker, &s->talker, s->row, 1, s->hidden);
    kz_tap_put(ctx->tap, "talker_hidden", (int)s->n_frame, s->hidden, 1, s->model->cfg.talker.d_model);
    *(first ? &s->spent.prefill : &s->spent.talker) += kz_now() - begin;
}

/* The first code of the next frame, or -1. */
static int32_t draw_first_code(kz_stream *s, const kz_ctx *ctx) {
    double begin = kz_now();
    const kz_config *c = &s->model->cfg;
    const kz_utterance *u = &s->utterance;
    kz_token_rules rules = {.penalty = u->repetition_penalty,
                            .seen = s->seen,
                            .suppress_from = c->vocab - KZ_SUPPRESSED,
                            .eos = u->eos,
                            .hide_eos = s->n_frame < MIN_TOKENS};
    kz_talker_logits(ctx, &s->model->talker, s->hidden, s->logits);
    kz_tap_put(ctx->tap, "talker_logits", (int)s->n_frame, s->logits, 1, c->vocab);
    kz_sampling_rules(s->logits, c->vocab, &rules);
    int32_t code = kz_sampling_pick(ctx->k, s->logits, c->vocab, &u->sampling, u->seed, (uint32_t)s->n_frame, 0,
                                    s->scratch, s->order);
    s->spent.talker += kz_now() - begin;
    return code;
}

static kztts_status predict_codes(kz_stream *s, const kz_ctx *ctx, kz_err *err) {
    double begin = kz_now();
    const kz_model *m = s->model;
    kz_predictor_run run = {.sampling = s->utterance.sub_sampling,
                            .seed = s->utterance.seed,
                            .frame = (uint32_t)s->n_frame,
                            .uncached = s->utterance.uncached};
    kz_ctx own = {.k = m->predictor_kernels, .pool = ctx->pool, .tap = ctx->tap, .qx = s->qx};
    KZ_TRY(kz_predictor_frame(&own, &m->predictor, &s->predictor, &m->embed, s->hidden, &run, s->codes, err));
    s->spent.predictor += kz_now() - begin;
    return KZTTS_OK;
}

static void decode(kz_stream *s, const kz_ctx *ctx) {
    double begin = kz_now();
    kz_decoder_run(ctx, s->model->decoder, s->decoder, s->codes, 1, s->pcm);
    s->spent.decoder += kz_now() - begin;
}

/* What the talker reads next: the frame's codes and the text that belongs to the next one. */
static void make_feedback(kz_stream *s, const kz_ctx *ctx) {
    const kz_prompt *p = &s->prompt;
    const float *text = s->n_frame < p->n_trailing ? p->trailing + s->n_frame * p->d_model : p->pad;
    kz_embed_frame(&s->model->embed, s->codes, s->row, s->row_scratch);
    ctx->k->add(s->row, s->row, text, p->d_model);
    kz_tap_put(ctx->tap, "talker_row", (int)s->n_frame, s->row, 1, p->d_model);
}

static kztts_status make_frame(kz_stream *s, const kz_ctx *ctx, kz_err *err) {
    const kz_utterance *u = &s->utterance;
    step_talker(s, ctx);
    if (atomic_load(&s->cancelled))
        return end(s, KZTTS_FINISH_CANCELLED);
    int32_t first = draw_first_code(s, ctx);
    if (first < 0)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "the talker's output is not a number; the model is damaged");
    if (first == u->eos)
        return end(s, KZTTS_FINISH_EOS);
    if (s->n_frame == u->max_frames)
        return end(s, KZTTS_FINISH_LENGTH);
    s->seen[first] = 1;
    s->codes[0] = first;
    KZ_TRY(predict_codes(s, ctx, err));
    if (u->on_frame)
        u->on_frame(u->on_frame_user, s->n_frame, s->codes, (int)s->model->cfg.n_code);
    if (atomic_load(&s->cancelled))
        return end(s, KZTTS_FINISH_CANCELLED);
    decode(s, ctx);
    make_feedback(s, ctx);
    s->n_frame++;
    return KZTTS_OK;
}

kztts_status kz_stream_frame(kz_stream *s, const float **pcm, kz_err *err) {
    kz_ctx ctx = {.k = s->model->kernels, .pool = s->model->pool, .tap = s->utterance.tap, .qx = s->qx};
    if (s->finish != KZTTS_FINISH_NONE)
        return KZTTS_END;
    if (atomic_load(&s->cancelled))
        return end(s, KZTTS_FINISH_CANCELLED);
    kztts_status status = make_frame(s, &ctx, err);
    if (status < 0)
        s->finish = KZTTS_FINISH_FAILED;
    *pcm = s->pcm;
    return status;
}
