/* test_endurance.c: cancelled at each frame and in each callback, a stream speaks on as a fresh one; a thousand requests
 * leave no memory behind.  SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "said.h"

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

enum { FRAMES = 50, REQUESTS = 1000, WARM = 100 };

static const char long_text[] =
    "The bus was late again this morning, so the whole family walked to the station through the rain.";
static const char sentences[] = "It rained. The road was closed. We turned back, and went home.\n\nThat was all.";

/* The next text of a stream must be as on a fresh one. */
static void check_next(kztts_stream *stream, const kztts_stream_options *options, const char *text, const said *want) {
    said got = {.cancel = NULL};
    said_again(stream, options, text, ALL, ALL, &got);
    said_check(want, &got, text, "after a cancel");
    said_free(&got);
}

static void test_cancel_at_every_frame(void **state) {
    kztts_stream_options options = said_options();
    said want = {.cancel = NULL}, cut = {.cancel_event = NEVER};
    (void)state;
    speaker s = said_open(2);
    options.split = KZTTS_SPLIT_OFF;
    options.max_frames = FRAMES;
    said_once(&s, &options, long_text, ALL, ALL, &want);
    assert_int_equal(want.n_frame, FRAMES);
    kztts_stream *stream = cut.cancel = said_stream(&s, &options);
    for (cut.cancel_frame = 0; cut.cancel_frame < FRAMES; cut.cancel_frame++) {
        said_again(stream, &options, long_text, ALL, 500, &cut);
        assert_int_equal(cut.status, KZTTS_END);
        assert_int_equal(cut.n_frame, cut.cancel_frame + 1); /* no further one was begun */
        assert_int_equal(cut.summary.finish, KZTTS_FINISH_CANCELLED);
        assert_memory_equal(cut.pcm, want.pcm, cut.n * sizeof *cut.pcm);
        check_next(stream, &options, long_text, &want);
    }
    kztts_stream_close(&stream);
    said_close(&s);
    said_free(&want);
    said_free(&cut);
}

/* The last event is the finish, behind the last sample. */
static void check_finish(const said *s, kztts_finish_reason reason) {
    assert_int_equal(s->summary.finish, reason);
    assert_int_equal(s->last.type, KZTTS_EVENT_FINISH);
    assert_int_equal(s->last.finish, reason);
    assert_int_equal(s->last.sample, s->n);
}

/* Inside frame and event callbacks, one after another, of several sentences at once. */
static void check_callbacks(const speaker *s, int batch) {
    kztts_stream_options options = said_options();
    said want = {.cancel = NULL}, cut = {.cancel_event = NEVER};
    options.chunk_letters = 20;
    options.batch = batch;
    said_once(s, &options, sentences, ALL, ALL, &want);
    assert_int_equal(want.status, KZTTS_END);
    assert_true(want.summary.chunks > 2 && want.n_event == 2 * want.summary.chunks + 1);
    kztts_stream *stream = cut.cancel = said_stream(s, &options);
    for (cut.cancel_frame = 0; cut.cancel_frame < want.n_frame; cut.cancel_frame++) {
        said_again(stream, &options, sentences, ALL, 1000, &cut);
        assert_int_equal(cut.status, KZTTS_END);
        assert_int_equal(cut.n_frame, cut.cancel_frame + 1);
        check_finish(&cut, KZTTS_FINISH_CANCELLED);
        if (cut.cancel_frame % 5 == 0)
            check_next(stream, &options, sentences, &want);
    }
    cut.cancel_frame = NEVER;
    for (cut.cancel_event = 0; cut.cancel_event < want.n_event; cut.cancel_event++) {
        said_again(stream, &options, sentences, ALL, 1000, &cut);
        assert_int_equal(cut.status, KZTTS_END);
        assert_true(cut.n <= want.n && cut.n_event > cut.cancel_event && cut.n_event <= want.n_event);
        /* The last sentence's end and the finish come when all is over: nothing is left to cancel. */
        check_finish(&cut, cut.cancel_event >= want.n_event - 2 ? KZTTS_FINISH_EOS : KZTTS_FINISH_CANCELLED);
        assert_memory_equal(cut.pcm, want.pcm, cut.n * sizeof *cut.pcm);
        check_next(stream, &options, sentences, &want);
    }
    kztts_stream_close(&stream);
    said_free(&want);
    said_free(&cut);
}

static void test_cancel_in_every_callback(void **state) {
    (void)state;
    speaker s = said_open(2);
    check_callbacks(&s, 1);
    check_callbacks(&s, 4);
    said_close(&s);
}

#ifdef SANITIZED
static void test_memory_of_many_requests(void **state) {
    (void)state;
    skip(); /* freed memory is kept to find its use */
}
#else
/* Pages in memory. */
static long resident(void) {
    long size = 0, pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f)
        return 0;
    int n = fscanf(f, "%ld %ld", &size, &pages);
    fclose(f);
    return n == 2 ? pages : 0;
}

/* Streams of their own and one that is restarted, in turn; every tenth is cancelled. */
static void test_memory_of_many_requests(void **state) {
    static const char *const words[] = {"Yes.", "No.", "Good morning.", "Wait. I am here.", "Two of them."};
    kztts_stream_options options = said_options();
    said got = {.cancel_event = NEVER};
    long warm = 0;
    (void)state;
    if (!resident())
        skip();
    speaker s = said_open(2);
    kztts_stream *stream = said_stream(&s, &options);
    for (int i = 0; i < REQUESTS; i++) {
        const char *text = words[i % 5];
        options.seed = (uint64_t)i;
        options.batch = i % 3;
        got.cancel = i % 20 == 7 ? stream : NULL;
        got.cancel_frame = 2;
        if (i % 2)
            said_again(stream, &options, text, ALL, ALL, &got);
        else
            said_once(&s, &options, text, ALL, ALL, &got);
        assert_int_equal(got.status, KZTTS_END);
        if (i == WARM - 1)
            warm = resident();
    }
    long end = resident();
    print_message("%ld pages after %d requests, %ld after %d\n", warm, WARM, end, REQUESTS);
    assert_true(end <= warm + warm / 100);
    kztts_stream_close(&stream);
    said_close(&s);
    said_free(&got);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cancel_at_every_frame),
        cmocka_unit_test(test_cancel_in_every_callback),
        cmocka_unit_test(test_memory_of_many_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
