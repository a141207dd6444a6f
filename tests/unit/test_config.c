/* test_config.c: the three files of settings, whole and damaged.  SPDX-License-Identifier: Apache-2.0 */
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

#include "weights/weights.h"

/* ---- good files -------------------------------------------------------------------------------------------- */

/* Every value is another one where the format allows it, so that a row below can name the place it changes. */
static const char good_config[] =
    "{\"model_type\": \"qwen3_tts\", \"tokenizer_type\": \"qwen3_tts_tokenizer_12hz\",\n"
    " \"tts_model_type\": \"custom_voice\", \"tts_model_size\": \"1b7\",\n"
    " \"im_start_token_id\": 301, \"im_end_token_id\": 302, \"assistant_token_id\": 303,\n"
    " \"tts_pad_token_id\": 304, \"tts_bos_token_id\": 305, \"tts_eos_token_id\": 306,\n"
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
    " \"encoder_config\": {\"num_quantizers\": 32}}\n";

enum { CONFIG, GENERATION, CODEC, N_FILE };
static const char *const names[N_FILE] = {"config.json", "generation_config.json", "speech_tokenizer/config.json"};
static const char *const good[N_FILE] = {good_config, good_generation, good_codec};

static char dir[64];

static const char *path_of(const char *name) {
    static char path[192];
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static void write_text(int file, const char *text) {
    FILE *f = fopen(path_of(names[file]), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    assert_int_equal(fclose(f), 0);
}

static int make_dir(void **state) {
    (void)state;
    strcpy(dir, "/tmp/kztts_config_XXXXXX");
    if (!mkdtemp(dir) || mkdir(path_of("speech_tokenizer"), 0700) != 0)
        return -1;
    for (int i = 0; i < N_FILE; i++)
        write_text(i, good[i]);
    return 0;
}

static int remove_dir(void **state) {
    (void)state;
    for (int i = 0; i < N_FILE; i++)
        (void)unlink(path_of(names[i]));
    (void)rmdir(path_of("speech_tokenizer"));
    return rmdir(dir);
}

/* The text with the first `from` after `after` (NULL: at all) replaced; freed by the caller. */
static char *replaced(const char *text, const char *after, const char *from, const char *to) {
    const char *begin = after ? strstr(text, after) : text;
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

static void check_failure(kztts_status status, kztts_status expected, const kz_err *err, const char *fragment,
                          const char *what) {
    if (status != expected || !strstr(err->message, fragment))
        fail_msg("%s: status %d (expected %d), message \"%s\" (expected \"...%s...\")", what, status, expected,
                 err->message, fragment);
}

static void read_good(kz_config *c) {
    kz_err err = {""};
    if (kz_config_read(c, dir, &err) != KZTTS_OK)
        fail_msg("%s", err.message);
}

/* ---- what is read ------------------------------------------------------------------------------------------ */

static void test_models(void **state) {
    (void)state;
    kz_config c;
    read_good(&c);
    assert_int_equal(c.type, KZ_MODEL_CUSTOM_VOICE);
    assert_string_equal(c.size, "1b7");
    assert_true(c.instruct);
    assert_true(c.n_code == 8 && c.vocab == 1088 && c.sub_vocab == 64 && c.text_vocab == 400 && c.d_text == 50);
    const kz_stack_config *t = &c.talker, *p = &c.predictor;
    assert_true(t->n_layer == 7 && t->d_model == 96 && t->d_ff == 192 && t->n_head == 6 && t->n_kv == 3);
    assert_true(t->d_head == 32 && t->window == 0 && t->qk_norm && !t->layer_scale);
    assert_true(t->rms_eps == 1e-6f && t->rope_theta == 1e6f);
    assert_true(p->n_layer == 2 && p->d_model == 64 && p->d_ff == 80 && p->n_head == 4 && p->n_kv == 1);
    assert_true(p->d_head == 16 && p->window == 0 && p->qk_norm && !p->layer_scale);
    assert_true(p->rms_eps == 1e-5f && p->rope_theta == 1e4f);
    kz_config_free(&c);
}

static void test_ids(void **state) {
    (void)state;
    kz_config c;
    read_good(&c);
    assert_true(c.im_start == 301 && c.im_end == 302 && c.assistant == 303);
    assert_true(c.tts_pad == 304 && c.tts_bos == 305 && c.tts_eos == 306);
    assert_true(c.codec_pad == 1065 && c.codec_bos == 1066 && c.codec_eos == 1067 && c.codec_think == 1068);
    assert_true(c.codec_nothink == 1069 && c.codec_think_bos == 1070 && c.codec_think_eos == 1071);
    assert_int_equal(c.n_language, 3);
    assert_string_equal(c.languages[0].name, "english");
    assert_true(c.languages[0].id == 71 && c.languages[2].id == 73 && c.languages[0].dialect == -1);
    assert_int_equal(c.n_speaker, 3);
    assert_string_equal(c.speakers[0].name, "ryan");
    assert_true(c.speakers[0].id == 81 && c.speakers[1].id == 82 && c.speakers[2].id == 83);
    assert_true(c.speakers[0].dialect == -1 && c.speakers[1].dialect == 73 && c.speakers[2].dialect == -1);
    kz_config_free(&c);
    assert_null(c.languages);
    assert_null(c.speakers);
}

static void test_generation(void **state) {
    (void)state;
    kz_config c;
    read_good(&c);
    const kz_generation_config *g = &c.generation;
    assert_true(!g->do_sample && !g->sub_do_sample && g->temperature == 0.5f && g->sub_temperature == 0.25f);
    assert_true(g->top_k == 11 && g->sub_top_k == 12 && g->top_p == 0.75f && g->sub_top_p == 0.625f);
    assert_true(g->repetition_penalty == 1.5f && g->max_new_tokens == 1234);
    kz_config_free(&c);
    for (int i = 0; i < 3; i++) { /* no file, no keys, only nulls: the official defaults */
        if (i == 0)
            assert_int_equal(unlink(path_of(names[GENERATION])), 0);
        else
            write_text(GENERATION, i == 1 ? "{\"other\": [1]}" : "{\"top_k\": null, \"do_sample\": null}");
        read_good(&c);
        assert_true(g->do_sample && g->sub_do_sample && g->temperature == 0.9f && g->sub_temperature == 0.9f);
        assert_true(g->top_k == 50 && g->sub_top_k == 50 && g->top_p == 1 && g->sub_top_p == 1);
        assert_true(g->repetition_penalty == 1.05f && g->max_new_tokens == 2048);
        kz_config_free(&c);
    }
}

static void test_codec(void **state) {
    (void)state;
    kz_config c;
    read_good(&c);
    const kz_codec_config *d = &c.codec;
    const kz_stack_config *t = &d->transformer;
    assert_true(t->n_layer == 3 && t->d_model == 28 && t->d_ff == 54 && t->n_head == 2 && t->n_kv == 2);
    assert_true(t->d_head == 10 && t->window == 11 && !t->qk_norm && t->layer_scale);
    assert_true(t->rms_eps == 1e-4f && t->rope_theta == 5000);
    assert_true(d->d_codebook == 36 && d->n_code == 8 && d->codebook_size == 64 && d->d_latent == 60);
    assert_true(d->d_decoder == 80 && d->n_upsample == 2 && d->n_block == 4);
    assert_true(d->upsample[0] == 2 && d->upsample[1] == 2);
    assert_true(d->block_rate[0] == 8 && d->block_rate[1] == 5 && d->block_rate[2] == 4 && d->block_rate[3] == 3);
    assert_true(d->frame_samples == 1920 && d->sample_rate == 24000);
    kz_config_free(&c);
}

static void test_types(void **state) {
    static const struct {
        const char *type, *size;
        kz_model_type expected;
        bool instruct;
    } rows[] = {
        {"custom_voice", "0b6", KZ_MODEL_CUSTOM_VOICE, false},
        {"custom_voice", "1b7", KZ_MODEL_CUSTOM_VOICE, true},
        {"voice_design", "1b7", KZ_MODEL_VOICE_DESIGN, true},
        {"voice_design", "0b6", KZ_MODEL_VOICE_DESIGN, true},
        {"base", "0b6", KZ_MODEL_BASE, false},
        {"base", "1b7", KZ_MODEL_BASE, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kz_config c;
        char *typed = replaced(good_config, NULL, "custom_voice", rows[i].type);
        char *sized = replaced(typed, NULL, "1b7", rows[i].size);
        write_text(CONFIG, sized);
        free(typed);
        free(sized);
        read_good(&c);
        assert_int_equal(c.type, rows[i].expected);
        assert_int_equal(c.instruct, rows[i].instruct);
        assert_string_equal(c.size, rows[i].size);
        kz_config_free(&c);
    }
}

/* Changes that must not matter. */
static void test_tolerated(void **state) {
    static const struct {
        int file;
        const char *after, *from, *to;
    } rows[] = {
        {CONFIG, NULL, "\"hidden_size\": 1, ", ""},
        {CONFIG, NULL, "\"hidden_act\": \"silu\", ", ""},
        {CONFIG, NULL, "\"sliding_window\": null,", ""},
        {CONFIG, NULL, "\"attention_bias\": false,", "\"attention_bias\": null,"},
        {CONFIG, NULL, "\"rope_scaling\": {\"rope_type\": \"default\", \"type\": \"default\", ", "\"rope_scaling\": {"},
        {CONFIG, NULL, "\"num_hidden_layers\": 7", "\"num_hidden_layers\": 7.0"},
        {CONFIG, "code_predictor", "\"layer_types\": [\"full_attention\", \"full_attention\"],", ""},
        {CONFIG, NULL, "{\"ryan\": false, \"Eric\": \"Sichuan_Dialect\"}", "{\"nobody\": false}"},
        {CONFIG, NULL, "{\"Ryan\": 81, \"eric\": 82, \"ono_anna\": 83}", "{}"},
        {CONFIG, NULL, "{\"Ryan\": 81, \"eric\": 82, \"ono_anna\": 83}", "null"},
        {GENERATION, NULL, "0.5", "0"},
        {GENERATION, NULL, "11", "0"},
        {GENERATION, NULL, "0.75", "0"},
        {CODEC, NULL, "\"encode_downsample_rate\": 1920,", ""},
        {CODEC, NULL, "\"encoder_valid_num_quantizers\": 8,", ""},
        {CODEC, NULL, "\"num_semantic_quantizers\": 1,", ""},
        {CODEC, NULL, ",\n \"encoder_config\": {\"num_quantizers\": 32}", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kz_config c;
        char *text = replaced(good[rows[i].file], rows[i].after, rows[i].from, rows[i].to);
        write_text(rows[i].file, text);
        free(text);
        read_good(&c);
        kz_config_free(&c);
        write_text(rows[i].file, good[rows[i].file]);
    }
}

/* ---- what is refused --------------------------------------------------------------------------------------- */

#define TALKER "talker_config"
#define PREDICTOR "code_predictor_config"
#define DECODER "decoder_config"

static const struct bad_row {
    int file;
    const char *after, *from, *to, *fragment;
} bad_rows[] = {
    /* the file */
    {CONFIG, NULL, "{", "", "config.json: not usable JSON at byte 12"},
    {CONFIG, NULL, "{", "[{", "config.json: not usable JSON"},
    {CONFIG, NULL, "{\"model_type\"", "{\"a\": 1e999, \"model_type\": 1, \"model_type\"", "model_type is there twice"},
    {CONFIG, NULL, good_config, "[]", "config.json: expected a JSON object, found a list"},
    {GENERATION, NULL, good_generation, "7", "generation_config.json: expected a JSON object, found 7"},
    {CODEC, NULL, good_codec, "\"\"", "speech_tokenizer/config.json: expected a JSON object, found \"\""},
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
        char *text = replaced(good[row->file], row->after, row->from, row->to);
        write_text(row->file, text);
        free(text);
        check_failure(kz_config_read(&c, dir, &err), KZTTS_ERROR_FORMAT, &err, row->fragment, row->to);
        assert_non_null(strstr(err.message, names[row->file == CONFIG ? CONFIG : row->file]));
        assert_null(c.languages); /* nothing is left to free */
        assert_null(c.speakers);
        kz_config_free(&c);
        write_text(row->file, good[row->file]);
    }
}

/* Two numbers of code groups that agree inside each file but not between them. */
static void test_code_groups_between_files(void **state) {
    (void)state;
    kz_config c;
    kz_err err = {""};
    char *a = replaced(good_codec, NULL, "\"encoder_valid_num_quantizers\": 8,", "");
    char *b = replaced(a, NULL, "\"num_quantizers\": 8", "\"num_quantizers\": 7");
    write_text(CODEC, b);
    free(a);
    free(b);
    check_failure(kz_config_read(&c, dir, &err), KZTTS_ERROR_FORMAT, &err,
                  "decoder_config.num_quantizers: expected 8 (talker_config.num_code_groups of config.json), found 7",
                  "code groups");
}

/* Every key of the good files is taken away in turn, by another name. */
static void test_each_key_renamed(void **state) {
    (void)state;
    size_t refused = 0, taken = 0;
    for (int file = 0; file < N_FILE; file++) {
        for (const char *at = strchr(good[file], ':'); at; at = strchr(at + 1, ':')) {
            if (at[-1] != '"')
                continue;
            kz_config c;
            kz_err err = {""};
            char *text = replaced(good[file], NULL, "{", "{"); /* a copy */
            text[at - good[file] - 2] = '~';
            write_text(file, text);
            free(text);
            kztts_status status = kz_config_read(&c, dir, &err);
            if (status == KZTTS_OK)
                taken++;
            else
                refused++;
            assert_true(status == KZTTS_OK || (status == KZTTS_ERROR_FORMAT && err.message[0]));
            kz_config_free(&c);
        }
        write_text(file, good[file]);
    }
    assert_true(refused >= 50 && taken >= 20); /* required and optional ones */
}

static void test_missing_files(void **state) {
    (void)state;
    kz_config c;
    kz_err err = {""};
    assert_int_equal(unlink(path_of(names[CODEC])), 0);
    check_failure(kz_config_read(&c, dir, &err), KZTTS_ERROR_NOT_FOUND, &err, "speech_tokenizer/config.json", "codec");
    write_text(CODEC, good_codec);
    assert_int_equal(unlink(path_of(names[CONFIG])), 0);
    check_failure(kz_config_read(&c, dir, &err), KZTTS_ERROR_NOT_FOUND, &err, "config.json", "config");
    write_text(CONFIG, "");
    check_failure(kz_config_read(&c, dir, &err), KZTTS_ERROR_FORMAT, &err, "config.json: not usable JSON", "empty");
    check_failure(kz_config_read(&c, "/no/such/place", NULL), KZTTS_ERROR_NOT_FOUND, &err, "", "no directory");
}

/* A text of n times `repeat`; freed by the caller. */
static char *repeated(const char *begin, const char *repeat, size_t n, const char *end) {
    size_t n_begin = strlen(begin), n_repeat = strlen(repeat);
    char *text = malloc(n_begin + n * n_repeat + strlen(end) + 1);
    assert_non_null(text);
    memcpy(text, begin, n_begin);
    for (size_t i = 0; i < n; i++)
        memcpy(text + n_begin + i * n_repeat, repeat, n_repeat);
    strcpy(text + n_begin + n * n_repeat, end);
    return text;
}

static void test_json_bombs(void **state) {
    static const struct {
        const char *begin, *repeat, *end;
        size_t n;
        const char *fragment;
    } rows[] = {
        {"", "[", "", 1000000, "nested too deeply"},
        {"{\"x\":[", "0,", "0]}", 1000000, "too many values"},
        {"{", "\"x\":0,", "\"x\":0}", 60000, "model_type: expected \"qwen3_tts\", found nothing"},
        {"{\"model_type\":\"", "x", "\"}", 10000000, "xxx...\""},
        {"{\"x\":\"", "x", "\"}", 17000000, "bytes are more than the limit"},
        {"{\"x\":", "1", "}", 1000, "number of too many digits"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kz_config c;
        kz_err err = {""};
        char *text = repeated(rows[i].begin, rows[i].repeat, rows[i].n, rows[i].end);
        write_text(CONFIG, text);
        free(text);
        check_failure(kz_config_read(&c, dir, &err), KZTTS_ERROR_FORMAT, &err, rows[i].fragment, rows[i].repeat);
    }
    /* more names than anyone has */
    kz_config c;
    kz_err err = {""};
    char *names_text = repeated("\"spk_id\": {", "\"n\": 1, ", 300, "\"Ryan\": 81,");
    char *text = replaced(good_config, NULL, "\"spk_id\": {\"Ryan\": 81,", names_text);
    write_text(CONFIG, text);
    check_failure(kz_config_read(&c, dir, &err), KZTTS_ERROR_FORMAT, &err, "names are more than the limit of 256",
                  "names");
    free(names_text);
    free(text);
}

/* ---- names ------------------------------------------------------------------------------------------------- */

static const kz_named_id voices[] = {{"serena", 1, -1}, {"vivian", 2, -1}, {"uncle_fu", 3, -1},
                                     {"ryan", 4, -1},   {"aiden", 5, -1},  {"ono_anna", 6, -1},
                                     {"sohee", 7, -1},  {"eric", 8, -1},   {"dylan", 9, -1}};
enum { N_VOICE = sizeof voices / sizeof *voices };

static void test_find(void **state) {
    (void)state;
    assert_ptr_equal(kz_named_find(voices, N_VOICE, "ryan"), &voices[3]);
    assert_ptr_equal(kz_named_find(voices, N_VOICE, "OnO_AnNa"), &voices[5]);
    assert_null(kz_named_find(voices, N_VOICE, "ryan "));
    assert_null(kz_named_find(voices, N_VOICE, "rya"));
    assert_null(kz_named_find(voices, N_VOICE, ""));
    assert_null(kz_named_find(voices, N_VOICE, NULL));
    assert_null(kz_named_find(NULL, 0, "ryan"));
    char name[200];
    memset(name, 'r', sizeof name);
    name[199] = 0;
    assert_null(kz_named_find(voices, N_VOICE, name));
}

static void test_near(void **state) {
    static const char all[] = "serena, vivian, uncle_fu, ryan, aiden, ono_anna, sohee, eric, dylan";
    static const struct {
        const char *name, *expected;
    } rows[] = {
        {"ryna", "ryan"}, {"Rian", "ryan"},         {"SERINA", "serena"}, {"ono", "ono_anna"}, {"ono_ana", "ono_anna"},
        {"erik", "eric"}, {"uncle fu", "uncle_fu"}, {"vivien", "vivian"}, {"xxxxxxxx", all},   {"", all},
        {"q", all},       {"dyan", "ryan, dylan"},
    };
    (void)state;
    char out[128];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kz_named_near(out, sizeof out, voices, N_VOICE, rows[i].name);
        if (strcmp(out, rows[i].expected) != 0)
            fail_msg("near \"%s\": \"%s\", expected \"%s\"", rows[i].name, out, rows[i].expected);
    }
    kz_named_near(out, sizeof out, voices, N_VOICE, NULL);
    assert_string_equal(out, all);
    kz_named_near(out, 15, voices, N_VOICE, "none of them at all");
    assert_string_equal(out, "serena, vivian"); /* whole names only */
    kz_named_near(out, 14, voices, N_VOICE, "none of them at all");
    assert_string_equal(out, "serena");
    kz_named_near(out, 1, voices, N_VOICE, "ryna");
    assert_string_equal(out, "");
    out[0] = 'x';
    kz_named_near(out, 0, voices, N_VOICE, "ryna");
    assert_int_equal(out[0], 'x');
    kz_named_near(out, sizeof out, NULL, 0, "ryna");
    assert_string_equal(out, "");
}

static void test_near_of_many(void **state) {
    (void)state;
    enum { N = 40 };
    kz_named_id list[N];
    char out[512];
    for (int i = 0; i < N; i++) {
        list[i] = (kz_named_id){.id = i, .dialect = -1};
        (void)snprintf(list[i].name, sizeof list[i].name, "voice_%d", 10 + i);
    }
    kz_named_near(out, sizeof out, list, N, "voice_1");
    assert_string_equal(out, "voice_10, voice_11, voice_12"); /* three at most */
    kz_named_near(out, sizeof out, list, N, "zzz");
    assert_string_equal(out + strlen(out) - strlen("voice_25, ..."), "voice_25, ...");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_models, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_ids, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_generation, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_codec, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_types, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_tolerated, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_refused, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_code_groups_between_files, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_each_key_renamed, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_missing_files, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_json_bombs, make_dir, remove_dir),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_near),
        cmocka_unit_test(test_near_of_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
