/* cloning_config.c: settings of the encoders that clone a voice.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "weights/config.h"
#include "weights/settings.h"

enum { MAX_WIDTH = 16384, MAX_CODEBOOK = 1 << 20, MAX_RATE = 64, MAX_TAP = 64, MAX_GROUP = 16, MEL_RATE = 24000 };

/* `false` instead of an object: the file was made without this encoder. */
static kztts_status left_out(const kz_settings *s, const char *key, bool *out) {
    const cJSON *found;
    KZ_TRY(kz_settings_find(s, key, &found));
    *out = cJSON_IsFalse(found);
    return KZTTS_OK;
}

/* ---- speaker encoder --------------------------------------------------------------------------------------- */

/* A list of exactly KZ_SPEAKER_BLOCKS values; absent: what `out` holds. */
static kztts_status read_five(const kz_settings *s, const char *key, size_t max, size_t *out) {
    const cJSON *found;
    size_t n = 0, values[KZ_SPEAKER_BLOCKS];
    KZ_TRY(kz_settings_find(s, key, &found));
    if (!found)
        return KZTTS_OK;
    KZ_TRY(kz_settings_sizes(s, key, 1, max, KZ_SPEAKER_BLOCKS, values, &n));
    if (n != KZ_SPEAKER_BLOCKS)
        return kz_settings_fail(s, key, "a list of 5 integers", found);
    memcpy(out, values, sizeof values);
    return KZTTS_OK;
}

static kztts_status check_blocks(const kz_settings *s, const kz_speaker_config *c) {
    size_t last = KZ_SPEAKER_BLOCKS - 1;
    for (size_t i = 0; i < last; i++) {
        bool inner = i > 0;
        if (c->kernel[i] % 2 == 0)
            return kz_fail(s->err, KZTTS_ERROR_FORMAT, "%s: %senc_kernel_sizes: expected odd numbers, found %zu",
                           s->file, s->path, c->kernel[i]);
        if (inner && (c->channel[i] % c->n_group || c->channel[i] != c->channel[0]))
            return kz_fail(s->err, KZTTS_ERROR_FORMAT,
                           "%s: %senc_channels: expected equal widths divisible by %zu groups, found %zu", s->file,
                           s->path, c->n_group, c->channel[i]);
    }
    if (c->kernel[last] != 1 || c->dilation[last] != 1)
        return kz_fail(s->err, KZTTS_ERROR_FORMAT, "%s: %senc_kernel_sizes: expected 1 for the last block, found %zu",
                       s->file, s->path, c->kernel[last]);
    return KZTTS_OK;
}

kztts_status kz_speaker_read(const kz_settings *model, size_t d_model, kz_speaker_config *c) {
    static const kz_speaker_config released = {.n_mel = 128,
                                               .channel = {512, 512, 512, 512, 1536},
                                               .kernel = {5, 3, 3, 3, 1},
                                               .dilation = {1, 2, 3, 4, 1},
                                               .d_attention = 128,
                                               .n_group = 8,
                                               .d_squeeze = 128};
    kz_settings s;
    bool none;
    *c = (kz_speaker_config){0};
    KZ_TRY(left_out(model, "speaker_encoder_config", &none));
    if (none)
        return KZTTS_OK;
    *c = released;
    KZ_TRY(kz_settings_child(&s, model, "speaker_encoder_config", "speaker_encoder_config.", KZ_REQUIRED));
    KZ_TRY(kz_settings_expect_size(&s, "enc_dim", KZ_REQUIRED, d_model, "talker_config.hidden_size"));
    c->d_out = d_model;
    KZ_TRY(kz_settings_int(&s, "sample_rate", MEL_RATE, MEL_RATE, KZ_REQUIRED, &c->sample_rate));
    KZ_TRY(kz_settings_size(&s, "mel_dim", 1, MAX_WIDTH, KZ_OPTIONAL, &c->n_mel));
    KZ_TRY(read_five(&s, "enc_channels", MAX_WIDTH, c->channel));
    KZ_TRY(read_five(&s, "enc_kernel_sizes", MAX_TAP, c->kernel));
    KZ_TRY(read_five(&s, "enc_dilations", MAX_TAP, c->dilation));
    KZ_TRY(kz_settings_size(&s, "enc_attention_channels", 1, MAX_WIDTH, KZ_OPTIONAL, &c->d_attention));
    KZ_TRY(kz_settings_size(&s, "enc_res2net_scale", 2, MAX_GROUP, KZ_OPTIONAL, &c->n_group));
    KZ_TRY(kz_settings_size(&s, "enc_se_channels", 1, MAX_WIDTH, KZ_OPTIONAL, &c->d_squeeze));
    return check_blocks(&s, c);
}

/* ---- codec encoder ----------------------------------------------------------------------------------------- */

/* Its transformer has other keys than the others, and LayerNorm. `sliding_window` has no effect in the official
 * program. */
