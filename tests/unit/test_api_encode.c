/* test_api_encode.c: a recording into codes through the public API.  SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "speech.h"

enum { RATE = 24000, CLIP = RATE, MOST = 60 * RATE };

static kztts_model *base, *presets;
static float *pcm; /* [MOST + 1]; CLIP of them sound */

static int open_all(void **state) {
    (void)state;
    pcm = calloc(MOST + 1, sizeof *pcm);
    base = speech_open_model(ODD, NULL, 2);
    presets = speech_open_model(PRESETS, NULL, 2);
    for (int i = 0; pcm && i < CLIP; i++)
        pcm[i] = 0.4F * (float)sin(0.03 * i) * (float)sin(0.0005 * i);
    return pcm && base && presets ? 0 : -1;
}

static int close_all(void **state) {
    (void)state;
    kztts_model_close(&base);
    kztts_model_close(&presets);
    free(pcm);
    return 0;
}

/* Must be refused: nothing is given back, and the message has the fragment. */
static void refused(kztts_status want, const kztts_model *model, const float *samples, size_t n, const char *fragment) {
    char message[512] = "untouched";
    int32_t *codes = (int32_t *)1;
    size_t n_frame = 99;
    assert_int_equal(kztts_model_encode(model, samples, n, &codes, &n_frame, message, sizeof message), want);
    assert_null(codes);
    assert_int_equal(n_frame, 0);
    if (!strstr(message, fragment))
        fail_msg("'%s' has no '%s'", message, fragment);
}

static void test_arguments(void **state) {
    (void)state;
    int32_t *codes;
    size_t n_frame;
    char message[8];
    assert_int_equal(kztts_model_encode(base, pcm, CLIP, NULL, &n_frame, NULL, 0), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(kztts_model_encode(base, pcm, CLIP, &codes, NULL, message, sizeof message), KZTTS_ERROR_ARGUMENT);
    assert_int_equal(strlen(message), sizeof message - 1);
    refused(KZTTS_ERROR_ARGUMENT, base, NULL, CLIP, "no samples");
    refused(KZTTS_ERROR_ARGUMENT, NULL, pcm, CLIP, "opened model");
    refused(KZTTS_ERROR_ARGUMENT, base, pcm, 0, "0 samples");
    refused(KZTTS_ERROR_ARGUMENT, base, pcm, MOST + 1, "1440001 samples");
    refused(KZTTS_ERROR_VOICE, presets, pcm, CLIP, "base");
    pcm[7] = NAN;
    refused(KZTTS_ERROR_ARGUMENT, base, pcm, CLIP, "sample 7");
    pcm[7] = 0;
}

static void test_broken_model(void **state) {
    (void)state;
    kztts_model *broken;
    assert_int_equal(kztts_model_open(&broken, ODD "/none", NULL), KZTTS_ERROR_NOT_FOUND);
    refused(KZTTS_ERROR_ARGUMENT, broken, pcm, CLIP, "opened model");
    kztts_model_close(&broken);
}

/* The codes are those of a clone of the same recording. */
static void test_codes(void **state) {
    (void)state;
    int32_t *codes, *again;
    size_t n_frame, n_again;
    char message[64] = "untouched";
    kztts_voice *voice;
    kztts_voice_info voice_info = {.size = sizeof voice_info};
    kztts_model_info info = {.size = sizeof info};
    assert_int_equal(kztts_model_get_info(base, &info), KZTTS_OK);
    assert_int_equal(info.voice_width, 84);
    assert_int_equal(kztts_model_encode(base, pcm, CLIP, &codes, &n_frame, message, sizeof message), KZTTS_OK);
    assert_string_equal(message, "");
    assert_int_equal(n_frame, (CLIP + FRAME_SAMPLES - 1) / FRAME_SAMPLES);
    int different = 0;
    for (size_t i = 0; i < n_frame * CODES; i++) {
        assert_in_range(codes[i], 0, info.codebook_size - 1);
        different += codes[i] != codes[i % CODES];
    }
    assert_true(different > 0);
    assert_int_equal(kztts_model_encode(base, pcm, CLIP, &again, &n_again, NULL, 0), KZTTS_OK);
    assert_int_equal(n_again, n_frame);
    assert_memory_equal(again, codes, n_frame * CODES * sizeof *codes);
    assert_int_equal(kztts_voice_clone(&voice, base, pcm, CLIP, "words"), KZTTS_OK);
    assert_int_equal(kztts_voice_get_info(voice, &voice_info), KZTTS_OK);
    assert_int_equal(voice_info.frames, n_frame);
    kztts_voice_close(&voice);
    kztts_free(codes);
    kztts_free(again);
    assert_int_equal(kztts_model_get_info(presets, &info), KZTTS_OK);
    assert_int_equal(info.voice_width, 0);
}

typedef struct job {
    int32_t *codes;
    size_t n_frame;
    kztts_status status;
} job;

static void *run_job(void *arg) {
    job *j = arg;
    j->status = kztts_model_encode(base, pcm, CLIP, &j->codes, &j->n_frame, NULL, 0);
    return NULL;
}

/* The encoder's memory is taken and given back in all of them. */
static void test_in_threads(void **state) {
    (void)state;
    enum { JOBS = 4, ROUNDS = 4 };
    job want, jobs[JOBS];
    pthread_t threads[JOBS];
    run_job(&want);
    assert_int_equal(want.status, KZTTS_OK);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < JOBS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, run_job, &jobs[i]), 0);
        for (int i = 0; i < JOBS; i++) {
            assert_int_equal(pthread_join(threads[i], NULL), 0);
            assert_int_equal(jobs[i].status, KZTTS_OK);
            assert_int_equal(jobs[i].n_frame, want.n_frame);
            assert_memory_equal(jobs[i].codes, want.codes, want.n_frame * CODES * sizeof *want.codes);
            kztts_free(jobs[i].codes);
        }
    }
    kztts_free(want.codes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_broken_model),
        cmocka_unit_test(test_codes),
        cmocka_unit_test(test_in_threads),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
