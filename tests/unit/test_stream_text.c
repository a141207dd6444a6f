/* test_stream_text.c: texts that are odd, fail, are cancelled or come in another order than usual: samples and events.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "speech.h"

enum { MOST_EVENTS = 32, PIECE = 4096 };

/* What a text gave. */
typedef struct heard {
    float *pcm;
    size_t n, cap;
    kztts_event event[MOST_EVENTS];
    size_t n_event;
    kztts_summary summary;
} heard;

static shared *all;

static int open_all(void **state) {
    int rc = speech_open_shared(state);
    all = *state;
    return rc;
}

static void on_event(void *user, const kztts_event *event) {
    heard *h = user;
    assert_true(h->n_event < MOST_EVENTS);
    h->event[h->n_event++] = *event;
}

static kztts_stream_options options_of(heard *h, kztts_commit commit) {
    kztts_stream_options o;
    kztts_stream_options_init(&o, sizeof o);
    o.commit = commit;
    o.sample = o.sub_sample = 0;
    o.on_event = on_event;
    o.on_event_user = h;
    return o;
}

static kztts_stream *open_with(const kztts_stream_options *o) {
    kztts_stream *stream;
    assert_int_equal(kztts_stream_open(&stream, all->model, all->voice, o), KZTTS_OK);
    return stream;
}

/* Until it isn't OK, at most `most` samples. */
static kztts_status read_some(kztts_stream *stream, heard *h, size_t most) {
    kztts_status status = KZTTS_OK;
    for (size_t n; status == KZTTS_OK && h->n < most; h->n += n) {
        if (h->cap < h->n + PIECE) {
            h->cap = 2 * h->cap + PIECE;
            h->pcm = realloc(h->pcm, h->cap * sizeof *h->pcm);
            assert_non_null(h->pcm);
        }
        size_t room = most - h->n < PIECE ? most - h->n : PIECE;
        status = kztts_stream_read(stream, h->pcm + h->n, room, &n);
    }
    h->summary.size = sizeof h->summary;
    assert_int_equal(kztts_stream_get_summary(stream, &h->summary), KZTTS_OK);
    return status;
}

static kztts_status read_all(kztts_stream *stream, heard *h) { return read_some(stream, h, SIZE_MAX); }

/* early: what can be said is read before the text is finished. */
static kztts_status speak(heard *h, const kztts_stream_options *o, const char *text, size_t n, bool early) {
    kztts_stream *stream = open_with(o);
    assert_int_equal(kztts_stream_put(stream, text, n), KZTTS_OK);
    assert_int_equal(kztts_stream_flush(stream), KZTTS_OK);
    if (early)
        assert_int_equal(read_all(stream, h), KZTTS_AGAIN);
    assert_int_equal(kztts_stream_finish(stream), KZTTS_OK);
    kztts_status status = read_all(stream, h);
    kztts_stream_close(&stream);
    return status;
}

static void check_same(const heard *a, const heard *b) {
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->pcm, b->pcm, a->n * sizeof *a->pcm);
    assert_int_equal(a->n_event, b->n_event);
    for (size_t i = 0; i < a->n_event; i++)
        assert_memory_equal(&a->event[i], &b->event[i], sizeof a->event[i]);
}

/* ---- zeros ------------------------------------------------------------------------------------------------- */

static void test_zeros(void **state) {
    (void)state;
    static const char text[] = "Hello there.\0 My friend, this comes behind a zero, and is text too.";
    static const kztts_split splits[] = {KZTTS_SPLIT_AUTO, KZTTS_SPLIT_OFF};
    for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) {
        heard whole = {0}, front = {0};
        kztts_stream_options o = options_of(&whole, KZTTS_COMMIT_FINISH);
        o.split = splits[i];
        o.max_frames = FRAMES;
        assert_int_equal(speak(&whole, &o, text, sizeof text - 1, false), KZTTS_END);
        o.on_event_user = &front;
        assert_int_equal(speak(&front, &o, text, strlen(text), false), KZTTS_END);
        assert_true(whole.summary.text_tokens > front.summary.text_tokens + 10);
        free(whole.pcm);
        free(front.pcm);
    }
}

