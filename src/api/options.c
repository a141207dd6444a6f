/* options.c: option structs of any version, and what their values mean.  SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "api/api.h"

/* The first version's structs ended here; smaller ones never existed. */
#define MODEL_OPTIONS_MIN (offsetof(kztts_model_options, log_user) + sizeof(void *))
#define STREAM_OPTIONS_MIN (offsetof(kztts_stream_options, on_frame_user) + sizeof(void *))

static void model_defaults(kztts_model_options *o) { *o = (kztts_model_options){.size = sizeof *o}; }

static void stream_defaults(kztts_stream_options *o) {
    *o = (kztts_stream_options){.size = sizeof *o,
                                .sample = -1,
                                .temperature = -1,
                                .top_k = -1,
                                .top_p = -1,
                                .repetition_penalty = -1,
                                .sub_sample = -1,
                                .sub_temperature = -1,
                                .sub_top_k = -1,
                                .sub_top_p = -1,
                                .sentence_silence_ms = -1,
                                .paragraph_silence_ms = -1};
}

void kztts_model_options_init(kztts_model_options *options, size_t size) {
    kztts_model_options o;
    model_defaults(&o);
    o.size = size;
    if (options)
        memcpy(options, &o, size < sizeof o ? size : sizeof o);
}

void kztts_stream_options_init(kztts_stream_options *options, size_t size) {
    kztts_stream_options o;
    stream_defaults(&o);
    o.size = size;
    if (options)
        memcpy(options, &o, size < sizeof o ? size : sizeof o);
}

/* A program compiled against a later version may pass a larger struct: what this version doesn't know is ignored. */
static kztts_status copy_options(void *out, size_t n_out, const void *o, size_t size, size_t least, kz_err *err) {
    if (size < least)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT,
                       "options: the size %zu is too small; fill the struct with its init function", size);
    memcpy(out, o, size < n_out ? size : n_out);
    return KZTTS_OK;
}

kztts_status kz_api_model_options(kztts_model_options *out, const kztts_model_options *o, kz_err *err) {
    model_defaults(out);
    return o ? copy_options(out, sizeof *out, o, o->size, MODEL_OPTIONS_MIN, err) : KZTTS_OK;
}

kztts_status kz_api_stream_options(kztts_stream_options *out, const kztts_stream_options *o, kz_err *err) {
    stream_defaults(out);
    return o ? copy_options(out, sizeof *out, o, o->size, STREAM_OPTIONS_MIN, err) : KZTTS_OK;
}

/* ---- meaning ----------------------------------------------------------------------------------------------- */

static kztts_status check_range(const char *name, float value, float lo, float hi, kz_err *err) {
    if (value >= lo && value <= hi)
        return KZTTS_OK;
    return kz_fail(err, KZTTS_ERROR_ARGUMENT, "%s: %g is not from %g to %g", name, (double)value, (double)lo,
                   (double)hi);
}

typedef struct sampling_names {
    const char *temperature, *top_k, *top_p;
} sampling_names;

static kztts_status resolve_sampling(kz_sampling *out, const kz_sampling *model, int sample, float temperature,
                                     int top_k, float top_p, const sampling_names *names, kz_err *err) {
    *out = *model;
    if (sample >= 0)
        out->sample = sample != 0;
    if (!(temperature < 0))
        out->temperature = temperature;
    if (top_k >= 0)
        out->top_k = top_k;
    if (!(top_p < 0))
        out->top_p = top_p;
    if (out->sample || !(temperature < 0))
        KZ_TRY(check_range(names->temperature, out->temperature, 1e-3F, 100, err));
    return check_range(names->top_p, out->top_p, 0, 1, err);
}

static kztts_status resolve_draws(kz_utterance *out, const kz_generation_config *g, const kztts_stream_options *o,
                                  kz_err *err) {
    kz_sampling talker = {g->do_sample, g->temperature, g->top_p, g->top_k};
    kz_sampling predictor = {g->sub_do_sample, g->sub_temperature, g->sub_top_p, g->sub_top_k};
    KZ_TRY(resolve_sampling(&out->sampling, &talker, o->sample, o->temperature, o->top_k, o->top_p,
                            &(sampling_names){"temperature", "top_k", "top_p"}, err));
    KZ_TRY(resolve_sampling(&out->sub_sampling, &predictor, o->sub_sample, o->sub_temperature, o->sub_top_k,
                            o->sub_top_p, &(sampling_names){"sub_temperature", "sub_top_k", "sub_top_p"}, err));
    out->repetition_penalty = o->repetition_penalty < 0 ? g->repetition_penalty : o->repetition_penalty;
    return check_range("repetition_penalty", out->repetition_penalty, 1e-3F, 100, err);
}

/* The wrapper of 0.6B custom voices drops the instruction, base models have none. */
static kztts_status resolve_instruct(kz_utterance *out, const kztts_model *model, const kz_voice *voice,
                                     const kztts_stream_options *o, kz_err *err) {
    const char *text = o->instruct;
    if (!text || !*text || voice->description)
        return KZTTS_OK;
    size_t n = strlen(text), valid = kz_utf8_valid(text, n);
    if (valid < n)
        return kz_fail(err, KZTTS_ERROR_TEXT, "the instruction is not UTF-8 at byte %zu", valid);
    if (!model->m.cfg.instruct)
        kz_model_log(&model->m, KZTTS_LOG_WARNING, "this model can't follow an instruction; it is ignored");
    else
        out->instruct = text;
    return KZTTS_OK;
}

