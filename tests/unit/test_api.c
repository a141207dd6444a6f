/* test_api.c: models, voices, decoders and tokenizers with wrong arguments, and what they say.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kztts/kztts.h"

#define PRESETS KZ_TEST_DATA "/checkpoints/tiny-cv"
#define DESIGN KZ_TEST_DATA "/checkpoints/mtp-vd"
#define BASE KZ_TEST_DATA "/checkpoints/odd-base"

/* Opened once for all tests. */
static kztts_model *presets, *design;

static int open_all(void **state) {
    (void)state;
    kztts_model_options options;
    kztts_model_options_init(&options, sizeof options);
    options.threads = 1;
    if (kztts_model_open(&presets, PRESETS, &options) != KZTTS_OK)
        fprintf(stderr, "%s\n", kztts_model_message(presets));
    if (kztts_model_open(&design, DESIGN, &options) != KZTTS_OK)
        fprintf(stderr, "%s\n", kztts_model_message(design));
    return strlen(kztts_model_message(presets)) + strlen(kztts_model_message(design)) > 0;
}

static int close_all(void **state) {
    (void)state;
    kztts_model_close(&presets);
    kztts_model_close(&design);
    return presets || design;
}

/* A failure says something, and says `part`. */
static void check_message(const char *message, const char *part) {
    assert_non_null(message);
    assert_true(strlen(message) > 0);
    assert_null(strchr(message, '\n'));
    if (!strstr(message, part))
        fail_msg("\"%s\" doesn't mention \"%s\"", message, part);
}

/* ---- general ----------------------------------------------------------------------------------------------- */

static void test_texts(void **state) {
    (void)state;
    assert_string_equal(kztts_version(), KZTTS_VERSION_STRING);
    for (int i = KZTTS_ERROR_GUARD; i <= KZTTS_END; i++) {
        assert_true(strlen(kztts_status_text((kztts_status)i)) > 0);
        for (int j = KZTTS_ERROR_GUARD; j < i; j++)
            assert_string_not_equal(kztts_status_text((kztts_status)i), kztts_status_text((kztts_status)j));
    }
    assert_true(strlen(kztts_status_text((kztts_status)-99)) > 0);
    assert_string_equal(kztts_finish_text(KZTTS_FINISH_EOS), "eos");
    assert_string_equal(kztts_finish_text(KZTTS_FINISH_LENGTH), "length");
    assert_string_equal(kztts_finish_text(KZTTS_FINISH_CANCELLED), "cancelled");
    assert_true(strlen(kztts_finish_text((kztts_finish_reason)99)) > 0);
}

static void test_cpu_levels(void **state) {
    (void)state;
    int usable = -1, n = 0;
    assert_string_equal(kztts_cpu_level(0, &usable), "c");
    assert_int_equal(usable, 1);
    while (kztts_cpu_level(n, NULL))
        n++;
    assert_true(n >= 1 && n < 32);
    assert_null(kztts_cpu_level(n + 1, &usable));
    assert_null(kztts_cpu_level(-1, &usable));
}

/* ---- model ------------------------------------------------------------------------------------------------- */

static kztts_status open_with(const char *path, const kztts_model_options *options, const char *part) {
    kztts_model *model = NULL;
    kztts_status status = kztts_model_open(&model, path, options);
    assert_non_null(model);
    if (status == KZTTS_OK)
        assert_string_equal(kztts_model_message(model), "");
    else
        check_message(kztts_model_message(model), part);
    kztts_model_close(&model);
    assert_null(model);
    return status;
}