static kztts_status read_transformer(const kz_settings *s, kz_stack_config *c) {
    KZ_TRY(kz_settings_size(s, "num_hidden_layers", 1, 512, KZ_REQUIRED, &c->n_layer));
    KZ_TRY(kz_settings_size(s, "hidden_size", 1, MAX_WIDTH, KZ_REQUIRED, &c->d_model));
    KZ_TRY(kz_settings_size(s, "intermediate_size", 1, 4 * MAX_WIDTH, KZ_REQUIRED, &c->d_ff));
    KZ_TRY(kz_settings_size(s, "num_attention_heads", 1, 1024, KZ_REQUIRED, &c->n_head));
    KZ_TRY(kz_settings_expect_size(s, "num_key_value_heads", KZ_OPTIONAL, c->n_head, "num_attention_heads"));
    KZ_TRY(kz_settings_size(s, "head_dim", 2, 1024, KZ_REQUIRED, &c->d_head));
    KZ_TRY(kz_settings_float(s, "norm_eps", 1e-20, 1, KZ_REQUIRED, &c->rms_eps));
    KZ_TRY(kz_settings_float(s, "rope_theta", 1, 1e12, KZ_REQUIRED, &c->rope_theta));
    KZ_TRY(kz_settings_expect(s, "hidden_act", KZ_OPTIONAL, "gelu"));
    KZ_TRY(kz_settings_expect_false(s, "attention_bias"));
    c->n_kv = c->n_head;
    c->layer_scale = c->layer_norm = c->plain_mlp = true;
    if (c->d_head % 2)
        return kz_fail(s->err, KZTTS_ERROR_FORMAT, "%s: %shead_dim: expected an even number, found %zu", s->file,
                       s->path, c->d_head);
    return KZTTS_OK;
}

/* Rates are listed last first. */
static kztts_status read_rates(const kz_settings *s, kz_encoder_config *c) {
    size_t listed[KZ_MAX_STAGE], n = 2; /* the last halving */
    KZ_TRY(kz_settings_sizes(s, "upsampling_ratios", 1, MAX_RATE, KZ_MAX_STAGE, listed, &c->n_rate));
    for (size_t i = 0; i < c->n_rate; i++) {
        c->rate[i] = listed[c->n_rate - 1 - i];
        if (n <= c->frame_samples) /* beyond it the product is wrong already, and might overflow */
            n *= c->rate[i];
    }
    if (n != c->frame_samples)
        return kz_fail(s->err, KZTTS_ERROR_FORMAT,
                       "%s: %supsampling_ratios: twice their product must be the %zu samples of a frame", s->file,
                       s->path, c->frame_samples);
    return KZTTS_OK;
}

kztts_status kz_encoder_read(const kz_settings *codec_file, const kz_codec_config *codec, kz_encoder_config *c) {
    kz_settings s;
    bool none;
    *c = (kz_encoder_config){0};
    KZ_TRY(left_out(codec_file, "encoder_config", &none));
    if (none)
        return KZTTS_OK;
    *c = (kz_encoder_config){
        .n_code = codec->n_code, .codebook_size = codec->codebook_size, .frame_samples = codec->frame_samples};
    KZ_TRY(kz_settings_child(&s, codec_file, "encoder_config", "encoder_config.", KZ_REQUIRED));
    KZ_TRY(read_transformer(&s, &c->transformer));
    KZ_TRY(read_rates(&s, c));
    KZ_TRY(kz_settings_size(&s, "num_filters", 1, MAX_WIDTH >> KZ_MAX_STAGE, KZ_REQUIRED, &c->n_filter));
    KZ_TRY(kz_settings_size(&s, "compress", 1, c->n_filter, KZ_REQUIRED, &c->compress));
    KZ_TRY(kz_settings_size(&s, "kernel_size", 1, MAX_TAP, KZ_REQUIRED, &c->kernel));
    KZ_TRY(kz_settings_size(&s, "last_kernel_size", 1, MAX_TAP, KZ_REQUIRED, &c->last_kernel));
    KZ_TRY(kz_settings_size(&s, "residual_kernel_size", 1, MAX_TAP, KZ_REQUIRED, &c->residual_kernel));
    KZ_TRY(kz_settings_expect_size(&s, "num_residual_layers", KZ_OPTIONAL, 1, "one residual unit a stage"));
    KZ_TRY(kz_settings_expect(&s, "pad_mode", KZ_OPTIONAL, "constant"));
    KZ_TRY(kz_settings_expect_false(&s, "use_conv_shortcut"));
    KZ_TRY(kz_settings_expect_size(&s, "audio_channels", KZ_OPTIONAL, 1, "mono"));
    KZ_TRY(kz_settings_expect_size(&s, "num_semantic_quantizers", KZ_OPTIONAL, 1, "the first code alone is semantic"));
    KZ_TRY(kz_settings_int(&s, "sampling_rate", 1000, 768000, KZ_REQUIRED, &c->sample_rate));
    KZ_TRY(kz_settings_size(&s, "codebook_dim", 1, MAX_WIDTH, KZ_REQUIRED, &c->d_codebook));
    return kz_settings_expect_size(&s, "codebook_size", KZ_REQUIRED, codec->codebook_size,
                                   "decoder_config.codebook_size");
}
