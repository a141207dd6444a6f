/* parts.c: codec and tokenizer by themselves.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "api/api.h"
#include "gguf/gguf.h"

/* ---- decoder ----------------------------------------------------------------------------------------------- */

struct kztts_decoder {
    kz_codec_config cfg;
    kz_weights *weights;
    kz_pool *pool, *codec_pool; /* that loads, and that decodes */
    const kz_kernels *kernels;
    kz_decoder *decoder;
    kz_decoder_state *state;
    kz_err err;
};

/* Frames decoded together: weights are read once for all of them. */
enum { FRAMES_TOGETHER = 8 };

static kztts_status load_codec(kztts_decoder *d, kztts_decode_mode mode) {
    kz_decode_mode inner = mode == KZTTS_DECODE_REFERENCE ? KZ_DECODE_REFERENCE : KZ_DECODE_CONTINUOUS;
    KZ_TRY(kz_decoder_load(&d->decoder, &d->cfg, d->weights, d->pool, &d->err));
    return kz_decoder_state_new(&d->state, d->decoder, inner, FRAMES_TOGETHER, kz_pool_threads(d->codec_pool), &d->err);
}

static kztts_status open_folder(kztts_decoder *d, const char *dir) {
    KZ_TRY(kz_codec_config_read(&d->cfg, dir, &d->err));
    return kz_weights_open_dir(&d->weights, dir, &d->err);
}

static kztts_status open_codec(kztts_decoder *d, const char *path, const char *codec) {
    if (!kz_file_exists(path))
        return kz_fail(&d->err, KZTTS_ERROR_NOT_FOUND, "%s: no such model directory or file", path);
    if (kz_prepared_is(path)) {
        KZ_TRY(kz_prepared_open(&d->weights, path, &d->err));
        return kz_codec_config_prepared(&d->cfg, d->weights, &d->err);
    }
    if (kz_gguf_is(path))
        return kz_codec_open_gguf(&d->cfg, &d->weights, path, codec, &d->err);
    char *inside = kz_path_join(path, "speech_tokenizer");
    if (!inside)
        return kz_fail_memory(&d->err, strlen(path), "a path");
    bool is_model = kz_file_exists(inside);
    kztts_status status = open_folder(d, is_model ? inside : path);
    kz_free(inside);
    if (status == KZTTS_ERROR_FORMAT && !is_model && !d->weights) /* its settings are no codec's */
        return kz_fail(&d->err, KZTTS_ERROR_NOT_FOUND,
                       "%s: no codec: there is no folder speech_tokenizer, and it is no codec's folder itself", path);
    return status;
}

static kztts_status open_decoder(kztts_decoder *d, const char *path, kztts_decode_mode mode,
                                 const kztts_model_options *options) {
    kztts_model_options o;
    if (!path || !*path || mode < KZTTS_DECODE_CONTINUOUS || mode > KZTTS_DECODE_REFERENCE)
        return kz_fail(&d->err, KZTTS_ERROR_ARGUMENT, "kztts_decoder_open: no path or an unknown mode");
    KZ_TRY(kz_api_model_options(&o, options, &d->err));
    KZ_TRY(kz_model_kernels(&d->kernels, o.cpu, &d->err));
    KZ_TRY(kz_pool_new(&d->pool, o.threads, &d->err));
    KZ_TRY(kz_codec_pool(&d->codec_pool, d->pool, o.codec_threads, &d->err));
    KZ_TRY(open_codec(d, path, o.codec));
    return load_codec(d, mode);
}

kztts_status kztts_decoder_open(kztts_decoder **out, const char *path, kztts_decode_mode mode,
                                const kztts_model_options *options) {
    if (!out)
        return KZTTS_ERROR_ARGUMENT;
    kztts_decoder *d = *out = kz_alloc(1, sizeof *d);
    return d ? open_decoder(d, path, mode, options) : KZTTS_ERROR_MEMORY;
}

kztts_status kztts_decoder_get_info(const kztts_decoder *decoder, kztts_model_info *info) {
    if (!decoder || !decoder->state || !info)
        return KZTTS_ERROR_ARGUMENT;
    kztts_model_info own = {.type = "codec",
                            .model_size = "",
                            .cpu = decoder->kernels->name,
                            .threads = kz_pool_threads(decoder->pool),
                            .codec_threads = kz_pool_threads(decoder->codec_pool),
                            .weight_bytes = kz_weights_bytes(decoder->weights),
                            .stream_bytes = kz_decoder_state_bytes(decoder->state),
                            .talker_weights = "",
                            .predictor_weights = "",
                            .codec_weights = kz_dtype_name(kz_decoder_type(decoder->decoder)),
                            .kind = "",
                            .format = "",
                            .weight_types = "",
                            .tokenizer = ""};
    kz_api_codec_info(&own, &decoder->cfg);
    return kz_api_put_info(info, &own);
}

