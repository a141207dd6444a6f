/* model.c: opening a checkpoint.  SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/engine.h"
#include "gguf/gguf.h"

void kz_model_log(const kz_model *m, kztts_log_level level, const char *fmt, ...) {
    char text[512];
    va_list args;
    if (!m->log)
        return;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    m->log(m->log_user, level, text);
}

kztts_status kz_model_kernels(const kz_kernels **out, const char *name, kz_err *err) {
    char usable[128] = "";
    size_t at = 0;
    *out = name ? kz_kernels_by_name(name) : kz_kernels_best();
    if (*out)
        return KZTTS_OK;
    for (int i = 0; i < KZ_CPU_LEVELS; i++)
        if (kz_kernels_get((kz_cpu_level)i) && at < sizeof usable)
            at += (size_t)snprintf(usable + at, sizeof usable - at, "%s%s", at ? ", " : "",
                                   kz_cpu_level_name((kz_cpu_level)i));
    return kz_fail(err, KZTTS_ERROR_ARGUMENT, "CPU level \"%.40s\" can't be used here; choose one of: %s", name,
                   usable);
}

static kztts_status open_files(kz_model *m, const char *path, const char *codec, kz_err *err) {
    if (!kz_file_exists(path))
        return kz_fail(err, KZTTS_ERROR_NOT_FOUND, "%s: no such model directory or file", path);
    if (kz_prepared_is(path))
        return kz_model_open_prepared(m, path, err);
    if (kz_gguf_is(path))
        return kz_model_open_gguf(m, path, codec, err);
    if (!kz_file_is_dir(path))
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: neither a model directory nor a prepared or GGUF file", path);
    if (codec)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "%s: no GGUF file: its codec can't be another one (%s)", path, codec);
    (void)snprintf(m->format, sizeof m->format, "safetensors");
    KZ_TRY(kz_config_read(&m->cfg, path, err));
    KZ_TRY(kz_tokenizer_open(&m->tokenizer, path, KZ_PATTERN_NATIVE, err));
    KZ_TRY(kz_weights_open_dir(&m->weights, path, err));
    char *inside = kz_path_join(path, "speech_tokenizer");
    kztts_status status =
        inside ? kz_weights_open_dir(&m->codec_weights, inside, err) : kz_fail_memory(err, strlen(path), "a path");
    kz_free(inside);
    return status;
}

static kztts_status load_stages(kz_model *m, kz_err *err) {
    KZ_TRY(kz_embed_load(&m->embed, &m->cfg, m->weights, m->pool, err));
    KZ_TRY(kz_talker_load(&m->talker, &m->cfg, m->weights, m->pool, err));
    KZ_TRY(kz_predictor_load(&m->predictor, &m->cfg, m->weights, m->pool, err));
    return kz_decoder_load(&m->decoder, &m->cfg.codec, m->codec_weights, m->pool, err);
}

kztts_status kz_codec_pool(kz_pool **out, kz_pool *pool, int n_thread, kz_err *err) {
    if (n_thread == 0 || n_thread == kz_pool_threads(pool)) {
        *out = pool;
        return KZTTS_OK;
    }
    kztts_status status = kz_pool_new(out, n_thread, err);
    if (status == KZTTS_ERROR_ARGUMENT)
        return kz_fail(err, status, "codec_threads: %d is not a number of threads; 0 = as many as the model has",
                       n_thread);
    return status;
}

static kztts_status open_model(kz_model *m, const char *path, const kz_model_options *o, kz_err *err) {
    KZ_TRY(kz_model_kernels(&m->kernels, o->cpu, err));
    KZ_TRY(kz_model_kernels(&m->predictor_kernels, o->predictor_cpu ? o->predictor_cpu : o->cpu, err));
    m->memory = kz_memory_size();
    KZ_TRY(kz_pool_new(&m->pool, o->threads, err));
    KZ_TRY(kz_codec_pool(&m->codec_pool, m->pool, o->codec_threads, err));
    KZ_TRY(open_files(m, path, o->codec, err));
    kz_model_describe(m);
    kz_quant_choice quant;
    KZ_TRY(kz_quant_parse(&quant, o->quant, err));
    m->cfg.talker.quant = quant.talker;
    m->cfg.predictor.quant = quant.predictor;
    kz_weights_watch(m->weights, o->on_panels, o->on_panels_user);
    kz_weights_watch(m->codec_weights, o->on_panels, o->on_panels_user);
    KZ_TRY(load_stages(m, err));
    if (quant.codec_f32 && kz_decoder_type(m->decoder) != KZ_F32)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT,
                       "quant: codec=f32: this model's codec is %s and stays so; leave it out, or say codec=stored",
                       kz_dtype_name(kz_decoder_type(m->decoder)));
    return KZTTS_OK;
}

kztts_status kz_model_open(kz_model *m, const char *path, const kz_model_options *options, kz_err *err) {
    *m = (kz_model){.log = options->log, .log_user = options->log_user};
    double begin = kz_now();
    kztts_status status = open_model(m, path, options, err);
    if (status < 0) {
        kz_model_close(m);
        return status;
    }
    kz_model_log(m, KZTTS_LOG_DEBUG, "opened %s in %.3f s: kernels %s, %d threads", path, kz_now() - begin,
                 m->kernels->name, kz_pool_threads(m->pool));
    return KZTTS_OK;
}

void kz_model_close(kz_model *m) {
    kz_decoder_free(m->decoder);
    kz_predictor_free(&m->predictor);
    kz_talker_free(&m->talker);
    kz_embed_free(&m->embed);
    if (m->codec_weights != m->weights)
        kz_weights_close(m->codec_weights);
    kz_weights_close(m->weights);
    kz_tokenizer_close(m->tokenizer);
    kz_config_free(&m->cfg);
    if (m->codec_pool != m->pool)
        kz_pool_free(m->codec_pool);
    kz_pool_free(m->pool);
    *m = (kz_model){0};
}

size_t kz_model_packed_bytes(const kz_model *m) {
    const kz_predictor *p = &m->predictor;
    size_t n = kz_linear_bytes(&m->embed.fc1) + kz_linear_bytes(&m->embed.fc2) + kz_stack_bytes(&m->talker.stack) +
               kz_linear_bytes(&m->talker.head) + kz_linear_bytes(&p->project) + kz_stack_bytes(&p->stack);
    for (size_t k = 0; k + 1 < p->n_code; k++)
        n += kz_linear_bytes(&p->head[k]);
    return n + kz_decoder_bytes(m->decoder);
}

kz_model_work kz_model_count_work(const kz_model *m) {
    const kz_predictor *p = &m->predictor;
    kz_work talker = {0}, pass = {0}, heads = {0};
    const uint64_t n_pass = p->n_code - 1;
    kz_stack_work(&talker, &m->talker.stack, 1);
    kz_linear_work(&talker, &m->talker.head, 1);
    kz_stack_work(&pass, &p->stack, 1);
    if (p->projected)
        kz_linear_work(&pass, &p->project, 1);
    for (size_t k = 0; k < n_pass; k++)
        kz_linear_work(&heads, &p->head[k], 1);
    return (kz_model_work){.talker = talker,
                           .predictor = {pass.bytes + heads.bytes, pass.products + heads.products},
                           .predictor_frame = {n_pass * pass.bytes + heads.bytes,
                                               (n_pass + 1) * pass.products + heads.products}, /* two rows at first */
                           .codec = kz_decoder_work(m->decoder)};
}
