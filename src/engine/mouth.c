/* mouth.c: codes of the part whose turn it is into samples, and these into the join.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "engine/stream.h"

/* ---- decoder and join -------------------------------------------------------------------------------------- */

static kztts_status new_state(const kz_stream *s, kz_decoder_state **out, kz_err *err) {
    const kz_model *m = s->model;
    return kz_decoder_state_new(out, m->decoder, s->decode_mode, KZ_PACE_FRAMES, kz_pool_threads(m->codec_pool), err);
}

static void decode_recording(kz_stream *s) {
    const kz_model *m = s->model;
    const kz_voice *v = s->voice;
    kz_ctx ctx = {.k = m->kernels, .pool = m->codec_pool, .stop = &s->cancelled};
    kz_decoder_reset(s->primed);
    for (size_t f = 0, n; f < v->n_ref && !kz_stream_is_cancelled(s); f += n) {
        n = v->n_ref - f < KZ_PACE_FRAMES ? v->n_ref - f : KZ_PACE_FRAMES;
        kz_decoder_run(&ctx, m->decoder, s->primed, v->ref_code + f * m->cfg.n_code, n, s->pcm);
    }
}

/* Its content for a voice that has none of it yet; else whether it must be written. */
static void see_to_snapshot(kz_stream *s) {
    kz_warm *warm = s->voice->warm;
    const char *file = s->utterance.snapshot;
    if (!file || !warm || s->decode_mode != KZ_DECODE_CONTINUOUS || kz_warm_is_kept(warm, file))
        return;
    bool known = kz_warm_codec(warm, kz_decoder_state_size(s->primed));
    s->snapshot_due = !(known ? kz_snapshot_fits(s, file) : kz_snapshot_read(s, file));
    if (!s->snapshot_due)
        kz_warm_kept(warm, file);
}

/* The state after the recording, from the voice or by decoding it. */
static kztts_status prime(kz_stream *s, kz_err *err) {
    kz_warm *warm = s->voice->warm;
    bool exact = s->decode_mode == KZ_DECODE_CONTINUOUS;
    size_t n = exact ? kz_decoder_state_size(s->primed) : 0;
    const unsigned char *known = exact ? kz_warm_codec(warm, n) : NULL;
    if (known && kz_decoder_state_in(s->primed, known))
        return KZTTS_OK;
    decode_recording(s);
    if (!exact || !warm || kz_stream_is_cancelled(s))
        return KZTTS_OK;
    unsigned char *bytes = kz_alloc(n, 1);
    if (!bytes)
        return kz_fail_memory(err, n, "the codec's state after a recording");
    kz_decoder_state_out(s->primed, bytes);
    kztts_status status = kz_warm_add_codec(warm, bytes, n, err);
    kz_free(bytes);
    return status;
}

/* A recording used as context is decoded in front of the first frame, unheard. */
static kztts_status prime_decoder(kz_stream *s, kz_err *err) {
    if (!s->primed)
        KZ_TRY(new_state(s, &s->primed, err));
    bool primed = s->primed_voice == s->voice;
    s->primed_voice = NULL; /* a snapshot that is read may go through the state */
    see_to_snapshot(s);
    if (!primed)
        KZ_TRY(prime(s, err));
    if (!kz_stream_is_cancelled(s)) /* then it may be half done */
        s->primed_voice = s->voice;
    return KZTTS_OK;
}

static kztts_status make_decoder(kz_stream *s, kz_err *err) {
    kz_decode_mode mode = s->utterance.decode_mode;
    if (!s->decoder || s->decode_mode != mode) {
        kz_decoder_state_free(s->decoder);
        kz_decoder_state_free(s->primed);
        s->decoder = s->primed = NULL;
        s->primed_voice = NULL;
        s->decode_mode = mode;
        KZ_TRY(new_state(s, &s->decoder, err));
    }
    return s->voice->ref_code ? prime_decoder(s, err) : KZTTS_OK;
}

static kztts_status make_join(kz_stream *s, kz_err *err) {
    const kz_utterance *u = &s->utterance;
    kz_join_options o;
    kz_join_options_init(&o, s->model->cfg.codec.sample_rate);
    for (int i = KZ_PAUSE_SENTENCE; i < KZ_JOIN_CLASSES; i++)
        if (u->pause_ms[i] >= 0)
            o.pause_ms[i] = u->pause_ms[i];
    o.trim = u->trim;
    bool same = s->join && memcmp(o.pause_ms, s->join_options.pause_ms, sizeof o.pause_ms) == 0 &&
                o.trim == s->join_options.trim;
    if (same) {
        kz_join_reset(s->join);
        return KZTTS_OK;
    }
    kz_join_free(s->join);
    s->join = NULL;
    s->join_options = o;
    return kz_join_new(&s->join, &o, err);
}

