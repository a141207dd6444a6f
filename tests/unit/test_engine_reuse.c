/* test_engine_reuse.c: a stream's past and its neighbours leave no trace: reused, cancelled and concurrent streams give
 * the samples of a fresh one alone, bit for bit.  SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "api/api.h"
#include "engine/stream.h"
#include "speech.h"

/* ---- reuse and cancel -------------------------------------------------------------------------------------- */

/* The stream's next utterance must be as if it were its first. */
static void check_reuse(shared *s, kztts_stream *stream, const char *what) {
    speech *got = speech_new();
    kztts_stream_options options = speech_options(got);
    assert_int_equal(kztts_stream_restart(stream, &options), KZTTS_OK);
    speech_put(stream, ALL);
    speech_read_all(stream, got, ALL);
    speech_check(s->want, got, what);
    speech_free(got);
}

static void test_reuse(void **state) {
    shared *s = *state;
    kztts_stream *stream = NULL;
    speech *first = speech_new();
    kztts_stream_options options = speech_options(first);
    options.seed = 77;
    options.max_frames = 17;
    options.text_mode = KZTTS_TEXT_STREAMING;
    options.decode_mode = KZTTS_DECODE_REFERENCE;
    assert_int_equal(kztts_stream_open(&stream, s->model, s->voice, &options), KZTTS_OK);
    speech_put(stream, 1);
    speech_read_all(stream, first, 100);
    check_reuse(s, stream, "after another utterance");
    check_reuse(s, stream, "after the same utterance");
    /* NULL: the options of before. */
    first->n_frame = first->n_sample = 0;
    options = speech_options(first);
    assert_int_equal(kztts_stream_restart(stream, &options), KZTTS_OK);
    assert_int_equal(kztts_stream_restart(stream, NULL), KZTTS_OK);
    speech_put(stream, ALL);
    speech_read_all(stream, first, ALL);
    speech_check(s->want, first, "restart with the options of before");
    /* In the middle of an utterance, and with text but no frame yet. */
    first->n_frame = first->n_sample = 0;
    assert_int_equal(kztts_stream_restart(stream, NULL), KZTTS_OK);
    speech_put(stream, ALL);
    speech_read(stream, first, ALL, 3 * FRAME_SAMPLES + 1);
    check_reuse(s, stream, "restart in the middle");
    assert_int_equal(kztts_stream_put(stream, "", 0) < 0, 1);
    assert_int_equal(kztts_stream_restart(stream, NULL), KZTTS_OK);
    assert_int_equal(kztts_stream_put(stream, "Left over", 9), KZTTS_OK);
    check_reuse(s, stream, "restart with text waiting");
    kztts_stream_close(&stream);
    speech_free(first);
}

/* One utterance of a stream's life. */
typedef struct chapter {
    const char *text, *language, *instruct;
    kztts_text_mode mode;
    int frames, cancel_after; /* cancel_after: frames, or 0 */
} chapter;

static speech *speak_chapter(kztts_stream *stream, const chapter *c, const kztts_stream_options *options, speech *s) {
    size_t limit = (size_t)c->cancel_after * FRAME_SAMPLES;
    assert_int_equal(kztts_stream_restart(stream, options), KZTTS_OK);
    assert_int_equal(kztts_stream_put(stream, c->text, strlen(c->text)), KZTTS_OK);
    assert_int_equal(kztts_stream_finish(stream), KZTTS_OK);
    if (limit) {
        speech_read(stream, s, ALL, limit);
        kztts_stream_cancel(stream);
    } else {
        speech_read_all(stream, s, ALL);
    }
    return s;
}

/* Whatever a stream keeps from one utterance for the next, no sample may show it: prompts here begin alike, partly
 * alike, or not at all alike, get longer and shorter, and end early. */
static void check_life(kztts_model *model, kztts_voice *voice, const chapter *chapters, size_t n) {
    kztts_stream *lived = NULL;
    kztts_stream_options options = speech_options(NULL);
    assert_int_equal(kztts_stream_open(&lived, model, voice, &options), KZTTS_OK);
    for (size_t i = 0; i < n; i++) {
        const chapter *c = &chapters[i];
        speech *want = speech_new(), *got = speech_new();
        options = speech_options(got);
        options.language = c->language;
        options.instruct = c->instruct;
        options.text_mode = c->mode;
        options.max_frames = c->frames;
        speak_chapter(lived, c, &options, got);
        options.on_frame_user = want;
        kztts_stream *fresh = speech_open_fresh(model, voice, &options);
        speak_chapter(fresh, c, &options, want);
        speech_check(want, got, c->text);
        kztts_stream_close(&fresh);
        speech_free(want);
        speech_free(got);
    }
    kztts_stream_close(&lived);
}