/* ---- by tokens --------------------------------------------------------------------------------------------- */

/* Far more tokens than the guard gives frames: reading early must not get more of them. */
static void test_bound_by_tokens(void **state) {
    (void)state;
    char text[2 + 600 + 1] = "Oh";
    for (int i = 0; i < 300; i++)
        memcpy(text + 2 + 2 * i, " (", 3);
    heard late = {0}, early = {0};
    kztts_stream_options o = options_of(&late, KZTTS_COMMIT_TOKEN);
    assert_int_equal(speak(&late, &o, text, strlen(text), false), KZTTS_ERROR_GUARD);
    assert_int_equal(late.summary.finish, KZTTS_FINISH_LENGTH);
    o.on_event_user = &early;
    assert_int_equal(speak(&early, &o, text, strlen(text), true), KZTTS_ERROR_GUARD);
    late.event[0].text_end = early.event[0].text_end; /* at a sentence's begin what is there of it */
    check_same(&late, &early);
    assert_int_equal(late.summary.frames, early.summary.frames);
    free(late.pcm);
    free(early.pcm);
}

static void test_finish_changes_nothing(void **state) {
    (void)state;
    static const char text[] = "Hello there my friend, how are you today?   \n\n";
    static const kztts_commit commits[] = {KZTTS_COMMIT_TOKEN, KZTTS_COMMIT_SENTENCE};
    for (size_t i = 0; i < sizeof commits / sizeof *commits; i++) {
        heard late = {0}, early = {0};
        kztts_stream_options o = options_of(&late, commits[i]);
        o.max_frames = 4 * FRAMES; /* more than tokens */
        assert_int_equal(speak(&late, &o, text, sizeof text - 1, false), KZTTS_END);
        o.on_event_user = &early;
        assert_int_equal(speak(&early, &o, text, sizeof text - 1, true), KZTTS_END);
        check_same(&late, &early);
        assert_int_equal(early.event[1].type, KZTTS_EVENT_SENTENCE_END);
        assert_int_equal(early.event[1].text_end, strchr(text, '?') + 1 - text);
        free(late.pcm);
        free(early.pcm);
    }
}

static void test_text_after_the_end(void **state) {
    (void)state;
    enum { MANY = 64 << 10 };
    char *words = malloc(MANY);
    assert_non_null(words);
    for (size_t i = 0; i < MANY; i++)
        words[i] = i % 4 == 3 ? ' ' : 'a';
    heard h = {0};
    kztts_stream_options o = options_of(&h, KZTTS_COMMIT_TOKEN);
    o.max_frames = 3;
    kztts_stream *stream = open_with(&o);
    for (int i = 0; i < 40; i++) { /* more than may wait */
        assert_int_equal(kztts_stream_put(stream, "It goes on and on ", 18), KZTTS_OK);
        assert_int_equal(read_all(stream, &h), KZTTS_AGAIN);
        assert_int_equal(kztts_stream_put(stream, words, h.summary.frames == 3 ? MANY : 1), KZTTS_OK);
    }
    size_t n = h.n;
    assert_int_equal(h.summary.frames, 3);
    assert_int_equal(kztts_stream_finish(stream), KZTTS_OK);
    assert_int_equal(read_all(stream, &h), KZTTS_END);
    assert_true(h.n - n < FRAME_SAMPLES); /* at most the tail that could have met a seam */
    assert_int_equal(h.summary.finish, KZTTS_FINISH_LENGTH);
    kztts_stream_close(&stream);
    free(words);
    free(h.pcm);
}

/* ---- texts that break off ---------------------------------------------------------------------------------- */

static void check_last(const heard *h, kztts_finish_reason why) {
    assert_true(h->n_event > 0);
    const kztts_event *last = &h->event[h->n_event - 1];
    assert_int_equal(last->type, KZTTS_EVENT_FINISH);
    assert_int_equal(last->finish, why);
    assert_int_equal(last->sample, h->n);
    assert_int_equal(h->summary.finish, why);
}

