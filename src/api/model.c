/* model.c: general functions and the model handle.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "api/api.h"

const char *kztts_version(void) { return KZTTS_VERSION_STRING; }

const char *kztts_status_text(kztts_status status) {
    switch (status) {
    case KZTTS_OK:
        return "ok";
    case KZTTS_AGAIN:
        return "more text is needed";
    case KZTTS_END:
        return "the utterance is over";
    case KZTTS_ERROR_FAILED:
        return "an operation failed";
    case KZTTS_ERROR_ARGUMENT:
        return "wrong use";
    case KZTTS_ERROR_TEXT:
        return "bad text";
    case KZTTS_ERROR_OUTPUT:
        return "output is not usable";
    case KZTTS_ERROR_VOICE:
        return "the voice doesn't fit the model";
    case KZTTS_ERROR_NOT_FOUND:
        return "not found";
    case KZTTS_ERROR_NETWORK:
        return "network failure";
    case KZTTS_ERROR_FORMAT:
        return "damaged or unknown format";
    case KZTTS_ERROR_MEMORY:
        return "out of memory";
    case KZTTS_ERROR_GUARD:
        return "no usable speech";
    }
    return "unknown status";
}

const char *kztts_cpu_level(int i, int *usable) {
    for (int level = 0; level < KZ_CPU_LEVELS; level++)
        if (kz_cpu_level_name((kz_cpu_level)level) && i-- == 0) {
            if (usable)
                *usable = kz_kernels_get((kz_cpu_level)level) != NULL;
            return kz_cpu_level_name((kz_cpu_level)level);
        }
    return NULL;
}

kztts_status kztts_model_open(kztts_model **out, const char *path, const kztts_model_options *options) {
    if (!out)
        return KZTTS_ERROR_ARGUMENT;
    kztts_model *model = *out = kz_alloc(1, sizeof *model);
    kztts_model_options o;
    if (!model)
        return KZTTS_ERROR_MEMORY;
    if (!path || !*path)
        return kz_fail(&model->err, KZTTS_ERROR_ARGUMENT, "kztts_model_open: no path given");
    KZ_TRY(kz_api_model_options(&o, options, &model->err));
    kz_model_options inner = {.threads = o.threads,
                              .codec_threads = o.codec_threads,
                              .cpu = o.cpu,
                              .predictor_cpu = o.predictor_cpu,
                              .quant = o.quant,
                              .codec = o.codec,
                              .log = o.log,
                              .log_user = o.log_user};
    KZ_TRY(kz_model_open(&model->m, path, &inner, &model->err));
    model->open = true;
    return KZTTS_OK;
}

const char *kztts_model_message(const kztts_model *model) { return model ? model->err.message : ""; }

void kztts_model_close(kztts_model **model) {
    if (!model || !*model)
        return;
    kz_stream_free(atomic_load(&(*model)->spare));
    kz_model_close(&(*model)->m);
    kz_free(*model);
    *model = NULL;
}

const char *kz_api_type_name(kz_model_type type) {
    switch (type) {
    case KZ_MODEL_CUSTOM_VOICE:
        return "custom_voice";
    case KZ_MODEL_VOICE_DESIGN:
        return "voice_design";
    case KZ_MODEL_BASE:
        return "base";
    }
    return "";
}

void kz_api_codec_info(kztts_model_info *info, const kz_codec_config *codec) {
    info->sample_rate = codec->sample_rate;
    info->frame_samples = (int)codec->frame_samples;
    info->code_groups = (int)codec->n_code;
    info->codebook_size = (int)codec->codebook_size;
}

kztts_status kz_api_put_info(kztts_model_info *out, const kztts_model_info *info) {
    size_t size = out->size;
    if (size < sizeof size)
        return KZTTS_ERROR_ARGUMENT;
    memcpy(out, info, size < sizeof *info ? size : sizeof *info);
    out->size = size;
    return KZTTS_OK;
}

static bool is_dialect(const kz_named_id *language) { return strstr(language->name, "dialect") != NULL; }

static int count_languages(const kz_config *c) {
    int n = 0;
    for (size_t i = 0; i < c->n_language; i++)
        n += !is_dialect(&c->languages[i]);
    return n;
}

static void put_work(kztts_model_info *info, const kz_model *m) {
    const kz_model_work work = kz_model_count_work(m);
    info->talker_bytes = work.talker.bytes;
    info->talker_products = work.talker.products;
    info->predictor_bytes = work.predictor.bytes;
    info->predictor_frame_bytes = work.predictor_frame.bytes;
    info->codec_bytes = work.codec.bytes;
    info->codec_products = work.codec.products;
}

/* A typical prompt, for the memory plan. */
enum { PLAN_PROMPT = 64 };

kztts_status kztts_model_get_info(const kztts_model *model, kztts_model_info *info) {
    if (!model || !model->open || !info)
        return KZTTS_ERROR_ARGUMENT;
    const kz_model *m = &model->m;
    kztts_model_info own = {.type = kz_api_type_name(m->cfg.type),
                            .model_size = m->cfg.size,
                            .cpu = m->kernels->name,
                            .threads = kz_pool_threads(m->pool),
                            .codec_threads = kz_pool_threads(m->codec_pool),
                            .speakers = (int)m->cfg.n_speaker,
                            .languages = count_languages(&m->cfg),
                            .instruct = m->cfg.instruct,
                            .voice_width = m->cfg.type == KZ_MODEL_BASE ? (int)m->cfg.talker.d_model : 0,
                            .max_frames = m->cfg.generation.max_new_tokens - 1,
                            .format = m->format,
                            .weight_types = m->weight_types,
                            .tokenizer = m->tokenizer_hash,
                            .speaker_encoder = m->cfg.speaker.d_out != 0,
                            .codec_encoder = m->cfg.encoder.n_code != 0};
    kz_api_codec_info(&own, &m->cfg.codec);
    own.talker_weights = kz_dtype_name(m->talker.stack.layers[0].qkv.type);
    own.predictor_weights = kz_dtype_name(m->predictor.stack.layers[0].qkv.type);
    own.codec_weights = kz_dtype_name(kz_decoder_type(m->decoder));
    own.kind = kz_weights_prepared(m->weights) ? "prepared" : strncmp(m->format, "GGUF", 4) == 0 ? "gguf" : "directory";
    own.weight_bytes = kz_model_weight_bytes(m);
    own.packed_bytes = kz_model_packed_bytes(m);
    own.stream_bytes = kz_model_stream_bytes(m, (size_t)own.max_frames, PLAN_PROMPT);
    own.fingerprint = kz_model_fingerprint(m);
    own.parameters = kz_model_parameters(m);
    put_work(&own, m);
    return kz_api_put_info(info, &own);
}

const char *kztts_model_speaker(const kztts_model *model, int i) {
    if (!model || !model->open || i < 0 || (size_t)i >= model->m.cfg.n_speaker)
        return NULL;
    return model->m.cfg.speakers[i].name;
}

const char *kztts_model_language(const kztts_model *model, int i) {
    if (!model || !model->open || i < 0)
        return NULL;
    const kz_config *c = &model->m.cfg;
    for (size_t j = 0; j < c->n_language; j++)
        if (!is_dialect(&c->languages[j]) && i-- == 0)
            return c->languages[j].name;
    return NULL;
}
