/* test_api_stream.c: the stream's functions with wrong arguments and in wrong states, and what they say.
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
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

/* Opened once for all tests. */
static kztts_model *presets, *design;
static kztts_voice *ryan;

static struct {
    int n_warning;
    char last[512];
} warnings;

static void on_log(void *user, kztts_log_level level, const char *message) {
    assert_ptr_equal(user, &warnings);
    assert_non_null(message);
    assert_null(strchr(message, '\n'));
    if (level != KZTTS_LOG_WARNING)
        return;
    warnings.n_warning++;
    snprintf(warnings.last, sizeof warnings.last, "%s", message);
}

static int open_all(void **state) {
    (void)state;
    kztts_model_options options;
    kztts_model_options_init(&options, sizeof options);
    options.threads = 1;
    options.log = on_log;
    options.log_user = &warnings;
    if (kztts_model_open(&presets, PRESETS, &options) != KZTTS_OK)
        fprintf(stderr, "%s\n", kztts_model_message(presets));
    if (kztts_model_open(&design, DESIGN, &options) != KZTTS_OK)
        fprintf(stderr, "%s\n", kztts_model_message(design));
    return kztts_voice_preset(&ryan, presets, "Ryan") != KZTTS_OK;
}

static int close_all(void **state) {
    (void)state;
    kztts_voice_close(&ryan);
    kztts_model_close(&presets);
    kztts_model_close(&design);
    return ryan || presets || design;
}

/* A failure says something, and says `part`. */
static void check_message(const char *message, const char *part) {
    assert_non_null(message);
    assert_true(strlen(message) > 0);
    assert_null(strchr(message, '\n'));
    if (!strstr(message, part))
        fail_msg("\"%s\" doesn't mention \"%s\"", message, part);
}

/* ---- stream options ---------------------------------------------------------------------------------------- */

static kztts_status stream_with(const kztts_stream_options *options, const char *part) {
    kztts_stream *stream = NULL;
    kztts_status status = kztts_stream_open(&stream, presets, ryan, options);
    assert_non_null(stream);
    if (status == KZTTS_OK)
        assert_string_equal(kztts_stream_message(stream), "");
    else
        check_message(kztts_stream_message(stream), part);
    kztts_stream_close(&stream);
    assert_null(stream);
    return status;
}

static kztts_stream_options defaults(void) {
    kztts_stream_options options;
    kztts_stream_options_init(&options, sizeof options);
    return options;
}

