/* test_engine_long.c: long texts: batches, pieces, cuts and joins give one sound; guards end what goes wrong.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine.h"

#define MODEL KZ_TEST_DATA "/checkpoints/tiny-cv"

enum { ROOM = 1200000, EVENTS = 200, FRAME_SAMPLES = 1920 };

static const char text[] =
    "The first one. A second sentence is here, and it is a little longer than the others are!\n\n"
    "\xe4\xbd\xa0\xe5\xa5\xbd\xe3\x80\x82 Short? Yes. Another paragraph begins, with commas, "
    "names, and numbers like 3.14 in it. The end comes soon. It is here.";

/* What a text gave. */
typedef struct sound {
    size_t n, n_event, n_code;
    float pcm[ROOM];
    kztts_event event[EVENTS];
    kztts_status status;
    kztts_summary summary;
    kz_stream *cancel; /* at the event or frame of that number */
    size_t cancel_at;
    kz_err err;
} sound;

typedef struct world {
    kz_model m;
    kz_voice voice;
    sound *want, *got;
} world;

static void on_event(void *user, const kztts_event *event) {
    sound *s = user;
    assert_true(s->n_event < EVENTS);
    s->event[s->n_event++] = *event;
}

static void on_frame(void *user, uint64_t frame, const int32_t *codes, int n_code) {
    sound *s = user;
    (void)codes;
    (void)n_code;
    assert_int_equal(frame, s->n_code);
    if (s->cancel && s->n_code == s->cancel_at)
        kz_stream_cancel(s->cancel);
    s->n_code++;
}

/* Sampled, three frames an utterance. */
static kz_utterance utterance(const world *w, sound *s) {
    kz_utterance u = {.language = -1, .seed = 5, .max_frames = 3, .max_given = true, .split = true};
    u.cut.max_length = 60;
    u.sampling = u.sub_sampling = (kz_sampling){.sample = true, .temperature = 0.9f, .top_p = 1, .top_k = 30};
    u.repetition_penalty = 1.05f;
    u.eos = w->m.cfg.codec_eos;
    u.on_event = on_event;
    u.on_frame = on_frame;
    u.on_event_user = u.on_frame_user = s;
    for (int i = 0; i < KZ_JOIN_CLASSES; i++)
        u.pause_ms[i] = -1;
    return u;
}

/* Reads until there is none; AGAIN and END come back. */
static kztts_status drain(kz_stream *stream, sound *s, size_t piece) {
    size_t n = 0;
    do {
        assert_true(s->n + piece <= ROOM);
        s->status = kz_stream_read(stream, s->pcm + s->n, piece, &n, &s->err);
        s->n += n;
    } while (s->status == KZTTS_OK);
    kz_stream_get_summary(stream, &s->summary);
    return s->status;
}

static kz_stream *open_stream(const world *w, const kz_utterance *u) {
    kz_stream *stream = NULL;
    kz_err err = {""};
    assert_int_equal(kz_stream_new(&stream, &w->m, &err), KZTTS_OK);
    if (kz_stream_begin(stream, &w->voice, u, &err) != KZTTS_OK)
        fail_msg("%s", err.message);
    return stream;
}

static void clear(sound *s) {
    s->n = s->n_event = s->n_code = 0;
    s->cancel = NULL;
}

/* The text put in pieces (0: at once), read after each when `live`. */
static void speak_on(kz_stream *stream, sound *s, const char *words, size_t put, size_t read, bool live) {
    size_t n = strlen(words);
    put = put ? put : n;
    clear(s);
    for (size_t at = 0; at < n;) {
        size_t len = n - at < put ? n - at : put;
        while (kz_utf8_valid(words + at, len) < len) /* whole characters are the caller's part */
            len++;
        assert_int_equal(kz_stream_put(stream, (kz_span){words + at, len}, &s->err), KZTTS_OK);
        at += len;
        if (live)
            assert_int_equal(drain(stream, s, read), KZTTS_AGAIN);
    }
    if (kz_stream_finish(stream, &s->err) != KZTTS_OK)
        fail_msg("%s", s->err.message);
    drain(stream, s, read);
}