static void test_a_long_life(void **state) {
    static const chapter chapters[] = {
        {"Hello, world.", "english", NULL, KZTTS_TEXT_FULL, 4, 0},
        {"Hello, world.", "english", NULL, KZTTS_TEXT_FULL, 4, 2},
        {"Hello, world. And more.", "english", NULL, KZTTS_TEXT_FULL, 4, 0},
        {"Hello there.", "english", NULL, KZTTS_TEXT_FULL, 9, 0},
        {"Hello there.", "german", NULL, KZTTS_TEXT_FULL, 3, 0},
        {"Hello there.", NULL, NULL, KZTTS_TEXT_FULL, 3, 0},
        {"Hello there.", "auto", NULL, KZTTS_TEXT_STREAMING, 12, 0},
        {"Hello, you there.", "auto", NULL, KZTTS_TEXT_STREAMING, 12, 5},
        {"A", "auto", NULL, KZTTS_TEXT_STREAMING, 3, 0},
        {"A", "auto", NULL, KZTTS_TEXT_FULL, 3, 0},
        {"Hello, world.", "english", NULL, KZTTS_TEXT_FULL, 4, 0},
    };
    const shared *s = *state;
    check_life(s->model, s->voice, chapters, sizeof chapters / sizeof *chapters);
}

static void test_a_life_with_descriptions(void **state) {
    static const chapter chapters[] = {
        {"Hello, world.", "english", NULL, KZTTS_TEXT_FULL, 3, 0},
        {"Good night.", "english", NULL, KZTTS_TEXT_FULL, 3, 0},
        {"Good night.", "french", NULL, KZTTS_TEXT_STREAMING, 3, 1},
        {"Good night.", "french", NULL, KZTTS_TEXT_STREAMING, 3, 0},
    };
    (void)state;
    kztts_model *model = speech_open_model(DESIGN, NULL, 2);
    kztts_voice *voice = speech_open_voice(model), *other = NULL;
    check_life(model, voice, chapters, sizeof chapters / sizeof *chapters);
    assert_int_equal(kztts_voice_describe(&other, model, ""), KZTTS_OK);
    check_life(model, other, chapters, sizeof chapters / sizeof *chapters);
    kztts_voice_close(&other);
    kztts_voice_close(&voice);
    kztts_model_close(&model);
}

static void check_cancelled(kztts_stream *stream, size_t max_frame) {
    float pcm[8];
    size_t n = 7;
    kztts_summary sum = {.size = sizeof sum};
    assert_int_equal(kztts_stream_read(stream, pcm, 8, &n), KZTTS_END);
    assert_int_equal(n, 0);
    assert_int_equal(kztts_stream_get_summary(stream, &sum), KZTTS_OK);
    assert_int_equal(sum.finish, KZTTS_FINISH_CANCELLED);
    assert_true(sum.frames <= max_frame);
}

/* A closed stream's memory serves the next one: whatever became of it, and however it spoke. */
static void test_reopened(void **state) {
    shared *s = *state;
    static const size_t read[] = {0, 1, 3 * FRAME_SAMPLES + 1, FRAMES * FRAME_SAMPLES};
    kztts_stream *other = NULL;
    for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
        kztts_stream *stream = NULL;
        speech *first = speech_new(), *got = speech_new();
        kztts_stream_options options = speech_options(first);
        options.decode_mode = i % 2 ? KZTTS_DECODE_REFERENCE : KZTTS_DECODE_CONTINUOUS;
        options.text_mode = KZTTS_TEXT_STREAMING;
        options.seed = i;
        assert_int_equal(kztts_stream_open(&stream, s->model, s->voice, &options), KZTTS_OK);
        speech_put(stream, ALL);
        speech_read(stream, first, ALL, read[i]);
        if (i == 2)
            kztts_stream_cancel(stream);
        kztts_stream_close(&stream);
        options = speech_options(got);
        assert_int_equal(kztts_stream_open(&stream, s->model, s->voice, &options), KZTTS_OK);
        if (i == 1) /* two at once: one of them is new */
            assert_int_equal(kztts_stream_open(&other, s->model, s->voice, &options), KZTTS_OK);
        speech_put(stream, ALL);
        speech_read_all(stream, got, ALL);
        speech_check(s->want, got, "on a closed stream's memory");
        kztts_stream_close(&other);
        kztts_stream_close(&stream);
        speech_free(first);
        speech_free(got);
    }
}

