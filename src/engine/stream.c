/* stream.c: the stream object: its memory and its account.  SPDX-License-Identifier: Apache-2.0 */
#include "engine/stream.h"

#include <string.h>

static void layout(kz_stream *s, kz_arena *arena) {
    kz_step_layout(s->model, &s->work, arena, KZ_MAX_LANE);
    s->pcm = kz_arena_take(arena, KZ_PACE_FRAMES * s->model->cfg.codec.frame_samples, sizeof(float));
}

kztts_status kz_stream_new(kz_stream **out, const kz_model *m, kz_err *err) {
    kz_stream *s = *out = kz_alloc(1, sizeof *s);
    if (!s)
        return kz_fail_memory(err, sizeof *s, "a stream");
    s->model = m;
    atomic_init(&s->cancelled, false);
    layout(s, &s->arena);
    KZ_TRY(kz_arena_alloc(&s->arena, err, "a stream"));
    layout(s, &s->arena);
    return KZTTS_OK;
}

void kz_stream_free(kz_stream *s) {
    if (!s)
        return;
    kz_parts_drop(s);
    for (size_t i = 0; i < KZ_MAX_LANE; i++)
        kz_lane_free(&s->lane[i]);
    kz_mouth_free(s);
    kz_input_free(&s->input);
    kz_events_free(s);
    kz_arena_free(&s->arena);
    kz_free(s->instruct);
    kz_free(s);
}

void kz_stream_rest(kz_stream *s) {
    enum { KEEP_POS = 600 }; /* of a long sentence; more would be memory that few streams need */
    kz_parts_drop(s);
    for (size_t i = 0; i < KZ_MAX_LANE; i++)
        if (i > 0 || s->lane[i].max_pos > KEEP_POS)
            kz_lane_free(&s->lane[i]);
    s->lane[0].n_ready = 0;
    s->primed_voice = NULL;
}

size_t kz_model_stream_bytes(const kz_model *m, size_t max_frames, size_t n_prompt) {
    kz_stream s = {.model = m};
    kz_lane lane = {0};
    kz_arena arena = {0};
    layout(&s, &arena);
    kz_lane_layout(m, &lane, &arena, n_prompt + max_frames + 1);
    return arena.used;
}

/* What a sentence's keys and values take, about. */
static uint64_t sentence_bytes(const kz_model *m) {
    enum { ROWS = 256 };
    kz_lane lane = {0};
    kz_arena arena = {0};
    kz_lane_layout(m, &lane, &arena, ROWS);
    return arena.used;
}

/* One reading of the weights serves all lanes, so more of them give more frames a second; but the sentence that is being
 * heard gets one frame a step, and steps of many lanes are longer, the fewer the cores. */
size_t kz_stream_lanes(const kz_model *m, const kz_utterance *u) {
    enum { FEW_CORES = 4, MANY_CORES = 8, SHARE = 8 };
    if (u->n_lane)
        return u->n_lane;
    size_t n = kz_pool_threads(m->pool) < 4 ? FEW_CORES : MANY_CORES;
    uint64_t room = m->memory / SHARE;
    while (room && n > 1 && n * sentence_bytes(m) > room)
        n /= 2;
    return n;
}

const kz_prompt *kz_stream_prompt(const kz_stream *s) { return &s->lane[0].prompt; }

const kz_pass_times *kz_stream_passes(const kz_stream *s) { return s->spent.pass; }

static double heads_s(const kz_stream *s) {
    double sum = s->spent.talker_head;
    for (size_t i = 0; i + 1 < s->model->cfg.n_code; i++)
        sum += s->spent.pass[i].head + s->spent.pass[i].draw;
    return sum;
}

void kz_stream_get_summary(const kz_stream *s, kztts_summary *out) {
    const kz_tally *t = &s->tally;
    out->finish = s->finish;
    if (!s->finish && kz_stream_is_cancelled(s))
        out->finish = KZTTS_FINISH_CANCELLED; /* one that comes after the end changes nothing */
    out->frames = t->n_frame;
    out->samples = s->n_read;
    out->seed = s->utterance.seed;
    out->text_mode = s->utterance.text_mode == KZ_TEXT_STREAMING ? KZTTS_TEXT_STREAMING : KZTTS_TEXT_FULL;
    out->text_tokens = (int)t->n_text;
    out->prompt_rows = (int)t->n_row;
    out->prefill_s = s->spent.prefill;
    out->talker_s = s->spent.talker;
    out->predictor_s = s->spent.predictor;
    out->decoder_s = s->spent.decoder;
    out->chunks = t->n_part;
    out->cut = t->n_cut;
    out->early = t->n_early;
    out->retried = t->n_retried;
    out->batch = (int)s->n_lane;
    out->text_bytes = t->text_bytes;
    out->heads_s = heads_s(s);
}