static void speak(const world *w, const kz_utterance *u, sound *s, const char *words, size_t put, size_t read) {
    kz_stream *stream = open_stream(w, u);
    speak_on(stream, s, words, put, read, u->commit != KZTTS_COMMIT_FINISH);
    kz_stream_free(stream);
}

static void check_same(const sound *want, const sound *got, const char *what) {
    if (want->status != got->status || want->n != got->n || want->n_code != got->n_code ||
        memcmp(want->pcm, got->pcm, want->n * sizeof *want->pcm) != 0)
        fail_msg("%s: another sound: %zu samples, %zu expected", what, got->n, want->n);
    if (want->n_event != got->n_event || memcmp(want->event, got->event, want->n_event * sizeof *want->event) != 0)
        fail_msg("%s: other events", what);
}

/* ---- one sound --------------------------------------------------------------------------------------------- */

static void test_batches(void **state) {
    static const size_t lanes[] = {1, 2, 3, 4, 8, 16}, reads[] = {4096, 7, 1000, 1};
    world *w = *state;
    kz_utterance u = utterance(w, w->want);
    u.n_lane = 1;
    speak(w, &u, w->want, text, 0, 4096);
    assert_int_equal(w->want->status, KZTTS_END);
    assert_true(w->want->summary.chunks > 4);
    assert_int_equal(w->want->n_code, 3 * w->want->summary.chunks);
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++) {
        u = utterance(w, w->got);
        u.n_lane = lanes[i];
        speak(w, &u, w->got, text, i, reads[i % 4]);
        check_same(w->want, w->got, "a batch");
        assert_int_equal(w->got->summary.batch, lanes[i]);
    }
}

/* Lanes of different lengths: each part ends where its own codes do. */
static void end_by_seed(void *user, uint64_t seed, size_t frame, float *logits, size_t n) {
    (void)seed;
    int32_t eos = *(const int32_t *)user;
    if (frame >= 2 && logits[0] > logits[1]) /* a coin that the sampled past tosses */
        logits[eos] = 1e6f;
    (void)n;
}

static void test_lanes_of_different_lengths(void **state) {
    world *w = *state;
    kz_utterance u = utterance(w, w->want);
    kz_probe probe = {.logits = end_by_seed, .user = &u.eos};
    u.max_frames = 12;
    u.probe = &probe;
    u.n_lane = 1;
    speak(w, &u, w->want, text, 0, 4096);
    assert_int_not_equal(w->want->n_code % (size_t)w->want->summary.chunks, 0);
    for (u.n_lane = 2; u.n_lane <= 8; u.n_lane *= 2) {
        u.on_event_user = u.on_frame_user = w->got;
        speak(w, &u, w->got, text, 0, 1000);
        check_same(w->want, w->got, "lanes of different lengths");
    }
}

static void test_one_chunk_is_uncut(void **state) {
    static const char one[] = "  A short text, once.\n";
    world *w = *state;
    kz_utterance u = utterance(w, w->want);
    u.split = false;
    speak(w, &u, w->want, one, 0, 4096);
    u = utterance(w, w->got);
    speak(w, &u, w->got, one, 3, 7);
    check_same(w->want, w->got, "a text of one chunk");
    assert_int_equal(w->got->n, 3 * FRAME_SAMPLES);
}

static void check_commit(world *w, kztts_commit commit, bool split) {
    kz_utterance u = utterance(w, w->want);
    u.commit = commit;
    u.split = split;
    if (commit == KZTTS_COMMIT_TOKEN) {
        u.text_mode = KZ_TEXT_STREAMING;
        u.max_frames = 40;
    }
    speak(w, &u, w->want, text, 0, 4096);
    for (size_t put = 1; put < 60; put = put * 2 + 1) {
        u.on_event_user = u.on_frame_user = w->got;
        speak(w, &u, w->got, text, put, 1000);
        if (commit == KZTTS_COMMIT_TOKEN) /* how much of the text there is when it begins or ends differs */
            memcpy(w->got->event, w->want->event, sizeof w->got->event);
        check_same(w->want, w->got, "text that comes while it is spoken");
    }
}

