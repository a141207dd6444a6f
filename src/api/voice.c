/* voice.c: the voice handle.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "api/api.h"

kztts_status kz_api_voice_new(kztts_voice **out, kztts_model *model) {
    if (!out)
        return KZTTS_ERROR_ARGUMENT;
    kztts_voice *voice = *out = kz_alloc(1, sizeof *voice);
    if (!voice)
        return KZTTS_ERROR_MEMORY;
    if (!model || !model->open)
        return kz_fail(&voice->err, KZTTS_ERROR_ARGUMENT, "a voice needs an opened model");
    voice->model = model;
    voice->v.warm = kz_warm_new();
    return voice->v.warm ? KZTTS_OK : kz_fail_memory(&voice->err, sizeof *voice, "a voice");
}

kztts_status kz_api_voice_end(kztts_voice *voice, kztts_status status) {
    if (status < 0)
        voice->model = NULL;
    return status;
}

static kztts_status pick_speaker(kztts_voice *voice, const char *name) {
    const kz_config *c = &voice->model->m.cfg;
    char near[256];
    if (c->type == KZ_MODEL_VOICE_DESIGN)
        return kz_fail(&voice->err, KZTTS_ERROR_VOICE,
                       "this checkpoint (voice_design) has no preset voices; describe the voice you want");
    if (c->type == KZ_MODEL_BASE)
        return kz_fail(&voice->err, KZTTS_ERROR_VOICE,
                       "this checkpoint (base) has no preset voices; it speaks with cloned ones (kztts_voice_clone)");
    if (name && !*name)
        return KZTTS_OK;
    if (!name && c->n_speaker)
        voice->v.speaker = &c->speakers[0];
    else if (name)
        voice->v.speaker = kz_named_find(c->speakers, c->n_speaker, name);
    if (voice->v.speaker || !name)
        return KZTTS_OK;
    kz_named_near(near, sizeof near, c->speakers, c->n_speaker, name);
    return kz_fail(&voice->err, KZTTS_ERROR_NOT_FOUND, "no voice \"%.60s\" in this model; there is %s", name,
                   *near ? near : "none");
}

kztts_status kztts_voice_preset(kztts_voice **out, kztts_model *model, const char *name) {
    KZ_TRY(kz_api_voice_new(out, model));
    return kz_api_voice_end(*out, pick_speaker(*out, name));
}

static kztts_status describe(kztts_voice *voice, const char *description) {
    if (voice->model->m.cfg.type != KZ_MODEL_VOICE_DESIGN)
        return kz_fail(&voice->err, KZTTS_ERROR_VOICE,
                       "only a voice_design checkpoint makes a voice from a description");
    if (!description)
        return kz_fail(&voice->err, KZTTS_ERROR_ARGUMENT, "kztts_voice_describe: no description given");
    size_t n = strlen(description), valid = kz_utf8_valid(description, n);
    if (valid < n)
        return kz_fail(&voice->err, KZTTS_ERROR_TEXT, "the description is not UTF-8 at byte %zu", valid);
    if (!(voice->v.description = kz_strndup(description, n)))
        return kz_fail_memory(&voice->err, n, "the description");
    return KZTTS_OK;
}

kztts_status kztts_voice_describe(kztts_voice **out, kztts_model *model, const char *description) {
    KZ_TRY(kz_api_voice_new(out, model));
    return kz_api_voice_end(*out, describe(*out, description));
}

static kztts_status clone(kztts_voice *voice, const float *pcm, size_t n, const char *transcript) {
    if (!pcm)
        return kz_fail(&voice->err, KZTTS_ERROR_ARGUMENT, "kztts_voice_clone: no samples given");
    if (transcript) {
        size_t n_text = strlen(transcript), valid = kz_utf8_valid(transcript, n_text);
        if (valid < n_text)
            return kz_fail(&voice->err, KZTTS_ERROR_TEXT, "the transcript is not UTF-8 at byte %zu", valid);
        if (!kz_text_speakable(transcript, n_text))
            return kz_fail(&voice->err, KZTTS_ERROR_TEXT, "the transcript has no letter and no digit");
    }
    return kz_voice_clone(&voice->v, &voice->model->m, pcm, n, transcript, &voice->err);
}

kztts_status kztts_voice_clone(kztts_voice **out, kztts_model *model, const float *pcm, size_t n,
                               const char *transcript) {
    KZ_TRY(kz_api_voice_new(out, model));
    return kz_api_voice_end(*out, clone(*out, pcm, n, transcript));
}

const char *kztts_voice_name(const kztts_voice *voice) {
    const char *name = !voice             ? NULL
                       : voice->from_file ? voice->file.text[KZ_VOICE_NAME]
                       : voice->v.speaker ? voice->v.speaker->name
                                          : NULL;
    return name ? name : "";
}

const char *kztts_voice_message(const kztts_voice *voice) { return voice ? voice->err.message : ""; }

void kztts_voice_close(kztts_voice **voice) {
    if (!voice || !*voice)
        return;
    kz_voice_free(&(*voice)->v);
    kz_voice_file_free(&(*voice)->file);
    kz_free(*voice);
    *voice = NULL;
}
