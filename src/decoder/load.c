/* load.c: the decoder from its tensors.  SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "decoder/parts.h"

/* ---- settings ---------------------------------------------------------------------------------------------- */

static kztts_status bad_setting(kz_err *err, const char *key, size_t found, const char *expected) {
    return kz_fail(err, KZTTS_ERROR_FORMAT,
                   "speech_tokenizer/config.json: decoder_config.%s is %zu, expected %s; get the file again", key,
                   found, expected);
}

static kztts_status check_rates(const kz_codec_config *cfg, kz_err *err) {
    if (cfg->n_upsample > KZ_MAX_STAGE)
        return bad_setting(err, "upsampling_ratios (count)", cfg->n_upsample, "at most 8");
    if (cfg->n_block > KZ_MAX_STAGE)
        return bad_setting(err, "upsample_rates (count)", cfg->n_block, "at most 8");
    size_t product = 1;
    bool fits = true;
    for (size_t i = 0; i < cfg->n_upsample; i++)
        fits = fits && kz_mul(product, cfg->upsample[i], &product);
    for (size_t i = 0; i < cfg->n_block; i++)
        fits = fits && kz_mul(product, cfg->block_rate[i], &product);
    if (fits && product > KZ_MAX_SAMPLES)
        return bad_setting(err, "upsample_rates (product)", product, "at most 1048576 samples a frame");
    if (!fits || product == 0 || product != cfg->frame_samples)
        return bad_setting(err, "upsample_rates (product)", fits ? product : 0, "the samples of a frame");
    return KZTTS_OK;
}

static kztts_status check_config(const kz_codec_config *cfg, kz_err *err) {
    if (cfg->n_code < 1 || cfg->n_code > KZ_MAX_CODE)
        return bad_setting(err, "num_quantizers", cfg->n_code, "1 to 64");
    if (cfg->codebook_size < 1 || cfg->codebook_size > INT32_MAX)
        return bad_setting(err, "codebook_size", cfg->codebook_size, "1 to 2147483647");
    if (cfg->d_codebook < 2 || cfg->d_codebook % 2 != 0)
        return bad_setting(err, "codebook_dim", cfg->d_codebook, "an even number");
    if (cfg->d_latent < 1)
        return bad_setting(err, "latent_dim", cfg->d_latent, "at least 1");
    KZ_TRY(check_rates(cfg, err));
    if (cfg->d_decoder >> cfg->n_block == 0)
        return bad_setting(err, "decoder_dim", cfg->d_decoder, "at least 2 to the power of the number of blocks");
    if (cfg->transformer.window < 1 || cfg->transformer.window > KZ_MAX_WINDOW)
        return bad_setting(err, "sliding_window", cfg->transformer.window, "1 to 65536");
    return KZTTS_OK;
}

/* ---- parts ------------------------------------------------------------------------------------------------- */

/* A code's row is its embedding sum over how often it was used. */
static kztts_status divide_rows(float *rows, const kz_weights *w, const char *prefix, size_t n, size_t n_col,
                                kz_err *err) {
    float *usage = NULL;
    KZ_TRY(kz_weights_copy(&usage, w, kz_namef("%s.cluster_usage", prefix).s, 1, &n, err));
    bool ok = true;
    for (size_t k = 0; k < n; k++) {
        const float count = fmaxf(usage[k], 1e-5f);
        for (size_t c = 0; c < n_col; c++) {
            rows[k * n_col + c] /= count;
            ok = ok && isfinite(rows[k * n_col + c]);
        }
    }
    kz_free(usage);
    if (!ok)
        return kz_fail(err, KZTTS_ERROR_FORMAT,
                       "tensor %s.embedding_sum: a value over its cluster_usage isn't finite; the file is damaged, get "
                       "it again",
                       prefix);
    return KZTTS_OK;
}

/* Some files hold the rows divided already. */
static kztts_status codebook_load(kz_decoder *d, const kz_weights *w, size_t code, kz_err *err) {
    kz_name prefix = code == 0 ? kz_namef("decoder.quantizer.rvq_first.vq.layers.0._codebook")
                               : kz_namef("decoder.quantizer.rvq_rest.vq.layers.%zu._codebook", code - 1);
    const size_t shape[2] = {d->cfg.codebook_size, d->d_row};
    kz_name divided = kz_namef("%s.divided", prefix.s);
    if (kz_weights_find(w, divided.s))
        return kz_weights_copy(&d->codebook[code], w, divided.s, 2, shape, err);
    KZ_TRY(kz_weights_copy(&d->codebook[code], w, kz_namef("%s.embedding_sum", prefix.s).s, 2, shape, err));
    return divide_rows(d->codebook[code], w, prefix.s, shape[0], shape[1], err);
}

static kztts_status rvq_load(kz_decoder *d, const kz_weights *w, kz_pool *pool, kz_err *err) {
    for (size_t code = 0; code < d->cfg.n_code; code++)
        KZ_TRY(codebook_load(d, w, code, err));

    kz_linear_spec spec = {.part[0] = {"decoder.quantizer.rvq_first.output_proj.weight", d->cfg.d_codebook},
                           .n_part = 1,
                           .n_in = d->d_row,
                           .conv1 = true};
    KZ_TRY(kz_linear_load(&d->first_proj, w, &spec, pool, err));
    if (d->cfg.n_code == 1)
        return KZTTS_OK;
    spec.part[0].weight = "decoder.quantizer.rvq_rest.output_proj.weight";
    return kz_linear_load(&d->rest_proj, w, &spec, pool, err);
}