static void test_commits(void **state) {
    world *w = *state;
    check_commit(w, KZTTS_COMMIT_SENTENCE, true);
    check_commit(w, KZTTS_COMMIT_LINE, true);
    check_commit(w, KZTTS_COMMIT_TOKEN, false);
}

/* By tokens gives what the same text in streaming mode gives. */
static void test_tokens_are_the_whole_text(void **state) {
    world *w = *state;
    kz_utterance u = utterance(w, w->want);
    u.split = false;
    u.text_mode = KZ_TEXT_STREAMING;
    u.max_frames = 40;
    speak(w, &u, w->want, text, 0, 4096);
    u.commit = KZTTS_COMMIT_TOKEN;
    u.on_event_user = u.on_frame_user = w->got;
    speak(w, &u, w->got, text, 5, 4096);
    assert_int_equal(w->want->n, w->got->n);
    assert_memory_equal(w->want->pcm, w->got->pcm, w->want->n * sizeof(float));
}

/* The first sentence sounds before the second one has been put. */
static void test_first_sound(void **state) {
    world *w = *state;
    kz_utterance u = utterance(w, w->got);
    u.commit = KZTTS_COMMIT_SENTENCE;
    kz_stream *stream = open_stream(w, &u);
    clear(w->got);
    assert_int_equal(kz_stream_put(stream, (kz_span){"This is the first sentence of it. A", 35}, &w->got->err),
                     KZTTS_OK);
    assert_int_equal(drain(stream, w->got, 1000), KZTTS_AGAIN);
    assert_int_equal(w->got->n_code, 3);
    assert_true(w->got->n > 2 * FRAME_SAMPLES);
    kz_stream_free(stream);
}

static void test_flush_settle_and_marks(void **state) {
    world *w = *state;
    kz_utterance u = utterance(w, w->got);
    u.commit = KZTTS_COMMIT_SENTENCE;
    kz_stream *stream = open_stream(w, &u);
    sound *s = w->got;
    clear(s);
    assert_int_equal(kz_stream_mark(stream, 7, &s->err), KZTTS_OK);
    assert_int_equal(kz_stream_put(stream, (kz_span){"Without an end", 14}, &s->err), KZTTS_OK);
    assert_int_equal(kz_stream_settle(stream, &s->err), KZTTS_OK);
    assert_int_equal(drain(stream, s, 1000), KZTTS_AGAIN);
    assert_int_equal(s->n_code, 0);
    assert_int_equal(kz_stream_flush(stream, &s->err), KZTTS_OK);
    assert_int_equal(drain(stream, s, 1000), KZTTS_AGAIN);
    assert_int_equal(s->n_code, 3);
    assert_int_equal(kz_stream_put(stream, (kz_span){" Now it has its own end. ", 25}, &s->err), KZTTS_OK);
    assert_int_equal(kz_stream_mark(stream, 8, &s->err), KZTTS_OK);
    assert_int_equal(kz_stream_settle(stream, &s->err), KZTTS_OK);
    assert_int_equal(drain(stream, s, 1000), KZTTS_AGAIN);
    assert_int_equal(s->n_code, 6);
    assert_int_equal(kz_stream_finish(stream, &s->err), KZTTS_OK);
    assert_int_equal(drain(stream, s, 1000), KZTTS_END);
    static const kztts_event_type types[] = {
        KZTTS_EVENT_MARK,         KZTTS_EVENT_SENTENCE_BEGIN, KZTTS_EVENT_SENTENCE_END, KZTTS_EVENT_SENTENCE_BEGIN,
        KZTTS_EVENT_SENTENCE_END, KZTTS_EVENT_MARK,           KZTTS_EVENT_FINISH};
    assert_int_equal(s->n_event, sizeof types / sizeof *types);
    for (size_t i = 0; i < s->n_event; i++)
        assert_int_equal(s->event[i].type, types[i]);
    assert_int_equal(s->event[0].mark, 7);
    assert_int_equal(s->event[5].mark, 8);
    assert_int_equal(s->event[3].text_begin, 15);
    assert_int_equal(s->event[3].text_end, 38);
    kz_stream_free(stream);
}

