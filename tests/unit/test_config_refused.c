/* test_config_refused.c: settings that must not be taken.  SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config_files.h"

#define TALKER "talker_config"
#define PREDICTOR "code_predictor_config"
#define DECODER "decoder_config"
#define ENCODER "encoder_config"

static const struct bad_row {
    int file;
    const char *after, *from, *to, *fragment;
} bad_rows[] = {
    /* the file */
    {CONFIG, NULL, "{", "", "config.json: not usable JSON at byte 12"},
    {CONFIG, NULL, "{", "[{", "config.json: not usable JSON"},
    {CONFIG, NULL, "{\"model_type\"", "{\"a\": 1e999, \"model_type\": 1, \"model_type\"", "model_type is there twice"},
    {CONFIG, NULL, NULL, "[]", "config.json: expected a JSON object, found a list"},
    {GENERATION, NULL, NULL, "7", "generation_config.json: expected a JSON object, found 7"},
    {CODEC, NULL, NULL, "\"\"", "speech_tokenizer/config.json: expected a JSON object, found \"\""},
    {GENERATION, NULL, "}", "", "generation_config.json: not usable JSON"},
    {CODEC, NULL, "}}\n", "", "speech_tokenizer/config.json: not usable JSON"},
    /* kind of model */
    {CONFIG, NULL, "\"qwen3_tts\"", "\"llama\"", "config.json: model_type: expected \"qwen3_tts\", found \"llama\""},
    {CONFIG, NULL, "\"model_type\": \"qwen3_tts\", ", "", "model_type: expected \"qwen3_tts\", found nothing"},
    {CONFIG, NULL, "qwen3_tts_tokenizer_12hz", "qwen3_tts_tokenizer_25hz",
     "tokenizer_type: expected \"qwen3_tts_tokenizer_12hz\", found \"qwen3_tts_tokenizer_25hz\""},
    {CONFIG, NULL, "\"custom_voice\"", "\"Base\"",
     "tts_model_type: expected \"custom_voice\", \"voice_design\" or \"base\", found \"Base\""},
    {CONFIG, NULL, "\"custom_voice\"", "3", "tts_model_type: expected a string, found 3"},
    {CONFIG, NULL, "\"1b7\"", "\"\"", "tts_model_size: expected 1 to 15 printable bytes"},
    {CONFIG, NULL, "\"1b7\"", "\"1234567890123456\"", "tts_model_size: expected 1 to 15"},
    {CONFIG, NULL, "\"1b7\"", "\"\\u001b[0m\"", "tts_model_size: expected 1 to 15 printable bytes, found \"?[0m\""},
    {CONFIG, NULL, "\"1b7\"", "null", "tts_model_size: expected a string, found null"},
    {CONFIG, NULL, "\"talker_config\"", "\"talker\"", "talker_config: expected an object, found nothing"},
    {CONFIG, NULL, "\"code_predictor_config\"", "\"x\": 1, \"code_predictor_config\": 2, \"y\"",
     "talker_config.code_predictor_config: expected an object, found 2"},
    /* sizes */
    {CONFIG, TALKER, "\"num_hidden_layers\": 7", "\"num_hidden_layers\": \"x\"",
     "config.json: talker_config.num_hidden_layers: expected an integer from 1 to 512, found \"x\""},
    {CONFIG, TALKER, "\"num_hidden_layers\": 7", "\"num_hidden_layers\": 0",
     "talker_config.num_hidden_layers: expected an integer from 1 to 512, found 0"},
    {CONFIG, TALKER, "\"num_hidden_layers\": 7", "\"num_hidden_layers\": 513", "found 513"},
    {CONFIG, TALKER, "\"num_hidden_layers\": 7", "\"num_hidden_layers\": 1.5", "found 1.5"},
    {CONFIG, TALKER, "\"num_hidden_layers\": 7", "\"num_hidden_layers\": -7", "found -7"},
    {CONFIG, TALKER, "\"num_hidden_layers\": 7", "\"num_hidden_layers\": 1e300", "found 1.0000000000000001e+300"},
    {CONFIG, TALKER, "\"num_hidden_layers\": 7", "\"num_hidden_layers\": true", "found true"},
    {CONFIG, TALKER, "\"num_hidden_layers\": 7, ", "",
     "talker_config.num_hidden_layers: expected an integer from 1 to 512, found nothing"},
    {CONFIG, TALKER, "\"hidden_size\": 96", "\"hidden_size\": 65537",
     "talker_config.hidden_size: expected an integer from 1 to 65536"},
    {CONFIG, TALKER, "\"hidden_size\": 96", "\"hidden_size\": 96, \"hidden_size\": 96",
     "talker_config.hidden_size is there twice"},
    {CONFIG, TALKER, "\"intermediate_size\": 192", "\"intermediate_size\": 262145", "talker_config.intermediate_size"},
    {CONFIG, TALKER, "\"num_attention_heads\": 6", "\"num_attention_heads\": 7",
     "talker_config.num_attention_heads must be a multiple of num_key_value_heads (num_attention_heads 7, "
     "num_key_value_heads 3, head_dim 32)"},
    {CONFIG, TALKER, "\"num_key_value_heads\": 3", "\"num_key_value_heads\": 0",
     "talker_config.num_key_value_heads: expected an integer from 1"},
    {CONFIG, TALKER, "\"num_key_value_heads\": 3", "\"num_key_value_heads\": 12",
     "must be a multiple of num_key_value_heads"},
    {CONFIG, TALKER, "\"head_dim\": 32", "\"head_dim\": 31", "talker_config.head_dim must be even"},
    {CONFIG, TALKER, "\"num_attention_heads\": 6", "\"num_attention_heads\": 1023, \"head_dim\": 1024, \"x\": 6",
     "talker_config.head_dim is there twice"},
    {CONFIG, TALKER, "6,\n  \"num_key_value_heads\": 3, \"head_dim\": 32",
     "1023, \"num_key_value_heads\": 3, \"head_dim\": 1024", "num_attention_heads * head_dim is too large"},
    {CONFIG, TALKER, "\"rms_norm_eps\": 1e-06", "\"rms_norm_eps\": 0",
     "talker_config.rms_norm_eps: expected a number from 1e-20 to 1, found 0"},
    {CONFIG, TALKER, "\"rms_norm_eps\": 1e-06, ", "",
     "talker_config.rms_norm_eps: expected a number from 1e-20 to 1, found nothing"},
    {CONFIG, TALKER, "\"rope_theta\": 1000000", "\"rope_theta\": 0.5",
     "talker_config.rope_theta: expected a number from 1 to 1e+12, found 0.5"},
    {CONFIG, TALKER, "\"rope_theta\": 1000000", "\"rope_theta\": 1e999", "found inf"},
    {CONFIG, PREDICTOR, "\"rope_theta\": 10000", "\"rope_theta\": []",
     "talker_config.code_predictor_config.rope_theta: expected a number from 1 to 1e+12, found a list"},
    {CONFIG, PREDICTOR, "\"hidden_size\": 64", "\"hidden_size\": 0",
     "talker_config.code_predictor_config.hidden_size: expected"},
    {CONFIG, PREDICTOR, "\"head_dim\": 16", "\"head_dim\": 3",
     "talker_config.code_predictor_config.head_dim must be even"},
    {CONFIG, TALKER, "\"vocab_size\": 1088", "\"vocab_size\": 1024",
     "talker_config.vocab_size: expected an integer from 1025 to 2097152, found 1024"},
    {CONFIG, TALKER, "\"vocab_size\": 1088", "\"vocab_size\": 2097153", "talker_config.vocab_size: expected"},
    {CONFIG, PREDICTOR, "\"vocab_size\": 64", "\"vocab_size\": 0",
     "code_predictor_config.vocab_size: expected an integer from 1 to 2097152"},
    {CONFIG, TALKER, "\"text_vocab_size\": 400", "\"text_vocab_size\": 2097153",
     "talker_config.text_vocab_size: expected"},
    {CONFIG, TALKER, "\"text_hidden_size\": 50", "\"text_hidden_size\": 0",
     "talker_config.text_hidden_size: expected an integer from 1 to 65536"},
    {CONFIG, TALKER, "\"num_code_groups\": 8", "\"num_code_groups\": 1",
     "talker_config.num_code_groups: expected an integer from 2 to 64, found 1"},
    {CONFIG, TALKER, "\"num_code_groups\": 8", "\"num_code_groups\": 65",
     "talker_config.num_code_groups: expected an integer from 2 to 64, found 65"},
    {CONFIG, PREDICTOR, "\"num_code_groups\": 8", "\"num_code_groups\": 9",
     "code_predictor_config.num_code_groups: expected 8 (talker_config.num_code_groups), found 9"},
    /* what the engine takes for granted */
    {CONFIG, TALKER, "\"hidden_act\": \"silu\"", "\"hidden_act\": \"gelu\"",
     "talker_config.hidden_act: expected \"silu\", found \"gelu\""},
    {CONFIG, TALKER, "\"attention_bias\": false", "\"attention_bias\": true",
     "talker_config.attention_bias: expected false, found true"},
    {CONFIG, TALKER, "\"attention_bias\": false", "\"attention_bias\": 0",
     "talker_config.attention_bias: expected false, found 0"},
    {CONFIG, TALKER, "\"sliding_window\": null", "\"sliding_window\": 4096",
     "talker_config.sliding_window: expected null, found 4096"},
    {CONFIG, PREDICTOR, "\"sliding_window\": null", "\"sliding_window\": 72",
     "code_predictor_config.sliding_window: expected null, found 72"},
    {CONFIG, PREDICTOR, "\"full_attention\"]", "\"sliding_attention\"]",
     "layer_types: expected \"full_attention\" in every layer, found \"sliding_attention\""},
    {CONFIG, PREDICTOR, "[\"full_attention\", \"full_attention\"]", "{}",
     "layer_types: expected a list, found an object"},
    {CONFIG, TALKER, "\"rope_type\": \"default\"", "\"rope_type\": \"yarn\"",
     "talker_config.rope_scaling.rope_type: expected \"default\", found \"yarn\""},
    {CONFIG, TALKER, "\"type\": \"default\"", "\"type\": \"linear\"",
     "talker_config.rope_scaling.type: expected \"default\", found \"linear\""},
    {CONFIG, PREDICTOR, "\"rope_scaling\": null", "\"rope_scaling\": 2",
     "code_predictor_config.rope_scaling: expected an object, found 2"},
    {CONFIG, PREDICTOR, "\"rope_scaling\": null", "\"partial_rotary_factor\": 0.5",
     "code_predictor_config.partial_rotary_factor: expected a number from 1 to 1, found 0.5"},
    /* ids */
    {CONFIG, NULL, "\"im_start_token_id\": 301", "\"im_start_token_id\": 400",
     "config.json: im_start_token_id: expected an integer from 0 to 399, found 400"},
    {CONFIG, NULL, "\"tts_eos_token_id\": 306", "\"tts_eos_token_id\": -1",
     "tts_eos_token_id: expected an integer from 0 to 399, found -1"},
    {CONFIG, NULL, "\"assistant_token_id\": 303,", "",
     "assistant_token_id: expected an integer from 0 to 399, found nothing"},
    {CONFIG, NULL, "\"codec_eos_token_id\": 1067", "\"codec_eos_token_id\": 1088",
     "talker_config.codec_eos_token_id: expected an integer from 0 to 1087, found 1088"},
    {CONFIG, NULL, "\"codec_think_bos_id\": 1070,", "", "talker_config.codec_think_bos_id: expected"},
    /* names */
    {CONFIG, NULL, "\"codec_language_id\"", "\"languages\"",
     "talker_config.codec_language_id: expected an object, found nothing"},
    {CONFIG, NULL, "\"English\": 71", "\"English\": \"71\"",
     "talker_config.codec_language_id.English: expected an integer from 0 to 1087, found \"71\""},
    {CONFIG, NULL, "\"English\": 71", "\"CHINESE\": 71", "talker_config.codec_language_id.chinese is there twice"},
    {CONFIG, NULL, "\"English\"", "\"\"",
     "talker_config.codec_language_id.\"\": expected a name of 1 to 63 printable bytes"},
    {CONFIG, NULL, "\"English\"", "\"e\\nn\"", "expected a name of 1 to 63 printable bytes"},
    {CONFIG, NULL, "\"English\"", "\"1234567890123456789012345678901234567890123456789012345678901234\"",
     "expected a name of 1 to 63 printable bytes"},
    {CONFIG, NULL, "\"Ryan\": 81", "\"Ryan\": 1088",
     "talker_config.spk_id.Ryan: expected an integer from 0 to 1087, found 1088"},
    {CONFIG, NULL, "\"spk_id\": {", "\"spk_id\": [], \"x\": {",
     "talker_config.spk_id: expected an object, found a list"},
    {CONFIG, NULL, "\"ryan\": false", "\"ryan\": true",
     "talker_config.spk_is_dialect.ryan: expected false or a name of codec_language_id, found true"},
    {CONFIG, NULL, "\"Sichuan_Dialect\"", "\"klingon\"",
     "talker_config.spk_is_dialect.Eric: expected false or a name of codec_language_id, found \"klingon\""},
    /* generation */
    {GENERATION, NULL, "\"do_sample\": false", "\"do_sample\": 1",
     "generation_config.json: do_sample: expected true or false, found 1"},
    {GENERATION, NULL, "\"temperature\": 0.5", "\"temperature\": -1",
     "generation_config.json: temperature: expected a number from 0 to 100, found -1"},
    {GENERATION, NULL, "false, \"subtalker_dosample\": false, \"temperature\": 0.5", "true, \"temperature\": 0",
     "temperature: expected a number from 1e-06 to 100, found 0"},
    {GENERATION, NULL, "\"top_k\": 11", "\"top_k\": -1", "top_k: expected an integer from 0 to"},
    {GENERATION, NULL, "\"subtalker_top_k\": 12", "\"subtalker_top_k\": 1e18",
     "subtalker_top_k: expected an integer from 0 to"},
    {GENERATION, NULL, "\"top_p\": 0.75", "\"top_p\": 1.01", "top_p: expected a number from 0 to 1, found 1.01"},
    {GENERATION, NULL, "\"subtalker_top_p\": 0.625", "\"subtalker_top_p\": \"x\"",
     "subtalker_top_p: expected a number from 0 to 1, found \"x\""},
    {GENERATION, NULL, "\"repetition_penalty\": 1.5", "\"repetition_penalty\": 0",
     "repetition_penalty: expected a number from 0.001 to 1000, found 0"},
    {GENERATION, NULL, "\"max_new_tokens\": 1234", "\"max_new_tokens\": 0",
     "max_new_tokens: expected an integer from 1 to 1048576, found 0"},
    /* codec */
    {CODEC, NULL, "qwen3_tts_tokenizer_12hz", "qwen3_tts_tokenizer_25hz",
     "speech_tokenizer/config.json: model_type: expected \"qwen3_tts_tokenizer_12hz\""},
    {CODEC, NULL, "\"output_sample_rate\": 24000", "\"output_sample_rate\": 0",
     "speech_tokenizer/config.json: output_sample_rate: expected an integer from 1000"},
    {CODEC, NULL, "\"decoder_config\"", "\"decoder\"", "decoder_config: expected an object, found nothing"},
    {CODEC, DECODER, "\"sliding_window\": 11", "\"sliding_window\": null",
     "decoder_config.sliding_window: expected an integer from 1 to 65536, found null"},
    {CODEC, DECODER, "\"num_hidden_layers\": 3", "\"num_hidden_layers\": 0",
     "decoder_config.num_hidden_layers: expected"},
    {CODEC, DECODER, "\"hidden_act\": \"silu\"", "\"hidden_act\": \"relu\"",
     "decoder_config.hidden_act: expected \"silu\", found \"relu\""},
    {CODEC, DECODER, "\"num_quantizers\": 8", "\"num_quantizers\": 7",
     "encoder_valid_num_quantizers: expected 7 (decoder_config.num_quantizers), found 8"},
    {CODEC, DECODER, "\"num_semantic_quantizers\": 1", "\"num_semantic_quantizers\": 2",
     "decoder_config.num_semantic_quantizers: expected 1 (the first code alone is semantic), found 2"},
    {CODEC, DECODER, "\"codebook_dim\": 36", "\"codebook_dim\": 35",
     "decoder_config.codebook_dim: expected an even number, found 35"},
    {CODEC, DECODER, "\"decoder_dim\": 80", "\"decoder_dim\": 72",
     "decoder_config.decoder_dim: expected a multiple of 16 (halved in each of 4 blocks), found 72"},
    {CODEC, DECODER, "\"upsampling_ratios\": [2, 2]", "\"upsampling_ratios\": []",
     "decoder_config.upsampling_ratios: expected a list of 1 to 8 integers, found a list"},
    {CODEC, DECODER, "\"upsampling_ratios\": [2, 2]", "\"upsampling_ratios\": 4",
     "decoder_config.upsampling_ratios: expected a list of 1 to 8 integers, found 4"},
    {CODEC, DECODER, "[8, 5, 4, 3]", "[1, 1, 1, 1, 1, 1, 1, 1, 1]",
     "decoder_config.upsample_rates: expected a list of 1 to 8 integers"},
    {CODEC, DECODER, "[8, 5, 4, 3]", "[8, 5, 0, 3]",
     "decoder_config.upsample_rates: expected an integer from 1 to 64, found 0"},
    {CODEC, DECODER, "[8, 5, 4, 3]", "[8, 5, 4, 65]",
     "decoder_config.upsample_rates: expected an integer from 1 to 64, found 65"},
    {CODEC, DECODER, "[8, 5, 4, 3]", "[64, 64, 64, 64]", "multiply to more than 65536 samples a frame"},
    {CODEC, DECODER, "[8, 5, 4, 3]", "[8, 5, 4, 4]",
     "decode_upsample_rate: expected 2560 (the product of upsampling_ratios and upsample_rates), found 1920"},
    {CODEC, NULL, "\"decode_upsample_rate\": 1920", "\"decode_upsample_rate\": 1921",
     "decode_upsample_rate: expected 1920"},
    {CODEC, NULL, "\"decode_upsample_rate\": 1920,", "",
     "decode_upsample_rate: expected 1920 (the product of upsampling_ratios and upsample_rates), found nothing"},
    {CODEC, NULL, "\"encode_downsample_rate\": 1920", "\"encode_downsample_rate\": 960",
     "encode_downsample_rate: expected 1920"},
    /* between the files */
    {CODEC, NULL, "\"encoder_valid_num_quantizers\": 8,\n \"decoder_config\": {",
     "\"decoder_config\": {\"num_quantizers\": 7, \"x\": {}, ", "num_quantizers is there twice"},
    {CODEC, DECODER, "\"codebook_size\": 64", "\"codebook_size\": 63",
     "decoder_config.codebook_size: expected 64 (talker_config.code_predictor_config.vocab_size of config.json), found "
     "63"},
    {CONFIG, TALKER, "\"vocab_size\": 1088", "\"vocab_size\": 1089",
     "decoder_config.codebook_size: expected 65 to 1089 (talker_config.vocab_size of config.json less 1024, to all of "
     "it), found 64"},
};

