/* test_config.c: the three files of settings, whole and damaged.  SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "config_files.h"

/* ---- what is read ------------------------------------------------------------------------------------------ */

static void test_models(void **state) {
    (void)state;
    kz_config c;
    config_read_good(&c);
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
    config_read_good(&c);
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
    config_read_good(&c);
    const kz_generation_config *g = &c.generation;
    assert_true(!g->do_sample && !g->sub_do_sample && g->temperature == 0.5f && g->sub_temperature == 0.25f);
    assert_true(g->top_k == 11 && g->sub_top_k == 12 && g->top_p == 0.75f && g->sub_top_p == 0.625f);
    assert_true(g->repetition_penalty == 1.5f && g->max_new_tokens == 1234);
    kz_config_free(&c);
    for (int i = 0; i < 3; i++) { /* no file, no keys, only nulls: the official defaults */
        if (i == 0)
            assert_int_equal(unlink(config_path(config_names[GENERATION])), 0);
        else
            config_write(GENERATION, i == 1 ? "{\"other\": [1]}" : "{\"top_k\": null, \"do_sample\": null}");
        config_read_good(&c);
        assert_true(g->do_sample && g->sub_do_sample && g->temperature == 0.9f && g->sub_temperature == 0.9f);
        assert_true(g->top_k == 50 && g->sub_top_k == 50 && g->top_p == 1 && g->sub_top_p == 1);
        assert_true(g->repetition_penalty == 1.05f && g->max_new_tokens == 2048);
        kz_config_free(&c);
    }
}

static void test_codec(void **state) {
    (void)state;
    kz_config c;
    config_read_good(&c);
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

static void test_base(void **state) {
    (void)state;
    kz_config c;
    char *base = config_replaced(config_good[CONFIG], NULL, "custom_voice", "base");
    config_write(CONFIG, base);
    free(base);
    config_read_good(&c);
    const kz_speaker_config *s = &c.speaker;
    assert_true(s->d_out == 96 && s->n_mel == 100 && s->sample_rate == 24000 && s->d_attention == 14);
    assert_true(s->n_group == 4 && s->d_squeeze == 10 && s->channel[0] == 24 && s->channel[4] == 72);
    assert_true(s->kernel[0] == 7 && s->kernel[4] == 1 && s->dilation[3] == 5);
    const kz_encoder_config *e = &c.encoder;
    const kz_stack_config *t = &e->transformer;
    assert_true(t->n_layer == 4 && t->d_model == 36 && t->d_ff == 70 && t->n_head == 3 && t->n_kv == 3);
    assert_true(t->d_head == 12 && t->window == 0 && t->layer_norm && t->plain_mlp && t->layer_scale && !t->qk_norm);
    assert_true(t->rms_eps == 1e-5f && t->rope_theta == 7000);
    assert_true(e->n_rate == 4 && e->rate[0] == 4 && e->rate[3] == 8 && e->frame_samples == 1920);
    assert_true(e->n_filter == 6 && e->compress == 2 && e->kernel == 7 && e->last_kernel == 3);
    assert_true(e->residual_kernel == 5 && e->n_code == 8 && e->codebook_size == 64 && e->d_codebook == 18);
    kz_config_free(&c);
}

/* The codec's file alone, as a program that only decodes reads it. */
static void test_codec_alone(void **state) {
    (void)state;
    char codec_dir[96];
    kz_codec_config c;
    kz_err err = {""};
    (void)snprintf(codec_dir, sizeof codec_dir, "%s/speech_tokenizer", config_dir);
    if (kz_codec_config_read(&c, codec_dir, &err) != KZTTS_OK)
        fail_msg("%s", err.message);
    assert_true(c.n_code == 8 && c.frame_samples == 1920);
    config_check_failure(kz_codec_config_read(&c, "no/such/folder", &err), KZTTS_ERROR_NOT_FOUND, &err,
                         "no/such/folder", "no codec");
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
        char *typed = config_replaced(config_good[CONFIG], NULL, "custom_voice", rows[i].type);
        char *sized = config_replaced(typed, NULL, "1b7", rows[i].size);
        config_write(CONFIG, sized);
        free(typed);
        free(sized);
        config_read_good(&c);
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
        {CODEC, NULL, "\"encoder_config\"", "\"x\""}, /* only base models need it */
        {CONFIG, NULL, "\"speaker_encoder_config\"", "\"x\""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kz_config c;
        char *text = config_replaced(config_good[rows[i].file], rows[i].after, rows[i].from, rows[i].to);
        config_write(rows[i].file, text);
        free(text);
        config_read_good(&c);
        kz_config_free(&c);
        config_write(rows[i].file, config_good[rows[i].file]);
    }
}

static void test_missing_files(void **state) {
    (void)state;
    kz_config c;
    kz_err err = {""};
    assert_int_equal(unlink(config_path(config_names[CODEC])), 0);
    config_check_failure(kz_config_read(&c, config_dir, &err), KZTTS_ERROR_NOT_FOUND, &err,
                         "speech_tokenizer/config.json", "codec");
    config_write(CODEC, config_good[CODEC]);
    assert_int_equal(unlink(config_path(config_names[CONFIG])), 0);
    config_check_failure(kz_config_read(&c, config_dir, &err), KZTTS_ERROR_NOT_FOUND, &err, "config.json", "config");
    config_write(CONFIG, "");
    config_check_failure(kz_config_read(&c, config_dir, &err), KZTTS_ERROR_FORMAT, &err, "config.json: not usable JSON",
                         "empty");
    config_check_failure(kz_config_read(&c, "/no/such/place", NULL), KZTTS_ERROR_NOT_FOUND, &err, "", "no directory");
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
        config_write(CONFIG, text);
        free(text);
        config_check_failure(kz_config_read(&c, config_dir, &err), KZTTS_ERROR_FORMAT, &err, rows[i].fragment,
                             rows[i].repeat);
    }
    /* more names than anyone has */
    kz_config c;
    kz_err err = {""};
    char *names_text = repeated("\"spk_id\": {", "\"n\": 1, ", 300, "\"Ryan\": 81,");
    char *text = config_replaced(config_good[CONFIG], NULL, "\"spk_id\": {\"Ryan\": 81,", names_text);
    config_write(CONFIG, text);
    config_check_failure(kz_config_read(&c, config_dir, &err), KZTTS_ERROR_FORMAT, &err,
                         "names are more than the limit of 256", "names");
    free(names_text);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_models, config_make, config_remove),
        cmocka_unit_test_setup_teardown(test_ids, config_make, config_remove),
        cmocka_unit_test_setup_teardown(test_generation, config_make, config_remove),
        cmocka_unit_test_setup_teardown(test_codec, config_make, config_remove),
        cmocka_unit_test_setup_teardown(test_base, config_make, config_remove),
        cmocka_unit_test_setup_teardown(test_codec_alone, config_make, config_remove),
        cmocka_unit_test_setup_teardown(test_types, config_make, config_remove),
        cmocka_unit_test_setup_teardown(test_tolerated, config_make, config_remove),
        cmocka_unit_test_setup_teardown(test_missing_files, config_make, config_remove),
        cmocka_unit_test_setup_teardown(test_json_bombs, config_make, config_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