/* Sentences cover the text in order, at samples that never fall; the finish comes last, at the end. */
static void test_events(void **state) {
    world *w = *state;
    kz_utterance u = utterance(w, w->got);
    u.cut.max_length = 200; /* several sentences a chunk */
    speak(w, &u, w->got, text, 0, 777);
    const sound *s = w->got;
    uint64_t sample = 0, byte = 0;
    size_t n_begin = 0;
    for (size_t i = 0; i < s->n_event; i++) {
        assert_true(s->event[i].sample >= sample && s->event[i].sample <= s->n);
        sample = s->event[i].sample;
        if (s->event[i].type != KZTTS_EVENT_SENTENCE_BEGIN)
            continue;
        assert_true(s->event[i].text_begin >= byte && s->event[i].text_end <= sizeof text - 1);
        byte = s->event[i].text_end;
        assert_int_equal(s->event[i + 1].type, KZTTS_EVENT_SENTENCE_END);
        n_begin++;
    }
    assert_int_equal(byte, sizeof text - 1);
    assert_true(n_begin > (size_t)s->summary.chunks);
    assert_int_equal(s->event[s->n_event - 1].type, KZTTS_EVENT_FINISH);
    assert_int_equal(s->event[s->n_event - 1].sample, s->n);
    assert_int_equal(s->event[s->n_event - 1].finish, KZTTS_FINISH_LENGTH);
}

/* A cancel at each frame, lanes ahead or not; the next text on the stream is as on a fresh one. */
static void test_cancel_at_every_frame(void **state) {
    world *w = *state;
    kz_utterance u = utterance(w, w->want);
    speak(w, &u, w->want, text, 0, 4096);
    u.on_event_user = u.on_frame_user = w->got;
    kz_stream *stream = open_stream(w, &u);
    for (size_t at = 0; at < w->want->n_code; at++) {
        u.n_lane = at % 5;
        assert_int_equal(kz_stream_begin(stream, &w->voice, &u, &w->got->err), KZTTS_OK);
        clear(w->got);
        w->got->cancel = stream;
        w->got->cancel_at = at;
        assert_int_equal(kz_stream_put(stream, (kz_span){text, sizeof text - 1}, &w->got->err), KZTTS_OK);
        assert_int_equal(kz_stream_finish(stream, &w->got->err), KZTTS_OK);
        assert_int_equal(drain(stream, w->got, 500), KZTTS_END);
        assert_int_equal(w->got->n_code, at + 1);
        assert_int_equal(w->got->summary.finish, KZTTS_FINISH_CANCELLED);
        assert_int_equal(w->got->event[w->got->n_event - 1].finish, KZTTS_FINISH_CANCELLED);
        if (at % 7)
            continue;
        assert_int_equal(kz_stream_begin(stream, &w->voice, &u, &w->got->err), KZTTS_OK);
        speak_on(stream, w->got, text, 0, 4096, false);
        check_same(w->want, w->got, "after a cancel");
    }
    kz_stream_free(stream);
}

/* ---- guards ------------------------------------------------------------------------------------------------ */

/* A model that has gone wrong. */
typedef struct wrong {
    size_t period; /* of its codes, 0: none repeats */
    bool silent;
    uint64_t good_seed; /* with it the utterance ends after four frames */
    int32_t eos;
} wrong;