static void test_stream_open_arguments(void **state) {
    (void)state;
    kztts_stream *stream = NULL;
    kztts_voice *described = NULL;
    kztts_stream_options options;
    assert_int_equal(kztts_stream_open(NULL, presets, ryan, NULL), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_stream_open(&stream, NULL, ryan, NULL), KZTTS_ERROR_ARGUMENT);
    kztts_stream_close(&stream);
    assert_int_equal(kztts_stream_open(&stream, presets, NULL, NULL), KZTTS_ERROR_ARGUMENT);
    check_message(kztts_stream_message(stream), "voice");
    kztts_stream_close(&stream);
    assert_int_equal(kztts_voice_describe(&described, design, "old"), KZTTS_OK);
    assert_int_equal(kztts_stream_open(&stream, presets, described, NULL), KZTTS_ERROR_VOICE);
    check_message(kztts_stream_message(stream), "model");
    kztts_stream_close(&stream);
    kztts_voice_close(&described);
    memset(&options, 0, sizeof options);
    assert_int_equal(stream_with(&options, "init"), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(stream_with(NULL, ""), KZTTS_OK);
    kztts_stream_options_init(NULL, sizeof options);
}

static void test_stream_language(void **state) {
    (void)state;
    kztts_stream_options options = defaults();
    options.language = "GerMan";
    assert_int_equal(stream_with(&options, ""), KZTTS_OK);
    options.language = "Auto";
    assert_int_equal(stream_with(&options, ""), KZTTS_OK);
    options.language = "englisch";
    assert_int_equal(stream_with(&options, "english"), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(stream_with(&options, "englisch"), KZTTS_ERROR_ARGUMENT);
    options.language = "sichuan_dialect";
    assert_int_equal(stream_with(&options, "sichuan_dialect"), KZTTS_ERROR_ARGUMENT);
    options.language = "klingon";
    assert_int_equal(stream_with(&options, "klingon"), KZTTS_ERROR_ARGUMENT);
}

static void check_float(size_t offset, float value, kztts_status want, const char *part) {
    kztts_stream_options options = defaults();
    memcpy((unsigned char *)&options + offset, &value, sizeof value);
    assert_int_equal(stream_with(&options, part), want);
}

static void test_stream_numbers(void **state) {
    (void)state;
    static const size_t temperatures[] = {offsetof(kztts_stream_options, temperature),
                                          offsetof(kztts_stream_options, sub_temperature)};
    static const size_t top_ps[] = {offsetof(kztts_stream_options, top_p), offsetof(kztts_stream_options, sub_top_p)};
    const float nan_value = nanf(""), inf = HUGE_VALF;
    for (int i = 0; i < 2; i++) {
        check_float(temperatures[i], 0, KZTTS_ERROR_ARGUMENT, "temperature");
        check_float(temperatures[i], nan_value, KZTTS_ERROR_ARGUMENT, "temperature");
        check_float(temperatures[i], inf, KZTTS_ERROR_ARGUMENT, "temperature");
        check_float(temperatures[i], -1, KZTTS_OK, "");
        check_float(temperatures[i], 2, KZTTS_OK, "");
        check_float(top_ps[i], 1.5f, KZTTS_ERROR_ARGUMENT, "top_p");
        check_float(top_ps[i], nan_value, KZTTS_ERROR_ARGUMENT, "top_p");
        check_float(top_ps[i], 0, KZTTS_OK, "");
    }
    check_float(offsetof(kztts_stream_options, repetition_penalty), 0, KZTTS_ERROR_ARGUMENT, "penalty");
    check_float(offsetof(kztts_stream_options, repetition_penalty), nan_value, KZTTS_ERROR_ARGUMENT, "penalty");
    check_float(offsetof(kztts_stream_options, repetition_penalty), 1, KZTTS_OK, "");
}

static void test_stream_modes(void **state) {
    (void)state;
    kztts_stream_options options = defaults();
    options.text_mode = (kztts_text_mode)99;
    assert_int_equal(stream_with(&options, "text_mode"), KZTTS_ERROR_ARGUMENT);
    options = defaults();
    options.decode_mode = (kztts_decode_mode)99;
    assert_int_equal(stream_with(&options, "decode_mode"), KZTTS_ERROR_ARGUMENT);
    options = defaults();
    options.instruct = "\xc3(";
    assert_int_equal(stream_with(&options, "UTF-8"), KZTTS_ERROR_TEXT);
    options = defaults();
    options.max_frames = 1;
    options.top_k = 0;
    options.sub_top_k = 0;
    options.sample = 0;
    options.sub_sample = 0;
    assert_int_equal(stream_with(&options, ""), KZTTS_OK);
}

static void test_instruct_warning(void **state) {
    (void)state;
    kztts_stream_options options = defaults();
    int before = warnings.n_warning;
    assert_int_equal(stream_with(&options, ""), KZTTS_OK);
    options.instruct = "";
    assert_int_equal(stream_with(&options, ""), KZTTS_OK);
    assert_int_equal(warnings.n_warning, before);
    options.instruct = "Very happy.";
    assert_int_equal(stream_with(&options, ""), KZTTS_OK);
    assert_int_equal(warnings.n_warning, before + 1);
    check_message(warnings.last, "instruct");
}

/* ---- stream states ----------------------------------------------------------------------------------------- */

static kztts_stream *open_stream(int max_frames) {
    kztts_stream *stream = NULL;
    kztts_stream_options options = defaults();
    options.max_frames = max_frames;
    assert_int_equal(kztts_stream_open(&stream, presets, ryan, &options), KZTTS_OK);
    return stream;
}

static void test_stream_null(void **state) {
    (void)state;
    float pcm[8];
    size_t n = 7;
    kztts_stream *none = NULL;
    kztts_summary summary = {.size = sizeof summary};
    assert_int_equal(kztts_stream_put(NULL, "a", 1), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_stream_finish(NULL), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_stream_read(NULL, pcm, 8, &n), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_stream_restart(NULL, NULL), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_stream_get_summary(NULL, &summary), KZTTS_ERROR_ARGUMENT);
    assert_non_null(kztts_stream_message(NULL));
    kztts_stream_cancel(NULL);
    kztts_stream_close(NULL);
    kztts_stream_close(&none);
}

static void test_stream_put(void **state) {
    (void)state;
    kztts_stream *stream = open_stream(1);
    assert_int_equal(kztts_stream_put(stream, NULL, 0), KZTTS_OK);
    assert_int_equal(kztts_stream_put(stream, "", 0), KZTTS_OK);
    assert_int_equal(kztts_stream_put(stream, NULL, 1), KZTTS_ERROR_ARGUMENT);
    check_message(kztts_stream_message(stream), "text");
    kztts_stream_close(&stream);

    stream = open_stream(1);
    assert_int_equal(kztts_stream_put(stream, "Hello.", 6), KZTTS_OK);
    assert_int_equal(kztts_stream_finish(stream), KZTTS_OK);
    assert_int_equal(kztts_stream_put(stream, "More.", 5), KZTTS_ERROR_ARGUMENT);
    check_message(kztts_stream_message(stream), "finish");
    kztts_stream_close(&stream);
}

static void check_bad_text(const char *first, const char *second, const char *offset) {
    kztts_stream *stream = open_stream(1);
    kztts_status status = kztts_stream_put(stream, first, strlen(first));
    if (status == KZTTS_OK)
        status = kztts_stream_put(stream, second, strlen(second));
    if (status == KZTTS_OK)
        status = kztts_stream_finish(stream);
    assert_int_equal(status, KZTTS_ERROR_TEXT);
    check_message(kztts_stream_message(stream), offset);
    float pcm[8];
    size_t n = 7;
    assert_true(kztts_stream_put(stream, "Hello.", 6) < 0);
    assert_true(kztts_stream_read(stream, pcm, 8, &n) < 0);
    assert_int_equal(n, 0);
    assert_int_equal(kztts_stream_restart(stream, NULL), KZTTS_OK);
    assert_int_equal(kztts_stream_put(stream, "Hello.", 6), KZTTS_OK);
    assert_int_equal(kztts_stream_finish(stream), KZTTS_OK);
    assert_int_equal(kztts_stream_read(stream, pcm, 8, &n), KZTTS_OK);
    assert_int_equal(n, 8);
    kztts_stream_close(&stream);
}

static void test_stream_invalid_text(void **state) {
    (void)state;
    check_bad_text("abc", "d\xff", "4");
    check_bad_text("\xc3", "(", "0");
    check_bad_text("ab", "\xe4\xbd", "2");   /* ends in the middle of a character */
    check_bad_text("\xed\xa0\x80", "", "0"); /* a surrogate */
}

static void test_stream_nothing_to_speak(void **state) {
    (void)state;
    static const char *const texts[] = {"", " \t\r\n", "... ?!", "\xf0\x9f\x98\x80"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        kztts_stream *stream = open_stream(1);
        assert_int_equal(kztts_stream_put(stream, texts[i], strlen(texts[i])), KZTTS_OK);
        assert_int_equal(kztts_stream_finish(stream), KZTTS_ERROR_TEXT);
        check_message(kztts_stream_message(stream), "speak");
        kztts_stream_close(&stream);
    }
}

static void test_stream_read(void **state) {
    (void)state;
    float pcm[8];
    size_t n = 7;
    kztts_stream *stream = open_stream(1);
    assert_int_equal(kztts_stream_read(stream, pcm, 8, &n), KZTTS_AGAIN);
    assert_int_equal(n, 0);
    assert_int_equal(kztts_stream_put(stream, "Hello.", 6), KZTTS_OK);
    assert_int_equal(kztts_stream_read(stream, pcm, 8, &n), KZTTS_AGAIN);
    assert_int_equal(kztts_stream_finish(stream), KZTTS_OK);
    assert_int_equal(kztts_stream_read(stream, NULL, 8, &n), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_stream_read(stream, pcm, 8, NULL), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_stream_read(stream, pcm, 0, &n), KZTTS_ERROR_ARGUMENT);
    size_t total = 0;
    kztts_status status;
    while ((status = kztts_stream_read(stream, pcm, 7, &n)) == KZTTS_OK) {
        assert_true(n > 0 && n <= 7);
        total += n;
    }
    assert_int_equal(status, KZTTS_END);
    assert_int_equal(n, 0);
    assert_int_equal(total, 1920);
    assert_int_equal(kztts_stream_read(stream, pcm, 8, &n), KZTTS_END);
    kztts_stream_close(&stream);
}

static void test_stream_summary_arguments(void **state) {
    (void)state;
    kztts_stream *stream = open_stream(1);
    kztts_summary summary = {0};
    assert_int_equal(kztts_stream_get_summary(stream, NULL), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_stream_get_summary(stream, &summary), KZTTS_ERROR_ARGUMENT);
    summary.size = sizeof summary;
    assert_int_equal(kztts_stream_get_summary(stream, &summary), KZTTS_OK);
    assert_int_equal(summary.finish, KZTTS_FINISH_NONE);
    assert_int_equal(summary.frames, 0);
    assert_int_equal(summary.samples, 0);
    kztts_stream_close(&stream);
}

static void test_stream_restart_arguments(void **state) {
    (void)state;
    kztts_stream *stream = open_stream(1);
    kztts_stream_options options = defaults();
    options.language = "latin";
    assert_int_equal(kztts_stream_restart(stream, &options), KZTTS_ERROR_ARGUMENT);
    check_message(kztts_stream_message(stream), "latin");
    options = defaults();
    options.top_p = 7;
    assert_int_equal(kztts_stream_restart(stream, &options), KZTTS_ERROR_ARGUMENT);
    options.top_p = 1;
    assert_int_equal(kztts_stream_restart(stream, &options), KZTTS_OK);
    assert_int_equal(kztts_stream_put(stream, "Hello.", 6), KZTTS_OK);
    kztts_stream_close(&stream);
}

/* ---- one call ---------------------------------------------------------------------------------------------- */

static void check_speak(const char *text, const kztts_stream_options *options, kztts_status want, const char *part) {
    float *pcm = (float *)&want;
    size_t n = 7;
    char message[300] = "";
    assert_int_equal(kztts_speak(presets, ryan, text, options, &pcm, &n, message, sizeof message), want);
    if (want == KZTTS_OK) {
        assert_non_null(pcm);
        assert_true(n > 0);
        assert_string_equal(message, "");
    } else {
        assert_null(pcm);
        assert_int_equal(n, 0);
        check_message(message, part);
    }
    kztts_free(pcm);
}

static void test_speak(void **state) {
    (void)state;
    kztts_stream_options options = defaults();
    float *pcm = NULL;
    size_t n = 0;
    char message[8] = "";
    options.max_frames = 2;
    check_speak("Hello.", &options, KZTTS_OK, "");
    check_speak("...", &options, KZTTS_ERROR_TEXT, "speak");
    check_speak("a\xff", &options, KZTTS_ERROR_TEXT, "1");
    check_speak(NULL, &options, KZTTS_ERROR_ARGUMENT, "text");
    options.language = "latin";
    check_speak("Hello.", &options, KZTTS_ERROR_ARGUMENT, "latin");
    assert_int_equal(kztts_speak(NULL, ryan, "a", NULL, &pcm, &n, message, sizeof message), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(strlen(message), sizeof message - 1);
    assert_int_equal(kztts_speak(presets, NULL, "a", NULL, &pcm, &n, NULL, 0), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_speak(presets, ryan, "a", NULL, NULL, &n, NULL, 0), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_speak(presets, ryan, "a", NULL, &pcm, NULL, NULL, 0), KZTTS_ERROR_ARGUMENT);
    assert_null(pcm);
    kztts_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stream_open_arguments),
        cmocka_unit_test(test_stream_language),
        cmocka_unit_test(test_stream_numbers),
        cmocka_unit_test(test_stream_modes),
        cmocka_unit_test(test_instruct_warning),
        cmocka_unit_test(test_stream_null),
        cmocka_unit_test(test_stream_put),
        cmocka_unit_test(test_stream_invalid_text),
        cmocka_unit_test(test_stream_nothing_to_speak),
        cmocka_unit_test(test_stream_read),
        cmocka_unit_test(test_stream_summary_arguments),
        cmocka_unit_test(test_stream_restart_arguments),
        cmocka_unit_test(test_speak),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