static kztts_status resolve_modes(kz_utterance *out, const kztts_model *model, const kztts_stream_options *o,
                                  kz_err *err) {
    if (o->text_mode < KZTTS_TEXT_AUTO || o->text_mode > KZTTS_TEXT_STREAMING)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "text_mode: %d is not a text mode", (int)o->text_mode);
    if (o->decode_mode < KZTTS_DECODE_CONTINUOUS || o->decode_mode > KZTTS_DECODE_REFERENCE)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "decode_mode: %d is not a decode mode", (int)o->decode_mode);
    bool streaming =
        o->text_mode == KZTTS_TEXT_STREAMING || (o->text_mode == KZTTS_TEXT_AUTO && model->m.cfg.type == KZ_MODEL_BASE);
    out->text_mode = streaming ? KZ_TEXT_STREAMING : KZ_TEXT_FULL;
    out->decode_mode = o->decode_mode == KZTTS_DECODE_REFERENCE ? KZ_DECODE_REFERENCE : KZ_DECODE_CONTINUOUS;
    return KZTTS_OK;
}

static kztts_status check_whole(const char *name, int value, int lo, int hi, kz_err *err) {
    if (value >= lo && value <= hi)
        return KZTTS_OK;
    return kz_fail(err, KZTTS_ERROR_ARGUMENT, "%s: %d is not from %d to %d", name, value, lo, hi);
}

/* How the text is cut, committed and joined. */
static kztts_status resolve_text(kz_utterance *out, const kztts_stream_options *o, kz_err *err) {
    enum { SHORTEST = 20, LONGEST = 4000 };
    KZ_TRY(check_whole("split", (int)o->split, KZTTS_SPLIT_AUTO, KZTTS_SPLIT_OFF, err));
    KZ_TRY(check_whole("commit", (int)o->commit, KZTTS_COMMIT_FINISH, KZTTS_COMMIT_TOKEN, err));
    KZ_TRY(check_whole("sentence_silence_ms", o->sentence_silence_ms, -1, KZ_JOIN_PAUSE_MAX, err));
    KZ_TRY(check_whole("paragraph_silence_ms", o->paragraph_silence_ms, -1, KZ_JOIN_PAUSE_MAX, err));
    if (o->chunk_letters)
        KZ_TRY(check_whole("chunk_letters", o->chunk_letters, SHORTEST, LONGEST, err));
    out->split = o->split == KZTTS_SPLIT_AUTO;
    out->commit = o->commit;
    out->cut =
        (kz_split_options){.language = kz_split_language_named(o->language), .max_length = (size_t)o->chunk_letters};
    out->pause_ms[KZ_PAUSE_NONE] = -1;
    out->pause_ms[KZ_PAUSE_SENTENCE] = o->sentence_silence_ms;
    out->pause_ms[KZ_PAUSE_PARAGRAPH] = o->paragraph_silence_ms;
    out->trim = o->trim != 0;
    if (out->commit != KZTTS_COMMIT_TOKEN)
        return KZTTS_OK;
    if (o->text_mode == KZTTS_TEXT_FULL)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "text mode full needs the whole text: commit token can't have it");
    out->text_mode = KZ_TEXT_STREAMING;
    return KZTTS_OK;
}

static kztts_status resolve_guard(kz_utterance *out, const kztts_stream_options *o, kz_err *err) {
    enum { MOST_RETRIES = 10 };
    KZ_TRY(check_whole("batch", o->batch, 0, KZ_MAX_LANE, err));
    KZ_TRY(check_whole("guard", (int)o->guard, KZTTS_GUARD_AUTO, KZTTS_GUARD_OFF, err));
    KZ_TRY(check_whole("retries", o->retries, 0, MOST_RETRIES, err));
    out->n_lane = (size_t)o->batch;
    out->max_given = o->max_frames > 0;
    out->guard = o->guard == KZTTS_GUARD_ON || (o->guard == KZTTS_GUARD_AUTO && !out->max_given);
    out->retries = o->retries;
    return KZTTS_OK;
}

enum { MAX_FRAMES = 1 << 20 };

kztts_status kz_api_utterance(kz_utterance *out, const kztts_model *model, const kz_voice *voice,
                              const kztts_stream_options *o, kz_err *err) {
    const kz_config *c = &model->m.cfg;
    *out = (kz_utterance){.seed = o->seed,
                          .eos = c->codec_eos,
                          .uncached = o->predictor_uncached != 0,
                          .snapshot = o->snapshot,
                          .on_frame = o->on_frame,
                          .on_frame_user = o->on_frame_user,
                          .on_event = o->on_event,
                          .on_event_user = o->on_event_user};
    if (o->max_frames < 0 || o->max_frames > MAX_FRAMES)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "max_frames: %d is not from 1 to %d", o->max_frames, MAX_FRAMES);
    /* the official limit counts tokens, and the last one gives no frame */
    out->max_frames = (size_t)(o->max_frames ? o->max_frames : c->generation.max_new_tokens - 1);
    KZ_TRY(kz_prompt_language(&out->language, c, o->language, voice->speaker, err));
    KZ_TRY(resolve_modes(out, model, o, err));
    KZ_TRY(resolve_text(out, o, err));
    KZ_TRY(resolve_guard(out, o, err));
    KZ_TRY(resolve_instruct(out, model, voice, o, err));
    return resolve_draws(out, &c->generation, o, err);
}
