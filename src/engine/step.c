/* step.c: a frame's codes for several utterances in one pass over the weights.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "engine/stream.h"
#include "engine/warm.h"

/* Tokens that must come before the end may be drawn. */
enum { MIN_TOKENS = 2 };

/* The lanes of a step. */
typedef struct step {
    kz_ctx ctx;
    const kz_model *model;
    kz_lane *const *lanes;
    size_t n;
    kz_step_work *work;
    int32_t first[KZ_MAX_LANE]; /* codes drawn */
} step;

void kz_step_layout(const kz_model *m, kz_step_work *work, kz_arena *arena, size_t n_lane) {
    size_t d = m->cfg.talker.d_model;
    work->rows = kz_arena_take(arena, n_lane * d, sizeof(float));
    work->hidden = kz_arena_take(arena, n_lane * d, sizeof(float));
    work->logits = kz_arena_take(arena, n_lane * m->cfg.vocab, sizeof(float));
    size_t n_talker = kz_talker_scratch(&m->talker), n_predictor = kz_predictor_scratch(&m->predictor);
    work->qx = kz_arena_take(arena, n_talker > n_predictor ? n_talker : n_predictor, sizeof *work->qx);
}

/* Prompt rows that the cache lacks, in parts, so that a cancel is seen in time. */
static kztts_status read_prompt(const step *s, kz_lane *lane, const kz_stream *stream, kz_err *err) {
    const kz_prompt *p = &lane->prompt;
    while (lane->n_ready < p->n_row && !kz_stream_is_cancelled(stream)) {
        size_t n = kz_talker_part(p->n_row - lane->n_ready);
        kz_talker_run(&s->ctx, &s->model->talker, &lane->talker, p->rows + lane->n_ready * p->d_model, n, lane->hidden);
        lane->n_ready += n;
    }
    return lane->n_ready == p->n_row ? kz_warm_give(lane->voice->warm, lane, err) : KZTTS_OK;
}

/* What the talker reads next: the last frame's codes and the text that belongs to the next one. */
static void make_feedback(const step *s, kz_lane *lane) {
    const kz_prompt *p = &lane->prompt;
    size_t n_code = s->model->cfg.n_code, f = lane->n_frame - 1;
    const float *text = f < p->n_trailing ? p->trailing + f * p->d_model : p->pad;
    kz_embed_frame(&s->model->embed, lane->codes->data + f * n_code, lane->row, lane->row_scratch);
    s->ctx.k->add(lane->row, lane->row, text, p->d_model);
    kz_tap_put(s->ctx.tap, "talker_row", (int)f, lane->row, 1, p->d_model);
}

/* Feedback rows of the lanes that have spoken already. */
static void step_talker(const step *s) {
    kz_talker_state *states[KZ_MAX_LANE];
    kz_lane *moving[KZ_MAX_LANE];
    size_t d = s->model->cfg.talker.d_model, n = 0;
    for (size_t i = 0; i < s->n; i++) {
        kz_lane *lane = s->lanes[i];
        if (!lane->n_frame)
            continue;
        make_feedback(s, lane);
        memcpy(s->work->rows + n * d, lane->row, d * sizeof(float));
        states[n] = &lane->talker;
        moving[n++] = lane;
    }
    if (n)
        kz_talker_step(&s->ctx, &s->model->talker, states, n, s->work->rows, s->work->hidden);
    for (size_t i = 0; i < n; i++)
        memcpy(moving[i]->hidden, s->work->hidden + i * d, d * sizeof(float));
}

static void draw_some(void *arg, size_t begin, size_t end, int worker) {
    step *s = arg;
    const kz_config *c = &s->model->cfg;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        kz_lane *lane = s->lanes[i];
        const kz_utterance *u = lane->utterance;
        float *logits = s->work->logits + i * c->vocab;
        kz_token_rules rules = {.penalty = u->repetition_penalty,
                                .seen = lane->seen,
                                .suppress_from = c->vocab - KZ_SUPPRESSED,
                                .eos = u->eos,
                                .hide_eos = lane->n_frame < MIN_TOKENS};
        kz_sampling_rules(logits, c->vocab, &rules);
        s->first[i] = kz_sampling_pick(s->ctx.k, logits, c->vocab, &u->sampling, lane->seed, (uint32_t)lane->n_frame, 0,
                                       lane->scratch, lane->order);
    }
}

/* The first code of each lane's next frame. */
static void draw_first_codes(step *s) {
    const kz_config *c = &s->model->cfg;
    size_t d = c->talker.d_model;
    for (size_t i = 0; i < s->n; i++) {
        memcpy(s->work->hidden + i * d, s->lanes[i]->hidden, d * sizeof(float));
        kz_tap_put(s->ctx.tap, "talker_hidden", (int)s->lanes[i]->n_frame, s->lanes[i]->hidden, 1, d);
    }
    kz_talker_logits(&s->ctx, &s->model->talker, s->work->hidden, s->work->logits, s->n);
    for (size_t i = 0; i < s->n; i++) {
        float *logits = s->work->logits + i * c->vocab;
        const kz_probe *probe = s->lanes[i]->utterance->probe;
        if (probe && probe->logits)
            probe->logits(probe->user, s->lanes[i]->seed, s->lanes[i]->n_frame, logits, c->vocab);
        kz_tap_put(s->ctx.tap, "talker_logits", (int)s->lanes[i]->n_frame, logits, 1, c->vocab);
    }
    kz_pool_run(s->ctx.pool, s->n, 1, draw_some, s);
}