kztts_status kz_mouth_prepare(kz_stream *s, kz_err *err) {
    s->n_pcm = 0;
    s->snapshot_due = false;
    KZ_TRY(make_join(s, err));
    return make_decoder(s, err);
}

void kz_mouth_free(kz_stream *s) {
    kz_join_free(s->join);
    kz_decoder_state_free(s->decoder);
    kz_decoder_state_free(s->primed);
}

/* ---- frames ------------------------------------------------------------------------------------------------ */

static void begin_decoder(kz_stream *s) {
    if (s->voice->ref_code)
        kz_decoder_state_copy(s->decoder, s->primed);
    else
        kz_decoder_reset(s->decoder);
}

/* Counts the good ones among the part's next n frames, whose samples are at pcm: false when nothing has been heard for
 * too long. */
static bool listen(const kz_stream *s, kz_part *part, size_t n, float *pcm) {
    const kz_utterance *u = &s->utterance;
    const kz_codec_config *c = &s->model->cfg.codec;
    for (; n > 0; n--, pcm += c->frame_samples) {
        if (u->probe && u->probe->pcm)
            u->probe->pcm(u->probe->user, part->n_good, pcm, c->frame_samples);
        if (u->guard && kz_hush_samples(&part->hush, pcm, c->frame_samples, c->sample_rate))
            return false;
        part->n_good++;
    }
    return true;
}

/* Samples of the part's next n frames. False when the guard has heard nothing for too long: n_good tells where. A cancel
 * leaves it undone. */
static bool decode(kz_stream *s, kz_part *part, size_t n, float *pcm) {
    const kz_model *m = s->model;
    kz_ctx ctx = {.k = m->kernels, .pool = m->codec_pool, .tap = s->utterance.tap, .stop = &s->cancelled};
    double begin = kz_now();
    if (part->n_good == 0)
        begin_decoder(s);
    kz_decoder_run(&ctx, m->decoder, s->decoder, part->codes.data + part->n_good * m->cfg.n_code, n, pcm);
    double spent = kz_now() - begin;
    s->spent.decoder += spent;
    s->pace.codec_s = spent / (double)n;
    return kz_stream_is_cancelled(s) || listen(s, part, n, pcm);
}

static void cut_silence(kz_part *part) {
    if (part->lane)
        kz_lane_release(part->lane);
    part->lane = NULL;
    part->codes.finish = KZTTS_FINISH_SILENCE;
    part->codes.cut = true;
    part->codes.n_frame = part->n_good;
}

static void tell_codes(const kz_stream *s, const kz_part *part) {
    const kz_utterance *u = &s->utterance;
    size_t n_code = s->model->cfg.n_code;
    if (u->on_frame)
        u->on_frame(u->on_frame_user, s->tally.n_frame, part->codes.data + part->n_said * n_code, (int)n_code);
}

/* The part's next frame goes out: whoever watches is told, then the join takes it. */
static kztts_status emit(kz_stream *s, kz_part *part, kz_err *err) {
    bool last = false;
    tell_codes(s, part);
    if (kz_stream_is_cancelled(s))
        return KZTTS_OK;
    if (!part->begun)
        KZ_TRY(kz_parts_is_last(s, &last, err));
    if (!part->begun)
        kz_events_begin_part(s, part);
    if (last)
        kz_join_last(s->join);
    part->begun = true;
    kz_events_frame(s, part, s->pcm_next);
    part->n_said++;
    s->tally.n_frame++;
    s->pcm_at = s->pcm_next;
    s->n_pcm = s->model->cfg.codec.frame_samples;
    s->pcm_next += s->n_pcm;
    return KZTTS_OK;
}

/* ---- parts ------------------------------------------------------------------------------------------------- */