static kztts_status check_codes(kztts_decoder *d, const int32_t *codes, size_t n_frame) {
    size_t n_code = d->cfg.n_code;
    for (size_t f = 0; f < n_frame; f++)
        for (size_t k = 0; k < n_code; k++) {
            int32_t code = codes[f * n_code + k];
            if (code < 0 || (size_t)code >= d->cfg.codebook_size)
                return kz_fail(&d->err, KZTTS_ERROR_ARGUMENT, "frame %zu, group %zu: code %d is not from 0 to %zu", f,
                               k, code, d->cfg.codebook_size - 1);
        }
    return KZTTS_OK;
}

kztts_status kztts_decoder_run(kztts_decoder *decoder, const int32_t *codes, size_t n_frame, float *pcm) {
    if (!decoder || !decoder->state || (n_frame && (!codes || !pcm)))
        return KZTTS_ERROR_ARGUMENT;
    KZ_TRY(check_codes(decoder, codes, n_frame));
    kz_ctx ctx = {.k = decoder->kernels, .pool = decoder->codec_pool};
    kz_decoder_run(&ctx, decoder->decoder, decoder->state, codes, n_frame, pcm);
    return KZTTS_OK;
}

void kztts_decoder_restart(kztts_decoder *decoder) {
    if (decoder && decoder->state)
        kz_decoder_reset(decoder->state);
}

const char *kztts_decoder_message(const kztts_decoder *decoder) { return decoder ? decoder->err.message : ""; }

void kztts_decoder_close(kztts_decoder **decoder) {
    if (!decoder || !*decoder)
        return;
    kz_decoder_state_free((*decoder)->state);
    kz_decoder_free((*decoder)->decoder);
    kz_weights_close((*decoder)->weights);
    if ((*decoder)->codec_pool != (*decoder)->pool)
        kz_pool_free((*decoder)->codec_pool);
    kz_pool_free((*decoder)->pool);
    kz_free(*decoder);
    *decoder = NULL;
}

/* ---- tokenizer --------------------------------------------------------------------------------------------- */

struct kztts_tokenizer {
    kz_tokenizer *tok;
    kz_err err;
};

static kztts_status open_prepared(kztts_tokenizer *t, const char *path, kz_pattern pattern) {
    kz_weights *w;
    KZ_TRY(kz_prepared_open(&w, path, &t->err));
    kztts_status status = kz_tokenizer_prepared(&t->tok, w, path, pattern, &t->err);
    kz_weights_close(w);
    return status;
}

kztts_status kztts_tokenizer_open(kztts_tokenizer **out, const char *path, kztts_pattern pattern) {
    if (!out)
        return KZTTS_ERROR_ARGUMENT;
    kztts_tokenizer *t = *out = kz_alloc(1, sizeof *t);
    if (!t)
        return KZTTS_ERROR_MEMORY;
    if (!path || !*path || pattern < KZTTS_PATTERN_NATIVE || pattern > KZTTS_PATTERN_MISTRAL)
        return kz_fail(&t->err, KZTTS_ERROR_ARGUMENT, "kztts_tokenizer_open: no path or an unknown pattern");
    kz_pattern inner = pattern == KZTTS_PATTERN_MISTRAL ? KZ_PATTERN_MISTRAL : KZ_PATTERN_NATIVE;
    if (kz_prepared_is(path))
        return open_prepared(t, path, inner);
    return kz_gguf_is(path) ? kz_tokenizer_gguf(&t->tok, path, inner, &t->err)
                            : kz_tokenizer_open(&t->tok, path, inner, &t->err);
}

kztts_status kztts_tokenizer_encode(kztts_tokenizer *tokenizer, const char *text, size_t n, int special, int32_t **ids,
                                    size_t *n_id) {
    kz_ids list = {0};
    if (ids)
        *ids = NULL;
    if (!tokenizer || !tokenizer->tok || (!text && n) || !ids || !n_id)
        return KZTTS_ERROR_ARGUMENT;
    *n_id = 0;
    kztts_status status = kz_tokenizer_encode(tokenizer->tok, text, n, special != 0, &list, &tokenizer->err);
    if (status < 0) {
        kz_ids_free(&list);
        return status;
    }
    *ids = list.id;
    *n_id = list.n;
    return KZTTS_OK;
}

const char *kztts_tokenizer_message(const kztts_tokenizer *tokenizer) {
    return tokenizer ? tokenizer->err.message : "";
}

void kztts_tokenizer_close(kztts_tokenizer **tokenizer) {
    if (!tokenizer || !*tokenizer)
        return;
    kz_tokenizer_close((*tokenizer)->tok);
    kz_free(*tokenizer);
    *tokenizer = NULL;
}
