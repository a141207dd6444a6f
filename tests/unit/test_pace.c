/* test_pace.c: how many frames the codec decodes at once: the rule, and that the sound doesn't show it.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/stream.h"

#define MODEL KZ_TEST_DATA "/checkpoints/tiny-cv"

enum { FRAMES = 30, MAX_CALLS = FRAMES };

/* ---- the rule ---------------------------------------------------------------------------------------------- */

static void test_margin(void **state) {
    kz_pace pace = {.frame_s = 0.08};
    (void)state;
    assert_true(kz_pace_margin(&pace, 5) == 0);
    kz_pace_hand_out(&pace, 0.5, 5);
    assert_true(kz_pace_margin(&pace, 5) == 0.5);
    assert_true(kz_pace_margin(&pace, 5.25) == 0.25);
    kz_pace_hand_out(&pace, 0.5, 5.25); /* more, before the first has been heard */
    assert_true(kz_pace_margin(&pace, 5.25) == 0.75);
    assert_true(kz_pace_margin(&pace, 7) == 0);
    kz_pace_hand_out(&pace, 0.5, 7); /* what was waited for isn't made up for */
    assert_true(kz_pace_margin(&pace, 7) == 0.5);
}

static void test_rule(void **state) {
    static const struct {
        double step, codec; /* ms */
        size_t there;
        bool complete;
        size_t said;
        double margin; /* ms */
        size_t want;
    } rows[] = {
        /* keeps up: as many as half of the margin has time for */
        {20, 10, 1, false, 0, 0, 1},    /* the first one, alone */
        {20, 10, 1, false, 1, 60, 1},   /* the second one: 20 + 2 x 10 are more than 30 */
        {20, 10, 1, false, 1, 80, 2},   /* but not more than 40 */
        {20, 10, 1, false, 9, 140, 3},  /* 2 x 20 + 3 x 10 */
        {20, 10, 2, false, 9, 120, 3},  /* 20 + 3 x 10: a frame is there already */
        {20, 10, 1, false, 90, 0, 1},   /* after a pause for text the next one comes soonest */
        {20, 10, 8, false, 90, 0, 1},   /* although others are there */
        {20, 10, 1, false, 90, 1e6, 8}, /* never more */
        /* doesn't keep up one by one: as many as have been heard */
        {70, 20, 1, false, 0, 0, 1},
        {70, 20, 1, false, 1, 0, 1},
        {70, 20, 1, false, 2, 0, 2},
        {70, 20, 1, false, 4, 0, 4},
        {70, 20, 3, false, 90, 0, 8},
        {60, 20, 1, false, 90, 0, 1}, /* 80 are in time */
        /* no codes to wait for: the codec alone */
        {70, 20, 5, true, 90, 0, 1},
        {70, 20, 5, true, 90, 80, 2},
        {70, 20, 5, true, 90, 1e6, 5},
        {70, 20, 9, true, 90, 1e6, 8},
        {70, 90, 5, true, 3, 0, 3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const kz_pace pace = {.frame_s = 0.08, .step_s = 1e-3 * rows[i].step, .codec_s = 1e-3 * rows[i].codec};
        const double margin = 1e-3 * rows[i].margin + 1e-9; /* sums of decimal fractions are a little off */
        size_t got = kz_pace_frames(&pace, rows[i].there, rows[i].complete, rows[i].said, margin);
        if (got != rows[i].want)
            fail_msg("row %zu: %zu frames, expected %zu", i, got, rows[i].want);
    }
}

/* Played at once, read as fast as it comes, on machines of all speeds that keep up: no call is later than the sound lasts. */
static void test_never_starves(void **state) {
    (void)state;
    for (int step = 1; step <= 55; step++) {
        kz_pace pace = {.frame_s = 0.08, .step_s = 1e-3 * step, .codec_s = 0.02};
        double now = 0;
        size_t said = 0, calls = 0;
        for (size_t n; said < 2000; said += n, calls++) {
            size_t there = 1;
            for (now += pace.step_s;
                 (n = kz_pace_frames(&pace, there, false, said, kz_pace_margin(&pace, now))) > there; there++)
                now += pace.step_s;
            now += (double)n * pace.codec_s;
            if (said && kz_pace_margin(&pace, now) <= 0)
                fail_msg("steps of %d ms: %zu frames after %zu come too late", step, n, said);
            kz_pace_hand_out(&pace, (double)n * pace.frame_s, now);
        }
        assert_true(calls < 2000 / 3); /* most calls are of several */
    }
}

/* ---- streams ----------------------------------------------------------------------------------------------- */

typedef struct world {
    kz_model m;
    kz_voice voice;
    kz_code *codes; /* [FRAMES, n_code] of the stream at hand */
    size_t n_frame;
    size_t call[MAX_CALLS], n_call; /* frames of each */
    kz_stream *cancel;              /* inside that call */
    size_t cancel_at, n_stage_after;
} world;

static void on_tap(void *user, const char *stage, int index, const float *data, size_t n_row, size_t n_col) {
    world *w = user;
    (void)index, (void)data, (void)n_col;
    if (w->cancel && w->n_call > w->cancel_at)
        w->n_stage_after++;
    if (strcmp(stage, "rvq") != 0)
        return;
    assert_true(w->n_call < MAX_CALLS);
    if (w->cancel && w->n_call == w->cancel_at)
        kz_stream_cancel(w->cancel);
    w->call[w->n_call++] = n_row;
}

static void on_frame(void *user, uint64_t frame, const int32_t *codes, int n_code) {
    world *w = user;
    assert_int_equal(frame, w->n_frame);
    assert_true(w->n_frame < FRAMES);
    memcpy(w->codes + w->n_frame++ * (size_t)n_code, codes, (size_t)n_code * sizeof *codes);
}

static kz_utterance utterance(world *w, const kz_tap *tap) {
    kz_utterance u = {.language = -1, .seed = 3, .max_frames = FRAMES, .max_given = true, .repetition_penalty = 1.05f};
    u.sampling = u.sub_sampling = (kz_sampling){.sample = true, .temperature = 0.9f, .top_p = 1, .top_k = 30};
    u.eos = w->m.cfg.codec_eos;
    u.on_frame = on_frame;
    u.on_frame_user = w;
    u.n_lane = 1;
    u.tap = tap;
    for (int i = 0; i < KZ_JOIN_CLASSES; i++)
        u.pause_ms[i] = -1;
    return u;
}

/* How the stream is driven: as it is; or read by someone who never has a margin, on a machine that keeps up or doesn't. */
typedef enum way { FREELY, IN_TIME, LATE, HELD } way;

static kz_stream *start(world *w, const kz_utterance *u) {
    kz_stream *s = NULL;
    kz_err err = {""};
    w->n_frame = w->n_call = w->n_stage_after = 0;
    assert_int_equal(kz_stream_new(&s, &w->m, &err), KZTTS_OK);
    assert_int_equal(kz_stream_begin(s, &w->voice, u, &err), KZTTS_OK);
    assert_int_equal(kz_stream_put(s, (kz_span){"A text of a few words.", 22}, &err), KZTTS_OK);
    assert_int_equal(kz_stream_finish(s, &err), KZTTS_OK);
    return s;
}

static size_t read_all(kz_stream *s, float *pcm, size_t room, way how) {
    size_t at = 0, n;
    kz_err err = {""};
    kztts_status status;
    do {
        if (how == IN_TIME || how == LATE) {
            s->pace.lasts_until = 0;
            s->pace.frame_s = how == LATE ? 0 : 1e9;
        }
        status = kz_stream_read(s, pcm + at, room - at < 700 ? room - at : 700, &n, &err);
        at += n;
    } while (status == KZTTS_OK && at < room);
    return at;
}

/* The same frames, each alone, without any stream. */
static void decode_alone(const world *w, float *pcm) {
    const kz_ctx ctx = {.k = w->m.kernels};
    kz_decoder_state *state = NULL;
    kz_err err;
    assert_int_equal(kz_decoder_state_new(&state, w->m.decoder, KZ_DECODE_CONTINUOUS, 1, 1, &err), KZTTS_OK);
    for (size_t f = 0; f < w->n_frame; f++)
        kz_decoder_run(&ctx, w->m.decoder, state, w->codes + f * w->m.cfg.n_code, 1,
                       pcm + f * w->m.cfg.codec.frame_samples);
    kz_decoder_state_free(state);
}

static void check_calls(const world *w, way how) {
    static const size_t late[] = {1, 1, 2, 4, 8, 8};
    size_t sum = 0;
    for (size_t i = 0; i < w->n_call; i++) {
        sum += w->call[i];
        assert_true(how != IN_TIME || w->call[i] == 1);
        assert_true(how != LATE || i >= sizeof late / sizeof *late || w->call[i] == late[i]);
        assert_true(how != HELD || w->call[i] == 8 || i == w->n_call - 1);
    }
    assert_true(how == HELD || w->call[0] == 1);
    assert_int_equal(sum, FRAMES);
}

static void test_frames_together_are_frames_alone(void **state) {
    world *w = *state;
    const size_t room = FRAMES * w->m.cfg.codec.frame_samples;
    float *got = calloc(room + 1, sizeof *got), *want = calloc(room, sizeof *want);
    const kz_tap tap = {on_tap, w};
    assert_true(got && want);
    w->cancel = NULL;
    for (way how = FREELY; how <= HELD; how++) {
        kz_utterance u = utterance(w, &tap);
        u.retries = how == HELD;
        kz_stream *s = start(w, &u);
        assert_int_equal(read_all(s, got, room + 1, how), room);
        check_calls(w, how);
        decode_alone(w, want);
        assert_memory_equal(got, want, room * sizeof *got);
        kz_stream_free(s);
    }
    free(got);
    free(want);
}

/* A cancel that comes while several frames are decoded is seen before they are done. */
static void test_cancel_inside_a_call(void **state) {
    world *w = *state;
    const size_t room = FRAMES * w->m.cfg.codec.frame_samples;
    float *pcm = calloc(room + 1, sizeof *pcm);
    const kz_tap tap = {on_tap, w};
    kz_utterance u = utterance(w, &tap);
    assert_non_null(pcm);
    w->cancel = NULL;
    kz_stream *s = start(w, &u);
    w->cancel = s;
    w->cancel_at = 4; /* 1, 1, 2, 4, 8 */
    assert_int_equal(read_all(s, pcm, room + 1, LATE), 8 * w->m.cfg.codec.frame_samples);
    assert_int_equal(w->call[4], 8);
    assert_int_equal(w->n_call, 5);
    assert_true(w->n_stage_after < 12); /* of some forty a call */
    kz_stream_free(s);
    free(pcm);
}

static int open_world(void **state) {
    world *w = calloc(1, sizeof *w);
    kz_err err = {""};
    kz_model_options o = {.threads = 2};
    *state = w;
    if (!w || kz_model_open(&w->m, MODEL, &o, &err) != KZTTS_OK)
        return 1;
    w->codes = calloc(FRAMES * w->m.cfg.n_code, sizeof *w->codes);
    w->voice.speaker = &w->m.cfg.speakers[0];
    w->voice.warm = kz_warm_new();
    return w->codes ? 0 : 1;
}

static int close_world(void **state) {
    world *w = *state;
    kz_voice_free(&w->voice);
    kz_model_close(&w->m);
    free(w->codes);
    free(w);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_margin),
        cmocka_unit_test(test_rule),
        cmocka_unit_test(test_never_starves),
        cmocka_unit_test(test_frames_together_are_frames_alone),
        cmocka_unit_test(test_cancel_inside_a_call),
    };
    return cmocka_run_group_tests(tests, open_world, close_world);
}