static void force_codes(void *user, uint64_t seed, size_t frame, float *logits, size_t n) {
    const wrong *w = user;
    for (size_t i = 0; i < n; i++)
        logits[i] = -1e6f;
    size_t code = w->period ? frame % w->period : (frame * frame + frame / 3) % 61;
    logits[w->good_seed && seed == w->good_seed && frame == 4 ? (size_t)w->eos : code] = 1e6f;
}

static void force_silence(void *user, size_t frame, float *pcm, size_t n) {
    const wrong *w = user;
    for (size_t i = 0; i < n; i++)
        pcm[i] = w->silent && frame > 5 ? 0.001f : i % 50 < 25 ? 0.1f : -0.1f;
}

static kz_utterance guarded(const world *w, wrong *how, const kz_probe *probe) {
    kz_utterance u = utterance(w, w->got);
    how->eos = u.eos;
    u.max_frames = 2000;
    u.max_given = false;
    u.guard = true;
    u.probe = probe;
    return u;
}

static void check_cut(world *w, const kz_utterance *u, kztts_finish_reason reason, size_t most_frames) {
    speak(w, u, w->got, "A text of ten words or so, like all others.", 0, 4096);
    assert_int_equal(w->got->status, KZTTS_ERROR_GUARD);
    assert_int_equal(w->got->summary.finish, reason);
    assert_int_equal(w->got->summary.cut, 1);
    assert_true(w->got->n_code <= most_frames);
    assert_int_equal(w->got->event[w->got->n_event - 1].finish, reason);
}

static void test_guards(void **state) {
    world *w = *state;
    wrong how = {.period = 0};
    kz_probe probe = {force_codes, force_silence, &how};
    kz_utterance u = guarded(w, &how, &probe);
    check_cut(w, &u, KZTTS_FINISH_LENGTH, 150); /* (2.5 x 3.3 + 3) s x 12.5 */
    for (how.period = 1; how.period <= 8; how.period++)
        check_cut(w, &u, KZTTS_FINISH_REPETITION, 38 + how.period);
    how = (wrong){.silent = true, .eos = u.eos};
    check_cut(w, &u, KZTTS_FINISH_SILENCE, 6 + 38);
    u.guard = false;
    u.max_frames = 160;
    speak(w, &u, w->got, "A text.", 0, 4096);
    assert_int_equal(w->got->status, KZTTS_END);
    assert_int_equal(w->got->n_code, 160);
}

/* A part that goes wrong doesn't take the others along, but the end tells. */
static void test_the_rest_is_spoken(void **state) {
    world *w = *state;
    wrong how = {.period = 3};
    kz_probe probe = {force_codes, force_silence, &how};
    kz_utterance u = guarded(w, &how, &probe);
    speak(w, &u, w->got, text, 0, 4096);
    assert_int_equal(w->got->status, KZTTS_ERROR_GUARD);
    assert_int_equal(w->got->summary.cut, w->got->summary.chunks);
    assert_true(w->got->summary.cut > 3);
}

static void test_retries(void **state) {
    world *w = *state;
    wrong how = {.period = 2, .good_seed = 7};
    kz_probe probe = {force_codes, force_silence, &how};
    kz_utterance u = guarded(w, &how, &probe);
    u.seed = 5;
    u.retries = 3;
    speak(w, &u, w->got, "A text of ten words or so, like all others.", 0, 4096);
    assert_int_equal(w->got->status, KZTTS_END);
    assert_int_equal(w->got->summary.retried, 2);
    assert_int_equal(w->got->n_code, 4); /* nothing of the attempts before was heard */
    u.retries = 2;                       /* the last attempt is in shorter parts */
    speak(w, &u, w->got, "A text of ten words or so. Like all others.", 0, 4096);
    assert_int_equal(w->got->status, KZTTS_END);
    assert_true(w->got->summary.chunks > 1);
    assert_int_equal(w->got->n_code, 4 * w->got->summary.chunks);
    how.good_seed = 0;
    speak(w, &u, w->got, "A text of ten words or so. Like all others.", 0, 4096);
    assert_int_equal(w->got->status, KZTTS_ERROR_GUARD);
    assert_int_equal(w->got->summary.cut, w->got->summary.chunks);
}

