/* test_same_sound.c: thirty texts of the bundled voice, each with the same samples however it is put, read, batched and
 * threaded, and whatever was on the stream before.  SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "said.h"

/* Several sentences are several chunks. */
static const char *const texts[] = {
    "Yes.",
    "No, thank you.",
    "Where is the station?",
    "Stop! The door is open.",
    "It was 3.14, not 2.71.",
    "Dr. Brown left at 9:30 p.m. on May 4th.",
    "The train to York leaves at 17:45 from platform 2b.",
    "She asked, \"Is it far?\" and nobody answered.",
    "Well... perhaps; we shall see: later, or never!",
    "We need eggs, milk, bread, butter, and a little salt.",
    "The na\xc3\xafve caf\xc3\xa9 owner wrote a r\xc3\xa9sum\xc3\xa9.",
    "One hundred and twenty-three thousand, four hundred and fifty-six.",
    "Please mail info@example.org, or visit https://example.org/help today.",
    "UPPER CASE WORDS and lower case words, side by side.",
    "  Blanks before, and behind.  \n",
    "A\ttab, a\nnewline, and a\r\nline of another kind.",
    "I am here. You are there.",
    "The first one is short. The second sentence of this text is quite a bit longer than the first.",
    "Is it true? It is. Who says so? I do. Then it must be so.",
    "A paragraph ends here.\n\nAnother one begins here, and ends as well.",
    "Rain fell on the hills. The river rose. By noon the bridge was closed, and the road beyond it too.",
    "He paid 12 dollars and 50 cents. She paid 8. They had 1,000 left.",
    "It is cold. It is dark. It is late. It is time to go home now. Good night, then.",
    "On Monday we met; on Tuesday we talked; on Wednesday we signed. That was all.",
    "\xe2\x80\x9cWhat a day,\xe2\x80\x9d he said \xe2\x80\x94 and sat down. \xe2\x80\x98Quite,\xe2\x80\x99 said I.",
    "Gr\xc3\xbc\xc3\x9f dich! Das ist ein Satz. \xc2\xbfY esto? Es otro.",
    "\xe4\xbd\xa0\xe5\xa5\xbd\xe3\x80\x82 Hello again. "
    "\xe3\x81\x93\xe3\x82\x93\xe3\x81\xab\xe3\x81\xa1\xe3\x81\xaf\xe3\x80\x82",
    "An emoji \xf0\x9f\x99\x82 isn't read out. A cafe\xcc\x81 with a combining accent is one word.",
    "First, open the box. Second, take out the parts, and count them. Third, read the leaflet.\n\nThen begin. "
    "If a part is missing, call us at once.",
    "The wind turned. Sails filled, ropes creaked, and the harbour grew small behind us. Nobody spoke for an hour. "
    "Then the captain laughed, and said that he had forgotten the bread.",
};

enum { TEXTS = sizeof texts / sizeof *texts };

/* The plain call on two threads, of all texts. */
typedef struct world {
    speaker speaker;
    said want[TEXTS];
} world;

static world the_world;

static int open_world(void **state) {
    kztts_stream_options options = said_options();
    options.batch = 1;
    the_world.speaker = said_open(2);
    for (int i = 0; i < TEXTS; i++)
        said_once(&the_world.speaker, &options, texts[i], ALL, ALL, &the_world.want[i]);
    *state = &the_world;
    return 0;
}

static int close_world(void **state) {
    world *w = *state;
    for (int i = 0; i < TEXTS; i++)
        said_free(&w->want[i]);
    said_close(&w->speaker);
    return 0;
}

/* The texts are what the other tests take them for: all are spoken, some in one chunk and many in several. */
static void test_texts(void **state) {
    const world *w = *state;
    int several = 0;
    assert_int_equal(TEXTS, 30);
    for (int i = 0; i < TEXTS; i++) {
        assert_true(w->want[i].status == KZTTS_END || w->want[i].status == KZTTS_ERROR_GUARD);
        assert_true(w->want[i].n > 0);
        several += w->want[i].summary.chunks > 1;
    }
    assert_in_range(several, 10, TEXTS - 10);
}

