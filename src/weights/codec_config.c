/* codec_config.c: speech_tokenizer/config.json.  SPDX-License-Identifier: Apache-2.0 */
#include "weights/config.h"
#include "weights/settings.h"

enum { MAX_WIDTH = 65536, MAX_CODEBOOK = 1 << 20, MAX_WINDOW = 65536, MAX_RATE = 64, MAX_FRAME = 1 << 16 };

/* All rates multiply to the samples of a frame. */
static kztts_status count_frame(const kz_settings *s, kz_codec_config *c) {
    size_t n = 1;
    for (size_t i = 0; i < c->n_upsample + c->n_block; i++) {
        n *= i < c->n_upsample ? c->upsample[i] : c->block_rate[i - c->n_upsample];
        if (n > MAX_FRAME)
            return kz_fail(s->err, KZTTS_ERROR_FORMAT,
                           "%s: %supsampling_ratios and upsample_rates multiply to more than %d samples a frame",
                           s->file, s->path, MAX_FRAME);
    }
    c->frame_samples = n;
    return KZTTS_OK;
}

/* A codebook row is half of codebook_dim; every block halves the decoder's channels. */
static kztts_status check_widths(const kz_settings *s, const kz_codec_config *c) {
    if (c->d_codebook % 2)
        return kz_fail(s->err, KZTTS_ERROR_FORMAT, "%s: %scodebook_dim: expected an even number, found %zu", s->file,
                       s->path, c->d_codebook);
    if (c->d_decoder % ((size_t)1 << c->n_block))
        return kz_fail(s->err, KZTTS_ERROR_FORMAT,
                       "%s: %sdecoder_dim: expected a multiple of %zu (halved in each of %zu blocks), found %zu",
                       s->file, s->path, (size_t)1 << c->n_block, c->n_block, c->d_decoder);
    return KZTTS_OK;
}

static kztts_status read_decoder(const kz_settings *s, kz_codec_config *c) {
    KZ_TRY(kz_settings_stack(s, &c->transformer));
    KZ_TRY(kz_settings_size(s, "sliding_window", 1, MAX_WINDOW, KZ_REQUIRED, &c->transformer.window));
    c->transformer.layer_scale = true;
    KZ_TRY(kz_settings_size(s, "num_quantizers", 2, KZ_MAX_CODE, KZ_REQUIRED, &c->n_code));
    KZ_TRY(kz_settings_expect_size(s, "num_semantic_quantizers", KZ_OPTIONAL, 1, "the first code alone is semantic"));
    KZ_TRY(kz_settings_size(s, "codebook_size", 1, MAX_CODEBOOK, KZ_REQUIRED, &c->codebook_size));
    KZ_TRY(kz_settings_size(s, "codebook_dim", 2, MAX_WIDTH, KZ_REQUIRED, &c->d_codebook));
    KZ_TRY(kz_settings_size(s, "latent_dim", 1, MAX_WIDTH, KZ_REQUIRED, &c->d_latent));
    KZ_TRY(kz_settings_size(s, "decoder_dim", 1, MAX_WIDTH, KZ_REQUIRED, &c->d_decoder));
    KZ_TRY(kz_settings_sizes(s, "upsampling_ratios", 1, MAX_RATE, KZ_MAX_STAGE, c->upsample, &c->n_upsample));
    KZ_TRY(kz_settings_sizes(s, "upsample_rates", 1, MAX_RATE, KZ_MAX_STAGE, c->block_rate, &c->n_block));
    KZ_TRY(check_widths(s, c));
    return count_frame(s, c);
}

static kztts_status read_codec(const kz_settings *s, kz_codec_config *c) {
    kz_settings decoder;
    KZ_TRY(kz_settings_expect(s, "model_type", KZ_REQUIRED, "qwen3_tts_tokenizer_12hz"));
    KZ_TRY(kz_settings_int(s, "output_sample_rate", 1000, 768000, KZ_REQUIRED, &c->sample_rate));
    KZ_TRY(kz_settings_child(&decoder, s, "decoder_config", "decoder_config.", KZ_REQUIRED));
    KZ_TRY(read_decoder(&decoder, c));
    KZ_TRY(kz_settings_expect_size(s, "decode_upsample_rate", KZ_REQUIRED, c->frame_samples,
                                   "the product of upsampling_ratios and upsample_rates"));
    KZ_TRY(kz_settings_expect_size(s, "encode_downsample_rate", KZ_OPTIONAL, c->frame_samples,
                                   "the product of upsampling_ratios and upsample_rates"));
    return kz_settings_expect_size(s, "encoder_valid_num_quantizers", KZ_OPTIONAL, c->n_code,
                                   "decoder_config.num_quantizers");
}

kztts_status kz_codec_parse(kz_codec_config *out, kz_encoder_config *encoder, const kz_text_file *file, kz_err *err) {
    const char *label = file->label ? file->label : "speech_tokenizer/config.json";
    cJSON *json;
    *out = (kz_codec_config){0};
    KZ_TRY(kz_json_parse(&json, file->text, file->n, KZ_JSON_SETTINGS, label, err));
    kz_settings s = {.json = json, .file = label, .path = "", .err = err};
    kztts_status status = read_codec(&s, out);
    if (status >= 0 && encoder)
        status = kz_encoder_read(&s, out, encoder);
    cJSON_Delete(json);
    return status;
}

kztts_status kz_codec_config_parse(kz_codec_config *out, const kz_text_file *codec, kz_err *err) {
    return kz_codec_parse(out, NULL, codec, err);
}