static void test_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad_rows / sizeof *bad_rows; i++) {
        const struct bad_row *row = &bad_rows[i];
        kz_config c;
        kz_err err = {""};
        char *text = config_replaced(config_good[row->file], row->after, row->from, row->to);
        config_write(row->file, text);
        free(text);
        config_check_failure(kz_config_read(&c, config_dir, &err), KZTTS_ERROR_FORMAT, &err, row->fragment, row->to);
        assert_non_null(strstr(err.message, config_names[row->file]));
        assert_null(c.languages); /* nothing is left to free */
        assert_null(c.speakers);
        kz_config_free(&c);
        config_write(row->file, config_good[row->file]);
    }
}

/* Base checkpoints: what is needed for cloning is read from both files. */
static const struct bad_row base_rows[] = {
    {CONFIG, NULL, "\"speaker_encoder_config\"", "\"x\"", "speaker_encoder_config: expected an object, found nothing"},
    {CONFIG, NULL, "\"enc_dim\": 96", "\"enc_dim\": 95",
     "speaker_encoder_config.enc_dim: expected 96 (talker_config.hidden_size), found 95"},
    {CONFIG, NULL, "\"sample_rate\": 24000", "\"sample_rate\": 16000",
     "speaker_encoder_config.sample_rate: expected an integer from 24000 to 24000"},
    {CONFIG, NULL, "\"mel_dim\": 100", "\"mel_dim\": 0", "speaker_encoder_config.mel_dim: expected an integer from 1"},
    {CONFIG, NULL, "[24, 24, 24, 24, 72]", "[24, 24, 24, 72]", "enc_channels: expected a list of 5 integers"},
    {CONFIG, NULL, "[24, 24, 24, 24, 72]", "[24, 24, 24, 24, 72, 1]",
     "enc_channels: expected a list of 1 to 5 integers"},
    {CONFIG, NULL, "[24, 24, 24, 24, 72]", "[24, 24, 20, 24, 72]",
     "enc_channels: expected equal widths divisible by 4 groups, found 20"},
    {CONFIG, NULL, "[24, 24, 24, 24, 72]", "[22, 22, 22, 22, 66]",
     "enc_channels: expected equal widths divisible by 4 groups, found 22"},
    {CONFIG, NULL, "[7, 3, 3, 3, 1]", "[7, 3, 4, 3, 1]", "enc_kernel_sizes: expected odd numbers, found 4"},
    {CONFIG, NULL, "[7, 3, 3, 3, 1]", "[7, 3, 3, 3, 3]", "enc_kernel_sizes: expected 1 for the last block, found 3"},
    {CONFIG, NULL, "[1, 2, 3, 5, 1]", "[1, 2, 3, 0, 1]", "enc_dilations: expected an integer from 1 to 64, found 0"},
    {CONFIG, NULL, "\"enc_res2net_scale\": 4", "\"enc_res2net_scale\": 1",
     "enc_res2net_scale: expected an integer from 2"},
    {CODEC, NULL, "\"encoder_config\"", "\"x\"", "encoder_config: expected an object, found nothing"},
    {CODEC, ENCODER, "\"num_hidden_layers\": 4", "\"num_hidden_layers\": 0",
     "encoder_config.num_hidden_layers: expected an integer from 1"},
    {CODEC, ENCODER, "\"num_key_value_heads\": 3", "\"num_key_value_heads\": 1",
     "encoder_config.num_key_value_heads: expected 3 (num_attention_heads), found 1"},
    {CODEC, ENCODER, "\"head_dim\": 12", "\"head_dim\": 11",
     "encoder_config.head_dim: expected an even number, found 11"},
    {CODEC, ENCODER, "\"hidden_act\": \"gelu\"", "\"hidden_act\": \"silu\"",
     "encoder_config.hidden_act: expected \"gelu\", found \"silu\""},
    {CODEC, ENCODER, "[8, 6, 5, 4]", "[8, 6, 5, 5]",
     "encoder_config.upsampling_ratios: twice their product must be the 1920 samples of a frame"},
    {CODEC, ENCODER, "[8, 6, 5, 4]", "[64, 64, 64, 64, 64, 64, 64, 64]",
     "encoder_config.upsampling_ratios: twice their product must be"},
    {CODEC, ENCODER, "\"num_filters\": 6", "\"num_filters\": 65",
     "encoder_config.num_filters: expected an integer from 1 to 64, found 65"},
    {CODEC, ENCODER, "\"compress\": 2", "\"compress\": 7",
     "encoder_config.compress: expected an integer from 1 to 6, found 7"},
    {CODEC, ENCODER, "\"kernel_size\": 7", "\"kernel_size\": 0",
     "encoder_config.kernel_size: expected an integer from 1"},
    {CODEC, ENCODER, "\"num_residual_layers\": 1", "\"num_residual_layers\": 2",
     "encoder_config.num_residual_layers: expected 1 (one residual unit a stage), found 2"},
    {CODEC, ENCODER, "\"pad_mode\": \"constant\"", "\"pad_mode\": \"reflect\"",
     "encoder_config.pad_mode: expected \"constant\", found \"reflect\""},
    {CODEC, ENCODER, "\"use_conv_shortcut\": false", "\"use_conv_shortcut\": true",
     "encoder_config.use_conv_shortcut: expected false, found true"},
    {CODEC, ENCODER, "\"audio_channels\": 1", "\"audio_channels\": 2",
     "encoder_config.audio_channels: expected 1 (mono), found 2"},
    {CODEC, ENCODER, "\"codebook_size\": 64", "\"codebook_size\": 32",
     "encoder_config.codebook_size: expected 64 (decoder_config.codebook_size), found 32"},
};

