/* clone.c: a voice from a recording.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cloning/cloning.h"
#include "engine/engine.h"

/* The encoders are loaded for each voice and freed: cloning is rare, and they are as large as the codec. */
static kztts_status run_speaker(const kz_model *m, const kz_ctx *ctx, const float *wave, size_t n, kz_voice *voice,
                                kz_err *err) {
    kz_speaker_encoder *sp;
    KZ_TRY(kz_speaker_load(&sp, &m->cfg.speaker, m->weights, m->pool, err));
    voice->x_vector = kz_alloc(m->cfg.talker.d_model, sizeof *voice->x_vector);
    kztts_status status = voice->x_vector ? kz_speaker_run(ctx, sp, wave, n, voice->x_vector, err)
                                          : kz_fail_memory(err, m->cfg.talker.d_model, "a speaker vector");
    kz_speaker_free(sp);
    return status;
}

static kztts_status run_encoder(const kz_model *m, const kz_ctx *ctx, const float *wave, size_t n, kz_code **codes,
                                size_t *n_frame, kz_err *err) {
    kz_encoder *e;
    KZ_TRY(kz_encoder_load(&e, &m->cfg.encoder, m->codec_weights, m->pool, err));
    kztts_status status = kz_encoder_run(ctx, e, wave, n, codes, n_frame, err);
    kz_encoder_free(e);
    return status;
}

static kztts_status check_recording(const kz_model *m, const float *wave, size_t n, kz_err *err) {
    size_t most = (size_t)m->cfg.codec.sample_rate * KZ_CLONE_MAX_SECONDS;
    if (m->cfg.type != KZ_MODEL_BASE)
        return kz_fail(err, KZTTS_ERROR_VOICE, "only a base checkpoint clones recordings");
    if (m->cfg.encoder.n_code && m->cfg.speaker.d_out && m->cfg.encoder.sample_rate != m->cfg.speaker.sample_rate)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "the encoders' sample rates differ (%d and %d Hz)",
                       m->cfg.encoder.sample_rate, m->cfg.speaker.sample_rate);
    if (n < KZ_SPEAKER_MIN_SAMPLES || n > most)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "the recording has %zu samples; %d to %zu (%d s) can be cloned", n,
                       KZ_SPEAKER_MIN_SAMPLES, most, KZ_CLONE_MAX_SECONDS);
    for (size_t i = 0; i < n; i++)
        if (!(wave[i] >= -1e6F && wave[i] <= 1e6F))
            return kz_fail(err, KZTTS_ERROR_ARGUMENT, "sample %zu of the recording is not a usable number", i);
    return KZTTS_OK;
}

/* Files of other formats may be without one of the encoders. */
static kztts_status check_encoders(const kz_model *m, bool speaker, bool codec, kz_err *err) {
    if (speaker && !m->cfg.speaker.d_out)
        return kz_fail(err, KZTTS_ERROR_VOICE,
                       "the model's file has no speaker encoder, so it can't clone; take one that was made with it");
    if (codec && !m->cfg.encoder.n_code)
        return kz_fail(
            err, KZTTS_ERROR_VOICE,
            "the codec's file has no encoder: a recording can only be cloned by the speaker's vector, without "
            "its words");
    return KZTTS_OK;
}

kztts_status kz_voice_clone(kz_voice *voice, const kz_model *m, const float *wave, size_t n, const char *ref_text,
                            kz_err *err) {
    kz_ctx ctx = {.k = m->kernels, .pool = m->pool};
    KZ_TRY(check_recording(m, wave, n, err));
    KZ_TRY(check_encoders(m, true, ref_text != NULL, err));
    KZ_TRY(run_speaker(m, &ctx, wave, n, voice, err));
    if (!ref_text)
        return KZTTS_OK;
    if (!(voice->ref_text = kz_strndup(ref_text, strlen(ref_text))))
        return kz_fail_memory(err, strlen(ref_text), "the transcript");
    return run_encoder(m, &ctx, wave, n, &voice->ref_code, &voice->n_ref, err);
}

kztts_status kz_model_encode(const kz_model *m, const float *wave, size_t n, kz_code **codes, size_t *n_frame,
                             kz_err *err) {
    kz_ctx ctx = {.k = m->kernels, .pool = m->pool};
    *codes = NULL;
    KZ_TRY(check_recording(m, wave, n, err));
    KZ_TRY(check_encoders(m, false, true, err));
    return run_encoder(m, &ctx, wave, n, codes, n_frame, err);
}

void kz_voice_free(kz_voice *voice) {
    kz_free(voice->description);
    kz_free(voice->x_vector);
    kz_free(voice->ref_code);
    kz_free(voice->ref_text);
    kz_warm_free(voice->warm);
    *voice = (kz_voice){0};
}