static kztts_status transformer_load(kz_decoder *d, const kz_weights *w, kz_pool *pool, kz_err *err) {
    const size_t d_model = d->cfg.transformer.d_model, d_latent = d->cfg.d_latent;
    kz_linear_spec spec = {.part[0] = {"decoder.pre_transformer.input_proj.weight", d_model},
                           .n_part = 1,
                           .n_in = d_latent,
                           .bias = "decoder.pre_transformer.input_proj.bias"};
    KZ_TRY(kz_linear_load(&d->input_proj, w, &spec, pool, err));

    kz_stack_config cfg = d->cfg.transformer;
    cfg.qk_norm = false;
    cfg.layer_scale = true;
    KZ_TRY(kz_stack_load(&d->stack, &cfg, w, "decoder.pre_transformer", pool, err));

    spec = (kz_linear_spec){.part[0] = {"decoder.pre_transformer.output_proj.weight", d_latent},
                            .n_part = 1,
                            .n_in = d_model,
                            .bias = "decoder.pre_transformer.output_proj.bias"};
    return kz_linear_load(&d->output_proj, w, &spec, pool, err);
}

static kztts_status vocoder_load(kz_decoder *d, const kz_weights *w, kz_pool *pool, kz_err *err) {
    const kz_codec_config *cfg = &d->cfg;
    KZ_TRY(
        kz_conv_load(&d->conv0, w, "decoder.decoder.0.conv", cfg->d_decoder, cfg->d_latent, KZ_WIDE_TAP, 1, pool, err));
    for (size_t i = 0; i < cfg->n_block && i < KZ_MAX_STAGE; i++) {
        kz_block *block = &d->block[i];
        block->n_in = cfg->d_decoder >> i;
        block->n_out = cfg->d_decoder >> (i + 1);
        block->rate = cfg->block_rate[i];
        KZ_TRY(kz_block_load(block, w, i + 1, pool, err));
    }
    d->d_last = cfg->d_decoder >> cfg->n_block;
    KZ_TRY(kz_snake_load(&d->last, w, kz_namef("decoder.decoder.%zu", cfg->n_block + 1).s, d->d_last, err));
    return kz_conv_load(&d->final, w, kz_namef("decoder.decoder.%zu.conv", cfg->n_block + 2).s, 1, d->d_last,
                        KZ_WIDE_TAP, 1, pool, err);
}

static kztts_status parts_load(kz_decoder *d, const kz_weights *w, kz_pool *pool, kz_err *err) {
    const kz_codec_config *cfg = &d->cfg;
    KZ_TRY(check_config(cfg, err));
    d->d_row = cfg->d_codebook / 2;
    KZ_TRY(rvq_load(d, w, pool, err));
    KZ_TRY(kz_conv_load(&d->pre_conv, w, "decoder.pre_conv.conv", cfg->d_latent, cfg->d_codebook, KZ_PRE_TAP, 1, pool,
                        err));
    KZ_TRY(transformer_load(d, w, pool, err));
    for (size_t i = 0; i < cfg->n_upsample && i < KZ_MAX_STAGE; i++)
        KZ_TRY(kz_upsample_load(&d->upsample[i], w, i, cfg->d_latent, cfg->upsample[i], pool, err));
    return vocoder_load(d, w, pool, err);
}

/* ---- the whole --------------------------------------------------------------------------------------------- */

kztts_status kz_decoder_load(kz_decoder **out, const kz_codec_config *cfg, const kz_weights *w, kz_pool *pool,
                             kz_err *err) {
    *out = NULL;
    kz_decoder *d = kz_alloc(1, sizeof *d);
    if (!d)
        return kz_fail_memory(err, sizeof *d, "codec decoder");
    d->cfg = *cfg;
    kztts_status status = parts_load(d, w, pool, err);
    if (status < 0) {
        kz_decoder_free(d);
        return status;
    }
    *out = d;
    return KZTTS_OK;
}

void kz_decoder_free(kz_decoder *d) {
    if (!d)
        return;
    for (size_t i = 0; i < KZ_MAX_CODE; i++)
        kz_free(d->codebook[i]);
    kz_linear_free(&d->first_proj);
    kz_linear_free(&d->rest_proj);
    kz_conv_free(&d->pre_conv);
    kz_linear_free(&d->input_proj);
    kz_linear_free(&d->output_proj);
    kz_stack_free(&d->stack);
    for (size_t i = 0; i < KZ_MAX_STAGE; i++)
        kz_upsample_free(&d->upsample[i]);
    kz_conv_free(&d->conv0);
    for (size_t i = 0; i < KZ_MAX_STAGE; i++)
        kz_block_free(&d->block[i]);
    kz_snake_free(&d->last);
    kz_conv_free(&d->final);
    kz_free(d);
}