static void test_refused_base(void **state) {
    (void)state;
    char *config = config_replaced(config_good[CONFIG], NULL, "custom_voice", "base");
    const char *const base[N_FILE] = {config, config_good[GENERATION], config_good[CODEC]};
    kz_config c;
    config_write(CONFIG, config);
    config_read_good(&c);
    kz_config_free(&c);
    for (size_t i = 0; i < sizeof base_rows / sizeof *base_rows; i++) {
        const struct bad_row *row = &base_rows[i];
        kz_err err = {""};
        char *text = config_replaced(base[row->file], row->after, row->from, row->to);
        config_write(row->file, text);
        free(text);
        config_check_failure(kz_config_read(&c, config_dir, &err), KZTTS_ERROR_FORMAT, &err, row->fragment, row->to);
        config_write(row->file, base[row->file]);
    }
    free(config);
}

/* Two numbers of code groups that agree inside each file but not between them. */
static void test_code_groups_between_files(void **state) {
    (void)state;
    kz_config c;
    kz_err err = {""};
    char *a = config_replaced(config_good[CODEC], NULL, "\"encoder_valid_num_quantizers\": 8,", "");
    char *b = config_replaced(a, NULL, "\"num_quantizers\": 8", "\"num_quantizers\": 7");
    config_write(CODEC, b);
    free(a);
    free(b);
    config_check_failure(
        kz_config_read(&c, config_dir, &err), KZTTS_ERROR_FORMAT, &err,
        "decoder_config.num_quantizers: expected 8 (talker_config.num_code_groups of config.json), found 7",
        "code groups");
}

