/* config_files.c: good settings, and changes to them.  SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "config_files.h"

/* ---- good files -------------------------------------------------------------------------------------------- */

/* Every value is another one where the format allows it, so that a row below can name the place it changes. */
static const char good_config[] =
    "{\"model_type\": \"qwen3_tts\", \"tokenizer_type\": \"qwen3_tts_tokenizer_12hz\",\n"
    " \"tts_model_type\": \"custom_voice\", \"tts_model_size\": \"1b7\",\n"
    " \"im_start_token_id\": 301, \"im_end_token_id\": 302, \"assistant_token_id\": 303,\n"
    " \"tts_pad_token_id\": 304, \"tts_bos_token_id\": 305, \"tts_eos_token_id\": 306,\n"
    " \"speaker_encoder_config\": {\"enc_dim\": 96, \"sample_rate\": 24000, \"mel_dim\": 100,\n"
    "  \"enc_channels\": [24, 24, 24, 24, 72], \"enc_kernel_sizes\": [7, 3, 3, 3, 1], \"enc_dilations\": [1, 2, 3, 5, "
    "1],\n"
    "  \"enc_attention_channels\": 14, \"enc_res2net_scale\": 4, \"enc_se_channels\": 10},\n"
    " \"hidden_size\": 1, \"vocab_size\": 2,\n" /* decoys: these keys count inside the nested objects only */
    " \"talker_config\": {\n"
    "  \"num_hidden_layers\": 7, \"hidden_size\": 96, \"intermediate_size\": 192, \"num_attention_heads\": 6,\n"
    "  \"num_key_value_heads\": 3, \"head_dim\": 32, \"rms_norm_eps\": 1e-06, \"rope_theta\": 1000000,\n"
    "  \"hidden_act\": \"silu\", \"attention_bias\": false, \"sliding_window\": null,\n"
    "  \"rope_scaling\": {\"rope_type\": \"default\", \"type\": \"default\", \"mrope_section\": [6, 5, 5]},\n"
    "  \"num_code_groups\": 8, \"vocab_size\": 1088, \"text_vocab_size\": 400, \"text_hidden_size\": 50,\n"
    "  \"codec_pad_id\": 1065, \"codec_bos_id\": 1066, \"codec_eos_token_id\": 1067, \"codec_think_id\": 1068,\n"
    "  \"codec_nothink_id\": 1069, \"codec_think_bos_id\": 1070, \"codec_think_eos_id\": 1071,\n"
    "  \"codec_language_id\": {\"English\": 71, \"chinese\": 72, \"sichuan_dialect\": 73},\n"
    "  \"spk_id\": {\"Ryan\": 81, \"eric\": 82, \"ono_anna\": 83},\n"
    "  \"spk_is_dialect\": {\"ryan\": false, \"Eric\": \"Sichuan_Dialect\"},\n"
    "  \"code_predictor_config\": {\n"
    "   \"num_hidden_layers\": 2, \"hidden_size\": 64, \"intermediate_size\": 80, \"num_attention_heads\": 4,\n"
    "   \"num_key_value_heads\": 1, \"head_dim\": 16, \"rms_norm_eps\": 1e-05, \"rope_theta\": 10000,\n"
    "   \"hidden_act\": \"silu\", \"attention_bias\": false, \"sliding_window\": null, \"rope_scaling\": null,\n"
    "   \"layer_types\": [\"full_attention\", \"full_attention\"], \"num_code_groups\": 8, \"vocab_size\": 64,\n"
    "   \"temperature\": 1.0, \"do_sample\": false, \"top_k\": 17}}}\n";

static const char good_generation[] =
    "{\"do_sample\": false, \"subtalker_dosample\": false, \"temperature\": 0.5, \"subtalker_temperature\": 0.25,\n"
    " \"top_k\": 11, \"subtalker_top_k\": 12, \"top_p\": 0.75, \"subtalker_top_p\": 0.625,\n"
    " \"repetition_penalty\": 1.5, \"max_new_tokens\": 1234}\n";