static void check_all(const world *w, const speaker *s, int batch, size_t put, size_t read, const char *what) {
    kztts_stream_options options = said_options();
    said got = {.cancel = NULL};
    options.batch = batch;
    for (int i = 0; i < TEXTS; i++) {
        said_once(s, &options, texts[i], put, read, &got);
        said_check(&w->want[i], &got, texts[i], what);
    }
    said_free(&got);
}

static void test_one_call(void **state) {
    const world *w = *state;
    kztts_stream_options options = said_options();
    for (int i = 0; i < TEXTS; i++) {
        said got = {.cancel = NULL};
        char message[256] = "";
        got.status = kztts_speak(w->speaker.model, w->speaker.voice, texts[i], &options, &got.pcm, &got.n, message,
                                 sizeof message);
        if (w->want[i].status == KZTTS_ERROR_GUARD) { /* that call gives no sound then */
            assert_int_equal(got.status, KZTTS_ERROR_GUARD);
            continue;
        }
        if (got.status != KZTTS_OK)
            fail_msg("%s", message);
        got.status = w->want[i].status;
        got.n_frame = w->want[i].n_frame;
        said_check(&w->want[i], &got, texts[i], "kztts_speak");
        kztts_free(got.pcm);
    }
}

static void test_pulled_in_pieces(void **state) {
    static const size_t pieces[] = {1, 7, 1000, 4096};
    const world *w = *state;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        check_all(w, &w->speaker, 0, ALL, pieces[i], "read in pieces");
}

static void test_put_byte_by_byte(void **state) {
    const world *w = *state;
    check_all(w, &w->speaker, 0, 1, ALL, "put byte by byte");
}

static void test_batches(void **state) {
    const world *w = *state;
    for (int batch = 1; batch <= 8; batch *= 2) {
        kztts_stream_options options = said_options();
        said got = {.cancel = NULL};
        options.batch = batch;
        for (int i = 0; i < TEXTS; i++) {
            if (w->want[i].summary.chunks == 1)
                continue;
            said_once(&w->speaker, &options, texts[i], ALL, ALL, &got);
            said_check(&w->want[i], &got, texts[i], "a batch");
            assert_int_equal(got.summary.batch, batch);
        }
        said_free(&got);
    }
}

/* One stream for all, forwards and backwards. */
static void test_reused_stream(void **state) {
    const world *w = *state;
    kztts_stream_options options = said_options();
    kztts_stream *stream = said_stream(&w->speaker, &options);
    said got = {.cancel = NULL};
    for (int k = 0; k < 2 * TEXTS; k++) {
        int i = k < TEXTS ? k : 2 * TEXTS - 1 - k;
        said_again(stream, &options, texts[i], ALL, ALL, &got);
        said_check(&w->want[i], &got, texts[i], "a stream used before");
    }
    said_free(&got);
    kztts_stream_close(&stream);
}

/* Another stream of the same voice was cancelled just before, and stays open. */
static void test_cancelled_neighbour(void **state) {
    const world *w = *state;
    kztts_stream_options options = said_options();
    kztts_stream *other = said_stream(&w->speaker, &options);
    said noise = {.cancel = other, .cancel_event = NEVER}, got = {.cancel = NULL};
    for (int i = 0; i < TEXTS; i++) {
        const char *text = texts[TEXTS - 1 - i];
        noise.cancel_frame = i % 5;
        said_again(other, &options, text, ALL, ALL, &noise);
        assert_int_equal(noise.summary.finish, KZTTS_FINISH_CANCELLED);
        said_once(&w->speaker, &options, texts[i], ALL, ALL, &got);
        said_check(&w->want[i], &got, texts[i], "after a cancelled neighbour");
    }
    said_free(&noise);
    said_free(&got);
    kztts_stream_close(&other);
}

static void test_threads(void **state) {
    static const int threads[] = {1, 8};
    const world *w = *state;
    for (int i = 0; i < 2; i++) {
        speaker s = said_open(threads[i]);
        check_all(w, &s, 0, ALL, ALL, threads[i] == 1 ? "one thread" : "eight threads");
        check_all(w, &s, 8, ALL, ALL, threads[i] == 1 ? "one thread, batch" : "eight threads, batch");
        said_close(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_one_call),
        cmocka_unit_test(test_pulled_in_pieces),
        cmocka_unit_test(test_put_byte_by_byte),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_reused_stream),
        cmocka_unit_test(test_cancelled_neighbour),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, open_world, close_world);
}