static void test_early(void **state) {
    world *w = *state;
    wrong how = {.period = 5, .good_seed = 5};
    kz_probe probe = {force_codes, force_silence, &how};
    kz_utterance u = guarded(w, &how, &probe);
    u.cut.max_length = 300;
    speak(w, &u, w->got, "This text is far too long to have been said in the third part of a second, surely.", 0, 4096);
    assert_int_equal(w->got->status, KZTTS_END);
    assert_int_equal(w->got->summary.early, w->got->summary.chunks);
}

/* ---- one voice, many streams ------------------------------------------------------------------------------- */

/* How many together, left open: by threads; sentences of this small model fill no memory. */
static void test_automatic_batch(void **state) {
    static const struct {
        int threads;
        size_t lanes;
    } want[] = {{1, 4}, {3, 4}, {4, 8}, {16, 8}};
    world *w = *state;
    kz_pool *own = w->m.pool;
    kz_utterance u = utterance(w, w->want);
    u.n_lane = 0;
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        kz_err err;
        assert_int_equal(kz_pool_new(&w->m.pool, want[i].threads, &err), KZTTS_OK);
        assert_int_equal(kz_stream_lanes(&w->m, &u), want[i].lanes);
        kz_pool_free(w->m.pool);
    }
    w->m.pool = own;
    u.n_lane = 3;
    assert_int_equal(kz_stream_lanes(&w->m, &u), 3);
    u.n_lane = 0;
    w->m.memory = 1 << 20;
    assert_int_equal(kz_stream_lanes(&w->m, &u), 1);
    w->m.memory = kz_memory_size();
    assert_true(w->m.memory > (uint64_t)64 << 20);
}

/* What a voice's first stream read serves a fresh one: only the text's rows are new. */
static void test_warm_voice(void **state) {
    world *w = *state;
    kz_utterance u = utterance(w, w->want);
    kz_warm *warm = w->voice.warm;
    w->voice.warm = NULL;
    speak(w, &u, w->want, text, 0, 4096);
    w->voice.warm = warm;
    u.on_event_user = u.on_frame_user = w->got;
    for (int i = 0; i < 2; i++) {
        speak(w, &u, w->got, text, 0, 4096);
        check_same(w->want, w->got, i ? "a warm voice" : "a cold voice");
    }
}

static int open_world(void **state) {
    world *w = calloc(1, sizeof *w);
    kz_err err = {""};
    kz_model_options o = {.threads = 2};
    *state = w;
    if (!w || !(w->want = calloc(1, sizeof *w->want)) || !(w->got = calloc(1, sizeof *w->got)) ||
        kz_model_open(&w->m, MODEL, &o, &err) != KZTTS_OK)
        return 1;
    w->voice.speaker = &w->m.cfg.speakers[0];
    w->voice.warm = kz_warm_new();
    return 0;
}

static int close_world(void **state) {
    world *w = *state;
    kz_voice_free(&w->voice);
    kz_model_close(&w->m);
    free(w->want);
    free(w->got);
    free(w);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_lanes_of_different_lengths),
        cmocka_unit_test(test_one_chunk_is_uncut),
        cmocka_unit_test(test_commits),
        cmocka_unit_test(test_tokens_are_the_whole_text),
        cmocka_unit_test(test_first_sound),
        cmocka_unit_test(test_flush_settle_and_marks),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_cancel_at_every_frame),
        cmocka_unit_test(test_guards),
        cmocka_unit_test(test_the_rest_is_spoken),
        cmocka_unit_test(test_retries),
        cmocka_unit_test(test_early),
        cmocka_unit_test(test_automatic_batch),
        cmocka_unit_test(test_warm_voice),
    };
    return cmocka_run_group_tests(tests, open_world, close_world);
}