/* Or else test_reopened would compare new streams; and a very long utterance's memory isn't kept. */
static void test_what_is_kept(void **state) {
    shared *s = *state;
    for (int is_long = 0; is_long < 2; is_long++) {
        kztts_stream *stream = NULL;
        kztts_stream_options options = speech_options(NULL);
        options.max_frames = is_long ? 2000 : FRAMES;
        options.guard = KZTTS_GUARD_OFF;
        assert_int_equal(kztts_stream_open(&stream, s->model, s->voice, &options), KZTTS_OK);
        assert_null(atomic_load(&s->model->spare)); /* test_reopened left one: it serves here */
        speech_put(stream, ALL);
        kztts_stream_close(&stream);
        const kz_stream *spare = atomic_load(&s->model->spare);
        assert_non_null(spare);
        assert_int_equal(spare->lane[0].arena.base != NULL, !is_long);
        assert_null(spare->parts);
    }
}

static void test_cancel(void **state) {
    shared *s = *state;
    static const size_t at[] = {0, 1, 5};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        for (size_t extra = 0; extra < 2; extra++) {
            /* extra: part of the next frame is read, its rest must be dropped */
            kztts_stream *stream = NULL;
            speech *got = speech_new();
            kztts_stream_options options = speech_options(got);
            assert_int_equal(kztts_stream_open(&stream, s->model, s->voice, &options), KZTTS_OK);
            speech_put(stream, ALL);
            speech_read(stream, got, ALL, at[i] * FRAME_SAMPLES + extra);
            kztts_stream_cancel(stream);
            check_cancelled(stream, at[i] + extra);
            check_reuse(s, stream, "after a cancel");
            kztts_stream_close(&stream);
            speech_free(got);
        }
}

/* A cancel that comes after the end doesn't change why it ended. */
static void test_cancel_after_the_end(void **state) {
    shared *s = *state;
    kztts_stream *stream = NULL;
    speech *got = speech_new();
    kztts_stream_options options = speech_options(got);
    assert_int_equal(kztts_stream_open(&stream, s->model, s->voice, &options), KZTTS_OK);
    speech_put(stream, ALL);
    speech_read_all(stream, got, ALL);
    kztts_stream_cancel(stream);
    speech_read_all(stream, got, ALL);
    assert_int_equal(got->summary.finish, KZTTS_FINISH_LENGTH);
    speech_check(s->want, got, "cancelled after the end");
    check_reuse(s, stream, "after a cancel after the end");
    kztts_stream_close(&stream);
    speech_free(got);
}

static void test_cancel_before_text(void **state) {
    shared *s = *state;
    kztts_stream *stream = NULL;
    speech *got = speech_new();
    kztts_stream_options options = speech_options(got);
    assert_int_equal(kztts_stream_open(&stream, s->model, s->voice, &options), KZTTS_OK);
    kztts_stream_cancel(stream);
    check_cancelled(stream, 0);
    check_reuse(s, stream, "after a cancel without text");
    kztts_stream_restart(stream, &options);
    got->n_frame = 0;
    assert_int_equal(kztts_stream_put(stream, "Hello.", 6), KZTTS_OK);
    kztts_stream_cancel(stream);
    (void)kztts_stream_finish(stream);
    check_cancelled(stream, 0);
    check_reuse(s, stream, "after a cancel before finish");
    kztts_stream_close(&stream);
    speech_free(got);
}

static void test_cancel_in_callback(void **state) {
    shared *s = *state;
    for (uint64_t at = 0; at < 3; at += 2) {
        kztts_stream *stream = NULL;
        speech *got = speech_new();
        kztts_stream_options options = speech_options(got);
        assert_int_equal(kztts_stream_open(&stream, s->model, s->voice, &options), KZTTS_OK);
        got->cancel = stream;
        got->cancel_at = at;
        speech_put(stream, ALL);
        assert_int_equal(speech_read(stream, got, ALL, FRAMES * FRAME_SAMPLES), KZTTS_END);
        assert_int_equal(got->n_sample, at * FRAME_SAMPLES);
        assert_int_equal(got->n_frame, at + 1);
        check_cancelled(stream, (size_t)at + 1);
        check_reuse(s, stream, "after a cancel in the callback");
        kztts_stream_close(&stream);
        speech_free(got);
    }
}