static void test_failing_put(void **state) {
    (void)state;
    heard h = {0};
    kztts_stream_options o = options_of(&h, KZTTS_COMMIT_SENTENCE);
    kztts_stream *stream = open_with(&o);
    assert_int_equal(kztts_stream_put(stream, "Hello there, this is me. And you?", 33), KZTTS_OK);
    assert_int_equal(read_some(stream, &h, 100), KZTTS_OK);
    assert_int_equal(kztts_stream_put(stream, "\xff\xff\xff\xff", 4), KZTTS_ERROR_TEXT);
    for (int i = 0; i < 2; i++) /* once, however often it is read */
        assert_int_equal(read_all(stream, &h), KZTTS_ERROR_TEXT);
    assert_int_equal(h.n_event, 3);
    assert_int_equal(h.event[1].type, KZTTS_EVENT_SENTENCE_END);
    check_last(&h, KZTTS_FINISH_FAILED);
    kztts_stream_close(&stream);
    free(h.pcm);
}

static void test_failing_finish(void **state) {
    (void)state;
    heard h = {0};
    kztts_stream_options o = options_of(&h, KZTTS_COMMIT_FINISH);
    kztts_stream *stream = open_with(&o);
    assert_int_equal(kztts_stream_put(stream, "...", 3), KZTTS_OK);
    assert_int_equal(kztts_stream_finish(stream), KZTTS_ERROR_TEXT);
    assert_int_equal(read_all(stream, &h), KZTTS_ERROR_TEXT);
    check_last(&h, KZTTS_FINISH_FAILED);
    h.n_event = 0;
    assert_int_equal(kztts_stream_restart(stream, NULL), KZTTS_OK);
    kztts_stream_cancel(stream);
    assert_int_equal(kztts_stream_finish(stream), KZTTS_ERROR_TEXT);
    assert_int_equal(read_all(stream, &h), KZTTS_END);
    check_last(&h, KZTTS_FINISH_CANCELLED);
    assert_int_equal(h.n_event, 1);
    kztts_stream_close(&stream);
    free(h.pcm);
}

/* Marks behind the place of a cancel have not been reached; at an end all are. */
static void test_marks(void **state) {
    (void)state;
    for (int cancelled = 0; cancelled < 2; cancelled++) {
        heard h = {0};
        size_t n_mark = 0;
        kztts_stream_options o = options_of(&h, KZTTS_COMMIT_FINISH);
        o.max_frames = FRAMES;
        kztts_stream *stream = open_with(&o);
        for (uint64_t i = 0; i < 3; i++) {
            assert_int_equal(kztts_stream_mark(stream, i), KZTTS_OK);
            assert_int_equal(kztts_stream_put(stream, "Hello there, this is a sentence that takes a while. ", 52),
                             KZTTS_OK);
        }
        assert_int_equal(kztts_stream_finish(stream), KZTTS_OK);
        assert_int_equal(read_some(stream, &h, 100), KZTTS_OK);
        if (cancelled)
            kztts_stream_cancel(stream);
        assert_int_equal(read_all(stream, &h), KZTTS_END);
        for (size_t i = 0; i < h.n_event; i++)
            n_mark += h.event[i].type == KZTTS_EVENT_MARK;
        assert_int_equal(n_mark, cancelled ? 1 : 3);
        check_last(&h, cancelled ? KZTTS_FINISH_CANCELLED : KZTTS_FINISH_LENGTH);
        kztts_stream_close(&stream);
        free(h.pcm);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_bound_by_tokens),
        cmocka_unit_test(test_finish_changes_nothing),
        cmocka_unit_test(test_text_after_the_end),
        cmocka_unit_test(test_failing_put),
        cmocka_unit_test(test_failing_finish),
        cmocka_unit_test(test_marks),
    };
    return cmocka_run_group_tests(tests, open_all, speech_close_shared);
}
