/* pipeline.c: a text from its first byte to its last sample.  SPDX-License-Identifier: Apache-2.0
 *
 *   text -> chunks -> parts: prompt -> talker -> predictor -> codes -> decoder -> join -> samples */
#include <string.h>

#include "engine/stream.h"

bool kz_stream_is_cancelled(const kz_stream *s) { return atomic_load(&s->cancelled); }

void kz_stream_cancel(kz_stream *s) { atomic_store(&s->cancelled, true); }

static double seconds(const kz_stream *s, size_t n_sample) {
    return (double)n_sample / (double)s->model->cfg.codec.sample_rate;
}

/* ---- beginning --------------------------------------------------------------------------------------------- */

kztts_status kz_stream_begin(kz_stream *s, const kz_voice *voice, const kz_utterance *u, kz_err *err) {
    char *instruct = u->instruct ? kz_strndup(u->instruct, strlen(u->instruct)) : NULL;
    if (u->instruct && !instruct)
        return kz_fail_memory(err, strlen(u->instruct), "the instruction");
    kz_parts_drop(s);
    kz_free(s->instruct);
    s->finish = KZTTS_FINISH_FAILED; /* until all is ready */
    s->voice = voice;
    s->utterance = *u;
    s->utterance.instruct = s->instruct = instruct;
    s->started = s->first_done = false;
    s->spent = (kz_stream_times){0};
    s->tally = (kz_tally){0};
    s->n_read = 0;
    s->n_lane = kz_stream_lanes(s->model, u);
    s->pace = (kz_pace){.frame_s = seconds(s, s->model->cfg.codec.frame_samples)};
    kz_events_reset(s);
    KZ_TRY(kz_input_restart(&s->input, u, err));
    s->finish = KZTTS_FINISH_NONE;
    atomic_store(&s->cancelled, false);
    return KZTTS_OK;
}

/* What speaking needs, once there is something to speak. */
static kztts_status get_ready(kz_stream *s, kz_err *err) {
    if (s->started)
        return KZTTS_OK;
    KZ_TRY(kz_mouth_prepare(s, err));
    s->started = true;
    return KZTTS_OK;
}

/* ---- text -------------------------------------------------------------------------------------------------- */

kztts_status kz_stream_put(kz_stream *s, kz_span text, kz_err *err) {
    return kz_input_put(&s->input, text.s, text.n, err);
}

kztts_status kz_stream_flush(kz_stream *s, kz_err *err) { return kz_input_flush(&s->input, err); }

kztts_status kz_stream_settle(kz_stream *s, kz_err *err) { return kz_input_settle(&s->input, err); }

kztts_status kz_stream_mark(kz_stream *s, uint64_t id, kz_err *err) { return kz_events_mark(s, id, err); }

size_t kz_stream_pending(const kz_stream *s) { return kz_input_pending(&s->input); }

kztts_status kz_stream_finish(kz_stream *s, kz_err *err) {
    KZ_TRY(kz_input_finish(&s->input, err));
    double begin = kz_now();
    kztts_status status = get_ready(s, err);
    s->spent.prefill += kz_now() - begin;
    if (status >= 0)
        status = kz_parts_prepare(s, err);
    if (status == KZTTS_END && !s->tally.n_part)
        return kz_fail(err, KZTTS_ERROR_TEXT, "there is nothing to speak: the text has no letter and no digit");
    return status < 0 ? status : KZTTS_OK;
}

/* ---- samples ----------------------------------------------------------------------------------------------- */

static kztts_status end(kz_stream *s, kztts_finish_reason reason) {
    s->finish = reason;
    kz_events_finish(s);
    return KZTTS_END;
}

static kztts_status fail_guard(const kz_stream *s, kz_err *err) {
    static const char *const what[] = {[KZTTS_FINISH_LENGTH] = "went on for much longer than its text needs",
                                       [KZTTS_FINISH_REPETITION] = "went in circles",
                                       [KZTTS_FINISH_SILENCE] = "fell silent"};
    const kz_tally *t = &s->tally;
    return kz_fail(
        err, KZTTS_ERROR_GUARD,
        "the speech %s: bytes %llu to %llu of the text were cut after %.1f s (%d of %d parts); another seed, "
        "or retries, may help",
        what[t->reason], (unsigned long long)t->cut.begin, (unsigned long long)t->cut.end, t->cut_s, t->n_cut,
        t->n_part);
}

static kztts_status fail(kz_stream *s, kztts_status status) {
    end(s, KZTTS_FINISH_FAILED);
    return status;
}

static kztts_status next_samples(kz_stream *s, float *pcm, size_t capacity, size_t *n, kz_err *err) {
    while (!(*n = kz_join_read(s->join, pcm, capacity))) {
        if (kz_stream_is_cancelled(s))
            return end(s, KZTTS_FINISH_CANCELLED);
        if (kz_join_done(s->join)) {
            end(s, s->tally.reason);
            return s->tally.n_cut ? fail_guard(s, err) : KZTTS_END;
        }
        kztts_status status = kz_mouth_feed(s, err);
        if (status != KZTTS_OK)
            return status < 0 ? fail(s, status) : status;
    }
    s->n_read += *n;
    kz_pace_hand_out(&s->pace, seconds(s, *n), kz_now());
    return KZTTS_OK;
}

kztts_status kz_stream_break(kz_stream *s, kztts_status status) {
    if (s->finish == KZTTS_FINISH_NONE)
        end(s, kz_stream_is_cancelled(s) ? KZTTS_FINISH_CANCELLED : KZTTS_FINISH_FAILED);
    if (s->utterance.on_event)
        kz_events_deliver(s);
    return s->finish == KZTTS_FINISH_CANCELLED ? KZTTS_END : status;
}

kztts_status kz_stream_read(kz_stream *s, float *pcm, size_t capacity, size_t *n, kz_err *err) {
    *n = 0;
    if (s->finish != KZTTS_FINISH_NONE)
        return KZTTS_END;
    if (kz_stream_is_cancelled(s))
        end(s, KZTTS_FINISH_CANCELLED);
    kztts_status status = s->finish ? KZTTS_END : get_ready(s, err);
    if (status == KZTTS_OK)
        status = next_samples(s, pcm, capacity, n, err);
    if (s->utterance.on_event)
        kz_events_deliver(s);
    return status;
}
