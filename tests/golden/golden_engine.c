/* golden_engine.c: cases spoken by the engine itself.  SPDX-License-Identifier: Apache-2.0 */
#include "golden_engine.h"

#include <stdio.h>
#include <string.h>

#include "engine/engine.h"

static kz_model kept;
static char kept_dir[8192];
static bool is_kept;

static void close_kept(void) {
    if (is_kept)
        kz_model_close(&kept);
    is_kept = false;
}

static kz_model *get_model(golden_case *c) {
    kz_err err = {""};
    const kz_model_options options = {
        .threads = golden_threads(), .cpu = golden_kernels()->name, .predictor_cpu = golden_kernels()->name};
    if (is_kept && !strcmp(kept_dir, c->checkpoint))
        return &kept;
    close_kept();
    golden_when_done(close_kept);
    snprintf(kept_dir, sizeof kept_dir, "%s", c->checkpoint);
    is_kept = golden_ok(c, kz_model_open(&kept, c->checkpoint, &options, &err), &err, "model");
    return is_kept ? &kept : NULL;
}

static void keep_codes(void *user, uint64_t frame, const int32_t *codes, int n_code) {
    golden_utterance *u = user;
    memcpy(u->codes + frame * (size_t)n_code, codes, (size_t)n_code * sizeof *codes);
    u->n_frame = (size_t)frame + 1;
}

static bool resolve(golden_case *c, const kz_model *m, size_t item, const golden_clone *clone, kz_voice *voice,
                    kz_utterance *u) {
    kz_err err = {""};
    const char *name = golden_string(c, "speaker", item), *instruct = golden_string(c, "instruct", item);
    *voice = (kz_voice){0};
    if (name && *name)
        voice->speaker = kz_named_find(m->cfg.speakers, m->cfg.n_speaker, name);
    if (m->cfg.type == KZ_MODEL_VOICE_DESIGN && instruct)
        voice->description = kz_strndup(instruct, strlen(instruct));
    else
        u->instruct = m->cfg.instruct ? instruct : NULL;
    if (clone && clone->x_vector) {
        size_t d = m->cfg.talker.d_model;
        voice->x_vector = golden_memory(c, d, sizeof(float));
        memcpy(voice->x_vector, clone->x_vector, d * sizeof(float));
    }
    if (clone && clone->ref_code) {
        const char *text = golden_string(c, "ref_text", item);
        size_t n = clone->n_ref * m->cfg.n_code;
        voice->n_ref = clone->n_ref;
        voice->ref_code = golden_memory(c, n, sizeof(kz_code));
        memcpy(voice->ref_code, clone->ref_code, n * sizeof(kz_code));
        voice->ref_text = text ? kz_strndup(text, strlen(text)) : NULL;
    }
    return golden_ok(
        c, kz_prompt_language(&u->language, &m->cfg, golden_string(c, "language", item), voice->speaker, &err), &err,
        "language");
}

static bool read_all(golden_case *c, kz_stream *s, golden_utterance *out, size_t room) {
    kz_err err = {""};
    for (;;) {
        size_t n = 0;
        float extra;
        bool full = out->n_sample == room;
        kztts_status status =
            kz_stream_read(s, full ? &extra : out->pcm + out->n_sample, full ? 1 : room - out->n_sample, &n, &err);
        if (status == KZTTS_END)
            return true;
        if (!golden_ok(c, status, &err, "samples"))
            return false;
        if (full) {
            golden_fail(c, "more than %zu samples", room);
            return false;
        }
        out->n_sample += n;
    }
}

static bool speak(golden_utterance *out, golden_case *c, kz_model *m, const kz_voice *voice, const kz_utterance *u,
                  const char *text) {
    kz_err err = {""};
    kz_stream *s = NULL;
    kztts_summary summary = {.size = sizeof summary};
    kz_span span = {text, text ? strlen(text) : 0};
    bool ok = golden_ok(c, kz_stream_new(&s, m, &err), &err, "stream") &&
              golden_ok(c, kz_stream_begin(s, voice, u, &err), &err, "begin") &&
              golden_ok(c, kz_stream_put(s, span, &err), &err, "text") &&
              golden_ok(c, kz_stream_finish(s, &err), &err, "finish") &&
              read_all(c, s, out, m->cfg.codec.frame_samples * u->max_frames);
    if (ok) {
        kz_stream_get_summary(s, &summary);
        out->finish = summary.finish;
        if (summary.frames != out->n_frame)
            golden_fail(c, "the summary counts %llu frames, %zu were given", (unsigned long long)summary.frames,
                        out->n_frame);
    }
    kz_stream_free(s);
    return ok;
}

bool golden_engine_speak(golden_utterance *out, golden_case *c, size_t item, const golden_clone *clone) {
    kz_model *m = get_model(c);
    *out = (golden_utterance){0};
    if (!m)
        return false;
    size_t max_frame = (size_t)golden_number(c, "frames", 1);
    out->n_code = m->cfg.n_code;
    out->codes = golden_memory(c, max_frame * m->cfg.n_code, sizeof(kz_code));
    out->pcm = golden_memory(c, max_frame * m->cfg.codec.frame_samples, sizeof(float));
    kz_voice voice;
    kz_utterance u = {
        .text_mode = golden_flag(c, "non_streaming") ? KZ_TEXT_FULL : KZ_TEXT_STREAMING,
        .decode_mode = KZ_DECODE_REFERENCE,
        .max_frames = max_frame,
        .sampling = {.temperature = 1, .top_p = 1},
        .sub_sampling = {.temperature = 1, .top_p = 1},
        .repetition_penalty = (float)golden_number(c, "repetition_penalty", 1.05),
        .eos = (int32_t)golden_number(c, "eos_token_id", (double)m->cfg.codec_eos),
        .special = true,
        .on_frame = keep_codes,
        .on_frame_user = out,
    };
    bool ok = resolve(c, m, item, clone, &voice, &u) && speak(out, c, m, &voice, &u, golden_string(c, "text", item));
    kz_free(voice.description);
    kz_free(voice.ref_text);
    return ok;
}