static void end_lane(kz_lane *lane, kztts_finish_reason reason, bool cut) {
    lane->codes->finish = reason;
    lane->codes->cut = cut;
}

/* Whether the lane goes on with its first code. */
static bool goes_on(kz_lane *lane, kz_code first, double rate) {
    kz_codes *codes = lane->codes;
    if (first == lane->utterance->eos)
        end_lane(lane, KZTTS_FINISH_EOS, false);
    else if (lane->n_frame == codes->limit)
        end_lane(lane, KZTTS_FINISH_LENGTH, codes->limit_cuts);
    else if (codes->watched && kz_watch_code(&lane->watch, first, rate))
        end_lane(lane, KZTTS_FINISH_REPETITION, true);
    return codes->finish == KZTTS_FINISH_NONE;
}

/* Codes of the frame of every lane that goes on. */
static kztts_status predict_codes(const step *s, kz_pass_times *spent, kz_err *err) {
    const kz_model *m = s->model;
    kz_predictor_lane going[KZ_MAX_LANE];
    size_t n = 0;
    kz_ctx own = {.k = m->predictor_kernels, .pool = s->ctx.pool, .tap = s->ctx.tap, .qx = s->work->qx};
    double rate = (double)m->cfg.codec.sample_rate / (double)m->cfg.codec.frame_samples;
    bool uncached = s->lanes[0]->utterance->uncached;
    for (size_t i = 0; i < s->n; i++) {
        kz_lane *lane = s->lanes[i];
        kz_code *codes = lane->codes->data + lane->n_frame * m->cfg.n_code;
        const kz_utterance *u = lane->utterance;
        if (!goes_on(lane, s->first[i], rate))
            continue;
        codes[0] = s->first[i];
        lane->seen[s->first[i]] = 1;
        kz_predictor_run run = {
            .sampling = u->sub_sampling, .seed = lane->seed, .frame = (uint32_t)lane->n_frame, .uncached = uncached};
        going[n++] = (kz_predictor_lane){&lane->predictor, lane->hidden, run, codes};
    }
    for (size_t i = 0; uncached && i < n; i++)
        KZ_TRY(kz_predictor_frames(&own, &m->predictor, &going[i], 1, &m->embed, spent, err));
    if (!uncached && n)
        KZ_TRY(kz_predictor_frames(&own, &m->predictor, going, n, &m->embed, spent, err));
    for (size_t i = 0; i < s->n; i++)
        if (s->lanes[i]->codes->finish == KZTTS_FINISH_NONE)
            s->lanes[i]->codes->n_frame = ++s->lanes[i]->n_frame;
    return KZTTS_OK;
}

static bool any_new(const step *s) {
    for (size_t i = 0; i < s->n; i++)
        if (!s->lanes[i]->n_frame)
            return true;
    return false;
}

static kztts_status make_first_codes(step *s, kz_stream_times *spent, const kz_stream *stream, kz_err *err) {
    double begin = kz_now();
    if (any_new(s)) {
        for (size_t i = 0; i < s->n; i++)
            if (!s->lanes[i]->n_frame)
                KZ_TRY(read_prompt(s, s->lanes[i], stream, err));
        spent->prefill += kz_now() - begin;
        begin = kz_now();
    }
    if (kz_stream_is_cancelled(stream))
        return KZTTS_END;
    step_talker(s);
    double stepped = kz_now();
    draw_first_codes(s);
    double end = kz_now();
    spent->talker += end - begin;
    spent->talker_head += end - stepped;
    for (size_t i = 0; i < s->n; i++)
        if (s->first[i] < 0)
            return kz_fail(err, KZTTS_ERROR_FORMAT, "the talker's output is not a number; the model is damaged");
    return KZTTS_OK;
}

kztts_status kz_step_lanes(kz_lane *const *lanes, size_t n, kz_step_work *work, kz_stream_times *spent,
                           const kz_stream *stream, kz_err *err) {
    const kz_model *m = lanes[0]->model;
    const kz_tap *tap = n == 1 ? lanes[0]->utterance->tap : NULL;
    step s = {.ctx = {.k = m->kernels, .pool = m->pool, .tap = tap, .qx = work->qx},
              .model = m,
              .lanes = lanes,
              .n = n,
              .work = work};
    kztts_status status = make_first_codes(&s, spent, stream, err);
    if (status != KZTTS_OK)
        return status == KZTTS_END ? KZTTS_OK : status;
    double begin = kz_now();
    status = predict_codes(&s, spent->pass, err);
    spent->predictor += kz_now() - begin;
    return status;
}