static void *cancel_soon(void *arg) {
    kztts_stream_cancel(arg);
    return NULL;
}

static void test_cancel_from_another_thread(void **state) {
    shared *s = *state;
    for (int i = 0; i < 5; i++) {
        kztts_stream *stream = NULL;
        speech *got = speech_new();
        pthread_t thread;
        kztts_stream_options options = speech_options(got);
        options.max_frames = 200;
        assert_int_equal(kztts_stream_open(&stream, s->model, s->voice, &options), KZTTS_OK);
        speech_put(stream, ALL);
        speech_read(stream, got, ALL, FRAME_SAMPLES);
        assert_int_equal(pthread_create(&thread, NULL, cancel_soon, stream), 0);
        speech_read_all(stream, got, ALL);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(got->summary.finish,
                         got->n_frame == 200 ? (int)KZTTS_FINISH_LENGTH : (int)KZTTS_FINISH_CANCELLED);
        check_reuse(s, stream, "after a cancel from another thread");
        kztts_stream_close(&stream);
        speech_free(got);
    }
}

/* ---- two streams of one model ------------------------------------------------------------------------------ */

typedef struct job {
    shared *s;
    uint64_t seed;
    speech *got;
} job;

static speech *speak_seed(shared *s, uint64_t seed) {
    kztts_stream_options options = speech_options(NULL);
    options.seed = seed;
    return speech_make(s->model, s->voice, &options, 3, 999);
}

static void *run_job(void *arg) {
    job *j = arg;
    j->got = speak_seed(j->s, j->seed);
    return NULL;
}

static void test_two_streams(void **state) {
    enum { JOBS = 2, ROUNDS = 4 };
    shared *s = *state;
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t threads[JOBS];
        job jobs[JOBS];
        for (int i = 0; i < JOBS; i++) {
            jobs[i] = (job){s, (uint64_t)(100 * round + i), NULL};
            assert_int_equal(pthread_create(&threads[i], NULL, run_job, &jobs[i]), 0);
        }
        for (int i = 0; i < JOBS; i++) {
            assert_int_equal(pthread_join(threads[i], NULL), 0);
            speech *alone = speak_seed(s, jobs[i].seed);
            speech_check(alone, jobs[i].got, "two streams at once");
            speech_free(alone);
            speech_free(jobs[i].got);
        }
    }
}

/* Frame by frame in turn: nothing of one stream may be in the other's way. */
static void test_streams_in_turn(void **state) {
    shared *s = *state;
    kztts_stream *a = NULL, *b = NULL;
    speech *got_a = speech_new(), *got_b = speech_new();
    kztts_stream_options options = speech_options(got_a);
    assert_int_equal(kztts_stream_open(&a, s->model, s->voice, &options), KZTTS_OK);
    options.on_frame_user = got_b;
    options.seed = 5;
    assert_int_equal(kztts_stream_open(&b, s->model, s->voice, &options), KZTTS_OK);
    speech_put(a, ALL);
    speech_put(b, ALL);
    for (size_t n = 700; n < FRAMES * FRAME_SAMPLES; n += 700) {
        speech_read(a, got_a, ALL, n);
        speech_read(b, got_b, ALL, n);
    }
    speech_read_all(a, got_a, ALL);
    speech_read_all(b, got_b, ALL);
    speech *want_b = speak_seed(s, 5);
    speech_check(s->want, got_a, "first of two streams in turn");
    speech_check(want_b, got_b, "second of two streams in turn");
    speech_free(want_b);
    speech_free(got_a);
    speech_free(got_b);
    kztts_stream_close(&a);
    kztts_stream_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reuse),
        cmocka_unit_test(test_a_long_life),
        cmocka_unit_test(test_a_life_with_descriptions),
        cmocka_unit_test(test_reopened),
        cmocka_unit_test(test_what_is_kept),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_cancel_after_the_end),
        cmocka_unit_test(test_cancel_before_text),
        cmocka_unit_test(test_cancel_in_callback),
        cmocka_unit_test(test_cancel_from_another_thread),
        cmocka_unit_test(test_two_streams),
        cmocka_unit_test(test_streams_in_turn),
    };
    return cmocka_run_group_tests(tests, speech_open_shared, speech_close_shared);
}
