/* trace.c: a model measured by codes that are given.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "api/api.h"

typedef struct told {
    kztts_trace_fn fn;
    void *user;
} told;

static bool tell(void *user, size_t frame, int group, const float *scores, size_t n, kz_code chosen) {
    const told *t = user;
    return t->fn(t->user, frame, group, scores, (int)n, chosen) == 0;
}

static kztts_status check_codes(const kz_config *c, const int32_t *codes, size_t n_frame, kz_err *err) {
    for (size_t i = 0; i < n_frame * c->n_code; i++) {
        size_t limit = i % c->n_code ? c->sub_vocab : c->codec.codebook_size;
        if (codes[i] < 0 || (size_t)codes[i] >= limit)
            return kz_fail(err, KZTTS_ERROR_ARGUMENT, "frame %zu, group %zu: code %d is not from 0 to %zu",
                           i / c->n_code, i % c->n_code, codes[i], limit - 1);
    }
    return KZTTS_OK;
}

static kztts_status check_text(const char *text, size_t n, kz_err *err) {
    size_t valid = kz_utf8_valid(text, n);
    if (valid < n)
        return kz_fail(err, KZTTS_ERROR_TEXT, "the text is not UTF-8 at byte %zu", valid);
    if (!kz_text_speakable(text, n))
        return kz_fail(err, KZTTS_ERROR_TEXT, "the text has nothing to speak: no letter and no digit");
    return KZTTS_OK;
}

static kztts_status run(kztts_model *model, const kztts_voice *voice, const kztts_trace_request *r, kz_err *err) {
    kztts_stream_options o;
    kz_utterance u;
    if (!model || !model->open || !voice || !r || r->size < sizeof *r || !r->text || !r->fn ||
        (r->n_frame && !r->codes))
        return kz_fail(err, KZTTS_ERROR_ARGUMENT,
                       "kztts_model_trace: a model, a voice, a text, codes or fn is missing");
    if (voice->model != model)
        return kz_fail(err, KZTTS_ERROR_VOICE, "the voice was made for another model");
    KZ_TRY(kz_api_stream_options(&o, r->options, err));
    KZ_TRY(kz_api_utterance(&u, model, &voice->v, &o, err));
    size_t n = strlen(r->text);
    KZ_TRY(check_text(r->text, n, err));
    if (r->n_frame > (size_t)model->m.cfg.generation.max_new_tokens)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "%zu frames are more than the model's limit of %d", r->n_frame,
                       model->m.cfg.generation.max_new_tokens);
    KZ_TRY(check_codes(&model->m.cfg, r->codes, r->n_frame, err));
    told t = {r->fn, r->user};
    const kz_trace trace = {.codes = r->codes, .n_frame = r->n_frame, .fn = tell, .user = &t};
    return kz_trace_run(&model->m, &voice->v, &u, (kz_span){r->text, n}, &trace, err);
}

kztts_status kztts_model_trace(kztts_model *model, const kztts_voice *voice, const kztts_trace_request *request,
                               char *message, size_t message_size) {
    kz_err err = {""};
    kztts_status status = run(model, voice, request, &err);
    if (message && message_size)
        (void)snprintf(message, message_size, "%s", status < 0 ? err.message : "");
    return status;
}