static void test_model_open_arguments(void **state) {
    (void)state;
    kztts_model_options options;
    assert_int_equal(kztts_model_open(NULL, PRESETS, NULL), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(open_with(NULL, NULL, "path"), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(open_with(KZ_TEST_DATA "/no-such-model", NULL, "no-such-model"), KZTTS_ERROR_NOT_FOUND);
    memset(&options, 0, sizeof options);
    assert_int_equal(open_with(PRESETS, &options, "init"), KZTTS_ERROR_ARGUMENT);
    kztts_model_options_init(&options, sizeof options);
    options.cpu = "z80";
    assert_int_equal(open_with(PRESETS, &options, "z80"), KZTTS_ERROR_ARGUMENT);
    kztts_model_options_init(&options, sizeof options);
    options.predictor_cpu = "6502";
    assert_int_equal(open_with(PRESETS, &options, "6502"), KZTTS_ERROR_ARGUMENT);
    kztts_model_options_init(&options, sizeof options);
    options.threads = -1;
    assert_int_equal(open_with(PRESETS, &options, "threads"), KZTTS_ERROR_ARGUMENT);
    kztts_model_options_init(&options, sizeof options);
    options.codec_threads = -1;
    assert_int_equal(open_with(PRESETS, &options, "codec_threads: -1"), KZTTS_ERROR_ARGUMENT);
    options.codec_threads = 1025;
    assert_int_equal(open_with(PRESETS, &options, "codec_threads: 1025"), KZTTS_ERROR_ARGUMENT);
    kztts_model_options_init(&options, sizeof options);
    options.threads = 1;
    options.cpu = "c";
    assert_int_equal(open_with(BASE, &options, ""), KZTTS_OK);
}

static void test_model_handles(void **state) {
    (void)state;
    kztts_model *none = NULL;
    kztts_model_close(NULL);
    kztts_model_close(&none);
    kztts_model_options_init(NULL, sizeof(kztts_model_options));
    assert_non_null(kztts_model_message(NULL));
    assert_null(kztts_model_speaker(NULL, 0));
    assert_null(kztts_model_language(NULL, 0));
}

static void test_model_info(void **state) {
    (void)state;
    kztts_model_info info = {.size = sizeof info};
    assert_int_equal(kztts_model_get_info(NULL, &info), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_model_get_info(presets, NULL), KZTTS_ERROR_ARGUMENT);
    info.size = 0;
    assert_int_equal(kztts_model_get_info(presets, &info), KZTTS_ERROR_ARGUMENT);
    info.size = sizeof info;
    assert_int_equal(kztts_model_get_info(presets, &info), KZTTS_OK);
    assert_string_equal(info.type, "custom_voice");
    assert_string_equal(info.model_size, "0b6");
    assert_int_equal(info.threads, 1);
    assert_int_equal(info.codec_threads, 1);
    assert_int_equal(info.sample_rate, 24000);
    assert_int_equal(info.frame_samples, 1920);
    assert_int_equal(info.code_groups, 16);
    assert_int_equal(info.codebook_size, 64);
    assert_int_equal(info.speakers, 9);
    assert_int_equal(info.languages, 10);
    assert_int_equal(info.instruct, 0);
    assert_int_equal(info.max_frames, 8191);
    assert_int_equal(info.weight_bytes, 1256384 + 1451484);
    assert_true(info.parameters > 500000 && info.parameters < info.weight_bytes);
    assert_true(info.packed_bytes > 0 && info.stream_bytes > 0);
    /* 64 wide, 4 + 2 * 2 heads of 32, 160 inside; bf16 */
    const uint64_t layer = 64 * 256 + 128 * 64 + 3 * 64 * 160, predictor = 2 * 2 * layer, heads = 2 * 15 * 64 * 64;
    assert_true(info.talker_products == 3 * layer + 64 * 1088 && info.talker_bytes == 2 * info.talker_products);
    assert_true(info.predictor_bytes == predictor + heads && info.predictor_frame_bytes == 15 * predictor + heads);
    assert_true(info.codec_products > info.codec_bytes && info.codec_bytes < info.packed_bytes);
    assert_int_equal(kztts_model_get_info(design, &info), KZTTS_OK);
    assert_string_equal(info.type, "voice_design");
    assert_int_equal(info.instruct, 1);
    assert_int_equal(info.speakers, 0);
}

/* The codec's threads are those of the rest, or its own; a program that doesn't know the option has the former. */
static void test_codec_threads(void **state) {
    static const struct {
        int threads, codec, want;
    } rows[] = {{2, 0, 2}, {2, 2, 2}, {2, 1, 1}, {1, 3, 3}};
    (void)state;
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        const size_t row = i / 2;
        kztts_model_options options;
        kztts_model *model = NULL;
        kztts_decoder *decoder = NULL;
        kztts_model_info info = {.size = sizeof info};
        kztts_model_options_init(&options, i % 2 ? offsetof(kztts_model_options, codec_threads) : sizeof options);
        options.threads = rows[row].threads;
        options.codec_threads = rows[row].codec;
        int want = i % 2 ? rows[row].threads : rows[row].want;
        assert_int_equal(kztts_model_open(&model, PRESETS, &options), KZTTS_OK);
        assert_int_equal(kztts_model_get_info(model, &info), KZTTS_OK);
        assert_int_equal(info.threads, rows[row].threads);
        assert_int_equal(info.codec_threads, want);
        assert_int_equal(kztts_decoder_open(&decoder, PRESETS, KZTTS_DECODE_CONTINUOUS, &options), KZTTS_OK);
        assert_int_equal(kztts_decoder_get_info(decoder, &info), KZTTS_OK);
        assert_int_equal(info.codec_threads, want);
        kztts_decoder_close(&decoder);
        kztts_model_close(&model);
    }
}

/* An older program has a shorter struct: nothing beyond it may be written. */
static void test_model_info_short_struct(void **state) {
    (void)state;
    kztts_model_info info;
    memset(&info, 0x5a, sizeof info);
    info.size = offsetof(kztts_model_info, threads);
    assert_int_equal(kztts_model_get_info(presets, &info), KZTTS_OK);
    assert_string_equal(info.type, "custom_voice");
    assert_int_equal(info.size, offsetof(kztts_model_info, threads));
    const unsigned char *rest = (const unsigned char *)&info + offsetof(kztts_model_info, threads);
    for (size_t i = 0; i < sizeof info - offsetof(kztts_model_info, threads); i++)
        assert_int_equal(rest[i], 0x5a);
}

static int count_names(const char *(*name)(const kztts_model *, int), const kztts_model *model, const char *wanted) {
    int n = 0, found = 0;
    for (; name(model, n); n++)
        found += !strcmp(name(model, n), wanted);
    assert_int_equal(found, 1);
    assert_null(name(model, -1));
    assert_null(name(model, n + 5));
    return n;
}

static void test_model_lists(void **state) {
    (void)state;
    assert_int_equal(count_names(kztts_model_speaker, presets, "uncle_fu"), 9);
    assert_int_equal(count_names(kztts_model_language, presets, "english"), 10);
    assert_int_equal(count_names(kztts_model_language, design, "korean"), 10);
    for (int i = 0; i < 10; i++)
        assert_null(strstr(kztts_model_language(presets, i), "dialect"));
    assert_null(kztts_model_speaker(design, 0));
}

/* ---- voice ------------------------------------------------------------------------------------------------- */

static kztts_status preset_with(kztts_model *model, const char *name, const char *want_name, const char *part) {
    kztts_voice *voice = NULL;
    kztts_status status = kztts_voice_preset(&voice, model, name);
    assert_non_null(voice);
    if (status == KZTTS_OK)
        assert_string_equal(kztts_voice_name(voice), want_name);
    else
        check_message(kztts_voice_message(voice), part);
    kztts_voice_close(&voice);
    assert_null(voice);
    return status;
}

static void test_voice_preset(void **state) {
    (void)state;
    kztts_voice *none = NULL;
    assert_int_equal(kztts_voice_preset(NULL, presets, "ryan"), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(preset_with(NULL, "ryan", "", "model"), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(preset_with(presets, "RyAn", "ryan", ""), KZTTS_OK);
    assert_int_equal(preset_with(presets, NULL, "serena", ""), KZTTS_OK);
    assert_int_equal(preset_with(presets, "", "", ""), KZTTS_OK);
    assert_int_equal(preset_with(presets, "ryna", "", "ryan"), KZTTS_ERROR_NOT_FOUND);
    assert_int_equal(preset_with(presets, "ryna", "", "ryna"), KZTTS_ERROR_NOT_FOUND);
    assert_int_equal(preset_with(design, "ryan", "", "descri"), KZTTS_ERROR_VOICE);
    kztts_voice_close(NULL);
    kztts_voice_close(&none);
    assert_non_null(kztts_voice_message(NULL));
    assert_non_null(kztts_voice_name(NULL));
}

static void test_voice_of_unopened_model(void **state) {
    (void)state;
    kztts_model *broken = NULL;
    assert_int_equal(kztts_model_open(&broken, KZ_TEST_DATA "/nothing", NULL), KZTTS_ERROR_NOT_FOUND);
    assert_int_equal(preset_with(broken, "ryan", "", "model"), KZTTS_ERROR_ARGUMENT);
    kztts_model_info info = {.size = sizeof info};
    assert_int_equal(kztts_model_get_info(broken, &info), KZTTS_ERROR_ARGUMENT);
    assert_null(kztts_model_speaker(broken, 0));
    kztts_model_close(&broken);
}

static kztts_status describe_with(kztts_model *model, const char *description, const char *part) {
    kztts_voice *voice = NULL;
    kztts_status status = kztts_voice_describe(&voice, model, description);
    assert_non_null(voice);
    if (status == KZTTS_OK)
        assert_string_equal(kztts_voice_name(voice), "");
    else
        check_message(kztts_voice_message(voice), part);
    kztts_voice_close(&voice);
    return status;
}

static void test_voice_describe(void **state) {
    (void)state;
    assert_int_equal(kztts_voice_describe(NULL, design, "x"), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(describe_with(NULL, "x", "model"), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(describe_with(design, NULL, "description"), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(describe_with(design, "A calm deep voice.", ""), KZTTS_OK);
    assert_int_equal(describe_with(design, "", ""), KZTTS_OK);
    assert_int_equal(describe_with(design, "calm\xff", "4"), KZTTS_ERROR_TEXT);
    assert_int_equal(describe_with(presets, "A calm deep voice.", "descri"), KZTTS_ERROR_VOICE);
}

static void test_base_has_no_voice_of_its_own(void **state) {
    (void)state;
    kztts_model *base = NULL;
    assert_int_equal(kztts_model_open(&base, BASE, NULL), KZTTS_OK);
    assert_int_equal(preset_with(base, NULL, "", "voice"), KZTTS_ERROR_VOICE);
    assert_int_equal(describe_with(base, "x", "descri"), KZTTS_ERROR_VOICE);
    kztts_model_close(&base);
}

/* ---- decoder ----------------------------------------------------------------------------------------------- */

static void test_decoder_arguments(void **state) {
    (void)state;
    kztts_decoder *decoder = NULL;
    kztts_model_info info = {.size = sizeof info};
    assert_int_equal(kztts_decoder_open(NULL, PRESETS, KZTTS_DECODE_CONTINUOUS, NULL), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_decoder_open(&decoder, NULL, KZTTS_DECODE_CONTINUOUS, NULL), KZTTS_ERROR_ARGUMENT);
    check_message(kztts_decoder_message(decoder), "path");
    kztts_decoder_close(&decoder);
    assert_int_equal(kztts_decoder_open(&decoder, PRESETS, (kztts_decode_mode)5, NULL), KZTTS_ERROR_ARGUMENT);
    check_message(kztts_decoder_message(decoder), "mode");
    kztts_decoder_close(&decoder);
    assert_int_equal(kztts_decoder_open(&decoder, KZ_TEST_DATA "/nothing", KZTTS_DECODE_CONTINUOUS, NULL),
                     KZTTS_ERROR_NOT_FOUND);
    check_message(kztts_decoder_message(decoder), "nothing");
    assert_int_equal(kztts_decoder_get_info(decoder, &info), KZTTS_ERROR_ARGUMENT);
    kztts_decoder_close(&decoder);
    assert_null(decoder);
    kztts_decoder_close(&decoder);
    kztts_decoder_close(NULL);
    kztts_decoder_restart(NULL);
    assert_non_null(kztts_decoder_message(NULL));
    assert_int_equal(kztts_decoder_run(NULL, NULL, 0, NULL), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_decoder_open(&decoder, PRESETS "/speech_tokenizer", KZTTS_DECODE_CONTINUOUS, NULL),
                     KZTTS_OK);
    assert_int_equal(kztts_decoder_get_info(decoder, &info), KZTTS_OK);
    assert_int_equal(info.code_groups, 16);
    assert_int_equal(info.codebook_size, 64);
    assert_int_equal(info.frame_samples, 1920);
    assert_int_equal(info.sample_rate, 24000);
    kztts_decoder_close(&decoder);
}

static void test_decoder_codes(void **state) {
    (void)state;
    enum { FRAMES = 2, GROUPS = 16, SAMPLES = 1920 };
    static float pcm[FRAMES * SAMPLES];
    int32_t codes[FRAMES * GROUPS] = {0};
    kztts_decoder *decoder = NULL;
    assert_int_equal(kztts_decoder_open(&decoder, PRESETS, KZTTS_DECODE_REFERENCE, NULL), KZTTS_OK);
    assert_int_equal(kztts_decoder_run(decoder, NULL, 1, pcm), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_decoder_run(decoder, codes, 1, NULL), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_decoder_run(decoder, NULL, 0, NULL), KZTTS_OK);
    static const int32_t wrong[] = {64, -1, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        codes[GROUPS + 7] = wrong[i];
        pcm[0] = 42;
        assert_int_equal(kztts_decoder_run(decoder, codes, FRAMES, pcm), KZTTS_ERROR_ARGUMENT);
        check_message(kztts_decoder_message(decoder), "frame 1");
        check_message(kztts_decoder_message(decoder), "7");
        assert_true(pcm[0] == 42.0f);
    }
    codes[GROUPS + 7] = 63;
    assert_int_equal(kztts_decoder_run(decoder, codes, FRAMES, pcm), KZTTS_OK);
    assert_true(pcm[0] != 42.0f);
    kztts_decoder_close(&decoder);
}

/* ---- tokenizer --------------------------------------------------------------------------------------------- */

static void test_tokenizer_arguments(void **state) {
    (void)state;
    kztts_tokenizer *tokenizer = NULL;
    int32_t *ids = NULL;
    size_t n = 7;
    assert_int_equal(kztts_tokenizer_open(NULL, PRESETS, KZTTS_PATTERN_NATIVE), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_tokenizer_open(&tokenizer, NULL, KZTTS_PATTERN_NATIVE), KZTTS_ERROR_ARGUMENT);
    kztts_tokenizer_close(&tokenizer);
    assert_int_equal(kztts_tokenizer_open(&tokenizer, PRESETS, (kztts_pattern)9), KZTTS_ERROR_ARGUMENT);
    check_message(kztts_tokenizer_message(tokenizer), "pattern");
    kztts_tokenizer_close(&tokenizer);
    assert_int_equal(kztts_tokenizer_open(&tokenizer, KZ_TEST_DATA "/nothing", KZTTS_PATTERN_NATIVE),
                     KZTTS_ERROR_NOT_FOUND);
    check_message(kztts_tokenizer_message(tokenizer), "nothing");
    assert_int_equal(kztts_tokenizer_encode(tokenizer, "a", 1, 0, &ids, &n), KZTTS_ERROR_ARGUMENT);
    kztts_tokenizer_close(&tokenizer);
    kztts_tokenizer_close(NULL);
    assert_non_null(kztts_tokenizer_message(NULL));
    assert_int_equal(kztts_tokenizer_encode(NULL, "a", 1, 0, &ids, &n), KZTTS_ERROR_ARGUMENT);
}

static void test_tokenizer_encode(void **state) {
    (void)state;
    kztts_tokenizer *tokenizer = NULL;
    int32_t *ids = NULL;
    size_t n = 7, n_special = 0;
    static const char text[] = "a<|im_end|>";
    assert_int_equal(kztts_tokenizer_open(&tokenizer, PRESETS, KZTTS_PATTERN_NATIVE), KZTTS_OK);
    assert_int_equal(kztts_tokenizer_encode(tokenizer, "ab\xff", 3, 0, &ids, &n), KZTTS_ERROR_TEXT);
    check_message(kztts_tokenizer_message(tokenizer), "2");
    assert_int_equal(kztts_tokenizer_encode(tokenizer, NULL, 1, 0, &ids, &n), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_tokenizer_encode(tokenizer, "a", 1, 0, NULL, &n), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_tokenizer_encode(tokenizer, "a", 1, 0, &ids, NULL), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_tokenizer_encode(tokenizer, "", 0, 0, &ids, &n), KZTTS_OK);
    assert_int_equal(n, 0);
    kztts_free(ids);
    assert_int_equal(kztts_tokenizer_encode(tokenizer, text, sizeof text - 1, 0, &ids, &n), KZTTS_OK);
    kztts_free(ids);
    assert_int_equal(kztts_tokenizer_encode(tokenizer, text, sizeof text - 1, 1, &ids, &n_special), KZTTS_OK);
    assert_int_equal(n_special, 2);
    assert_int_equal(ids[1], 662);
    assert_true(n > n_special);
    kztts_free(ids);
    kztts_tokenizer_close(&tokenizer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_cpu_levels),
        cmocka_unit_test(test_model_open_arguments),
        cmocka_unit_test(test_model_handles),
        cmocka_unit_test(test_model_info),
        cmocka_unit_test(test_codec_threads),
        cmocka_unit_test(test_model_info_short_struct),
        cmocka_unit_test(test_model_lists),
        cmocka_unit_test(test_voice_preset),
        cmocka_unit_test(test_voice_of_unopened_model),
        cmocka_unit_test(test_voice_describe),
        cmocka_unit_test(test_base_has_no_voice_of_its_own),
        cmocka_unit_test(test_decoder_arguments),
        cmocka_unit_test(test_decoder_codes),
        cmocka_unit_test(test_tokenizer_arguments),
        cmocka_unit_test(test_tokenizer_encode),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