/* Every key of the good files is taken away in turn, by another name. */
static void test_each_key_renamed(void **state) {
    (void)state;
    size_t refused = 0, taken = 0;
    for (int file = 0; file < N_FILE; file++) {
        for (const char *at = strchr(config_good[file], ':'); at; at = strchr(at + 1, ':')) {
            if (at[-1] != '"')
                continue;
            kz_config c;
            kz_err err = {""};
            char *text = config_replaced(config_good[file], NULL, "{", "{"); /* a copy */
            text[at - config_good[file] - 2] = '~';
            config_write(file, text);
            free(text);
            kztts_status status = kz_config_read(&c, config_dir, &err);
            if (status == KZTTS_OK)
                taken++;
            else
                refused++;
            assert_true(status == KZTTS_OK || (status == KZTTS_ERROR_FORMAT && err.message[0]));
            kz_config_free(&c);
        }
        config_write(file, config_good[file]);
    }
    assert_true(refused >= 50 && taken >= 20); /* required and optional ones */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_refused, config_make, config_remove),
        cmocka_unit_test_setup_teardown(test_refused_base, config_make, config_remove),
        cmocka_unit_test_setup_teardown(test_code_groups_between_files, config_make, config_remove),
        cmocka_unit_test_setup_teardown(test_each_key_renamed, config_make, config_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