static void count_outcome(kz_stream *s, const kz_part *part) {
    const kz_codes *codes = &part->codes;
    const kz_codec_config *c = &s->model->cfg.codec;
    double rate = (double)c->sample_rate / (double)c->frame_samples;
    kz_tally *t = &s->tally;
    bool early = s->utterance.guard && codes->finish == KZTTS_FINISH_EOS &&
                 codes->n_frame < kz_guard_least_frames(part->seconds, rate);
    if (early)
        kz_model_log(s->model, KZTTS_LOG_WARNING, "bytes %llu to %llu of the text ended after %.2f s, too early for it",
                     (unsigned long long)part->chunk.spoken.begin, (unsigned long long)part->chunk.spoken.end,
                     (double)codes->n_frame / rate);
    t->n_early += early;
    if (codes->cut && !t->n_cut++) {
        t->reason = codes->finish;
        t->cut = part->chunk.sentence[0];
        t->cut.end = part->chunk.sentence[part->chunk.n_sentence - 1].end;
        t->cut_s = (double)part->n_said / rate;
    }
    if (!t->n_cut && t->reason != KZTTS_FINISH_LENGTH)
        t->reason = codes->finish;
}

static void end_part(kz_stream *s, kz_part *part) {
    if (!part->begun)
        kz_events_begin_part(s, part);
    part->begun = true;
    kz_events_end_part(s, part);
    kz_join_end(s->join, (int)part->chunk.pause);
    kz_input_end(&s->input);
    count_outcome(s, part);
    kz_parts_drop_head(s);
}

static kztts_status step(kz_stream *s, kz_err *err) {
    double begin = kz_now();
    kztts_status status = kz_parts_step(s, err);
    s->pace.step_s = kz_now() - begin;
    return status;
}

/* Without retries: each frame goes out once it is there, the first one of an utterance alone (pace.c). */
static kztts_status speak(kz_stream *s, kz_part *part, kz_err *err) {
    size_t n = part->codes.n_frame - part->n_said, wanted;
    bool complete = part->codes.finish != KZTTS_FINISH_NONE;
    if (part->n_said < part->n_good)
        return emit(s, part, err);
    if (n == 0 && !complete)
        return step(s, err);
    if (n == 0) {
        end_part(s, part);
        return KZTTS_OK;
    }
    wanted = kz_pace_frames(&s->pace, n, complete, part->n_said, kz_pace_margin(&s->pace, kz_now()));
    if (n < wanted && !complete) {
        kztts_status status = step(s, err);
        if (status != KZTTS_AGAIN) /* else it waits for text: what is there is said */
            return status;
    }
    s->pcm_next = s->pcm;
    if (!decode(s, part, n < wanted ? n : wanted, s->pcm))
        cut_silence(part);
    return KZTTS_OK;
}

static kztts_status hold(kz_stream *s, kz_part *part, kz_err *err) {
    size_t n = s->model->cfg.codec.frame_samples, rest = part->codes.n_frame - part->n_good;
    if (!part->held && !(part->held = kz_alloc(part->codes.n_frame * n + 1, sizeof *part->held)))
        return kz_fail_memory(err, part->codes.n_frame * n * sizeof *part->held, "samples that wait");
    s->pcm_next = part->held;
    if (decode(s, part, rest < KZ_PACE_FRAMES ? rest : KZ_PACE_FRAMES, part->held + part->n_good * n))
        return KZTTS_OK;
    bool retried;
    cut_silence(part);
    return kz_parts_retry(s, part, &retried, err);
}

/* With retries: nothing goes out before all of the part is known to be good, or as good as it gets. */
static kztts_status speak_held(kz_stream *s, kz_part *part, kz_err *err) {
    if (part->codes.finish == KZTTS_FINISH_NONE)
        return kz_parts_step(s, err);
    if (part->n_good < part->codes.n_frame)
        return hold(s, part, err);
    if (part->n_said < part->n_good)
        return emit(s, part, err);
    end_part(s, part);
    return KZTTS_OK;
}

kztts_status kz_mouth_feed(kz_stream *s, kz_err *err) {
    if (s->n_pcm) {
        size_t n = kz_join_put(s->join, s->pcm_at, s->n_pcm);
        s->pcm_at += n;
        s->n_pcm -= n;
        return KZTTS_OK;
    }
    kztts_status status = kz_parts_head(s, err);
    if (status == KZTTS_END) {
        kz_join_finish(s->join);
        return KZTTS_OK;
    }
    if (status != KZTTS_OK)
        return status;
    return s->utterance.retries ? speak_held(s, s->parts, err) : speak(s, s->parts, err);
}