static const char good_codec[] =
    "{\"model_type\": \"qwen3_tts_tokenizer_12hz\", \"output_sample_rate\": 24000, \"input_sample_rate\": 24000,\n"
    " \"decode_upsample_rate\": 1920, \"encode_downsample_rate\": 1920, \"encoder_valid_num_quantizers\": 8,\n"
    " \"decoder_config\": {\n"
    "  \"num_hidden_layers\": 3, \"hidden_size\": 28, \"intermediate_size\": 54, \"num_attention_heads\": 2,\n"
    "  \"num_key_value_heads\": 2, \"head_dim\": 10, \"rms_norm_eps\": 1e-04, \"rope_theta\": 5000,\n"
    "  \"hidden_act\": \"silu\", \"attention_bias\": false, \"sliding_window\": 11,\n"
    "  \"num_quantizers\": 8, \"num_semantic_quantizers\": 1, \"codebook_size\": 64, \"codebook_dim\": 36,\n"
    "  \"latent_dim\": 60, \"decoder_dim\": 80, \"semantic_codebook_size\": 128,\n"
    "  \"upsampling_ratios\": [2, 2], \"upsample_rates\": [8, 5, 4, 3]},\n"
    " \"encoder_config\": {\n"
    "  \"num_hidden_layers\": 4, \"hidden_size\": 36, \"intermediate_size\": 70, \"num_attention_heads\": 3,\n"
    "  \"num_key_value_heads\": 3, \"head_dim\": 12, \"norm_eps\": 1e-05, \"rope_theta\": 7000, \"hidden_act\": "
    "\"gelu\",\n"
    "  \"attention_bias\": false, \"sliding_window\": 250, \"upsampling_ratios\": [8, 6, 5, 4], \"num_filters\": 6,\n"
    "  \"compress\": 2, \"kernel_size\": 7, \"last_kernel_size\": 3, \"residual_kernel_size\": 5,\n"
    "  \"num_residual_layers\": 1, \"pad_mode\": \"constant\", \"use_conv_shortcut\": false, \"audio_channels\": 1,\n"
    "  \"num_semantic_quantizers\": 1, \"sampling_rate\": 24000, \"codebook_dim\": 18, \"codebook_size\": 64,\n"
    "  \"num_quantizers\": 32}}\n";

const char *const config_names[N_FILE] = {"config.json", "generation_config.json", "speech_tokenizer/config.json"};
const char *const config_good[N_FILE] = {good_config, good_generation, good_codec};

char config_dir[64];

const char *config_path(const char *name) {
    static char path[192];
    (void)snprintf(path, sizeof path, "%s/%s", config_dir, name);
    return path;
}

void config_write(int file, const char *text) {
    FILE *f = fopen(config_path(config_names[file]), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    assert_int_equal(fclose(f), 0);
}

int config_make(void **state) {
    (void)state;
    strcpy(config_dir, "kztts_config_XXXXXX");
    if (!mkdtemp(config_dir) || mkdir(config_path("speech_tokenizer"), 0700) != 0)
        return -1;
    for (int i = 0; i < N_FILE; i++)
        config_write(i, config_good[i]);
    return 0;
}

int config_remove(void **state) {
    (void)state;
    for (int i = 0; i < N_FILE; i++)
        (void)unlink(config_path(config_names[i]));
    (void)rmdir(config_path("speech_tokenizer"));
    return rmdir(config_dir);
}

char *config_replaced(const char *text, const char *after, const char *from, const char *to) {
    const char *begin = after ? strstr(text, after) : text;
    if (!from)
        from = text;
    const char *at = begin ? strstr(begin, from) : NULL;
    if (!at)
        fail_msg("\"%s\" isn't in the text", from);
    size_t n = (size_t)(at - text);
    char *out = malloc(strlen(text) + strlen(to) + 1);
    assert_non_null(out);
    memcpy(out, text, n);
    strcpy(out + n, to);
    strcat(out, at + strlen(from));
    return out;
}

void config_check_failure(kztts_status status, kztts_status expected, const kz_err *err, const char *fragment,
                          const char *what) {
    if (status != expected || !strstr(err->message, fragment))
        fail_msg("%s: status %d (expected %d), message \"%s\" (expected \"...%s...\")", what, status, expected,
                 err->message, fragment);
}

void config_read_good(kz_config *c) {
    kz_err err = {""};
    if (kz_config_read(c, config_dir, &err) != KZTTS_OK)
        fail_msg("%s", err.message);
}
