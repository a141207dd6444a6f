/* test_join.c: seams between chunks.  SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "join/join.h"

enum { RATE = 24000, MS = RATE / 1000, MARGIN = 40 * MS, FADE = 8 * MS, LONGEST = 40 * RATE };

#define LENGTH(a) (sizeof(a) / sizeof *(a))

/* A chunk: silence (a floor below the threshold), a tone, silence. In ms. */
typedef struct chunk {
    int lead, tone, tail, pause;
} chunk;

typedef struct sound {
    float *pcm;
    size_t n;
    uint64_t begin[16], end[16]; /* what position and chunk_end said of each chunk */
} sound;

static float sample_of(const chunk *c, size_t i) {
    size_t lead = (size_t)(c->lead * MS), tone = (size_t)(c->tone * MS);
    if (i >= lead && i < lead + tone)
        return (i - lead) % 48 < 24 ? 0.5f : -0.5f; /* never below the threshold */
    return i % 2 ? 0.001f : -0.001f;
}

static size_t length_of(const chunk *c) { return (size_t)((c->lead + c->tone + c->tail) * MS); }

static kz_join *open_join(const kz_join_options *options) {
    kz_err err = {""};
    kz_join *join;
    if (kz_join_new(&join, options, &err) != KZTTS_OK)
        fail_msg("%s", err.message);
    return join;
}

static kz_join_options plain(void) {
    kz_join_options options;
    kz_join_options_init(&options, RATE);
    return options;
}

static sound new_sound(void) {
    sound out = {.pcm = malloc(LONGEST * sizeof(float))};
    assert_non_null(out.pcm);
    return out;
}

static void drain(kz_join *join, sound *out, size_t most) {
    size_t n;
    assert_true(out->n + most <= LONGEST);
    while ((n = kz_join_read(join, out->pcm + out->n, most)) > 0) {
        assert_true(n <= most);
        out->n += n;
        assert_true(out->n + most <= LONGEST);
    }
}

/* Joins in pieces: put `n_put` at a time, then read `n_read` at a time until there is none. */
static sound run(const kz_join_options *options, const chunk *chunks, size_t n_chunk, size_t n_put, size_t n_read) {
    sound out = new_sound();
    kz_join *join = open_join(options);
    float *pcm = malloc(n_put * sizeof *pcm);
    assert_non_null(pcm);
    for (size_t k = 0; k < n_chunk; k++) {
        out.begin[k] = kz_join_position(join);
        for (size_t at = 0, n = length_of(&chunks[k]); at < n;) {
            size_t want = n_put < n - at ? n_put : n - at;
            for (size_t i = 0; i < want; i++)
                pcm[i] = sample_of(&chunks[k], at + i);
            at += kz_join_put(join, pcm, want);
            drain(join, &out, n_read);
        }
        kz_join_end(join, chunks[k].pause);
        out.end[k] = kz_join_chunk_end(join);
    }
    kz_join_finish(join);
    drain(join, &out, n_read);
    assert_true(kz_join_done(join));
    kz_join_free(join);
    free(pcm);
    return out;
}

static bool is_tone(float x) { return fabsf(x) > 0.4f; }

/* The runs between tones, in samples; how many. */
static size_t gaps(const sound *s, size_t *gap, size_t most) {
    size_t n = 0, last = SIZE_MAX;
    for (size_t i = 0; i < s->n; i++) {
        if (!is_tone(s->pcm[i]))
            continue;
        if (last != SIZE_MAX && i - last > 1) {
            assert_true(n < most);
            gap[n++] = i - last - 1;
        }
        last = i;
    }
    return n;
}

/* ---- one chunk --------------------------------------------------------------------------------------------- */

static void test_join_one_chunk_untouched(void **state) {
    static const chunk one[] = {{700, 300, 3000, 1}, {0, 50, 0, 1}, {2500, 0, 0, 2}, {0, 0, 1, 0}, {5, 1, 2, 0}};
    kz_join_options options = plain();
    (void)state;
    for (size_t k = 0; k < LENGTH(one); k++) {
        sound s = run(&options, &one[k], 1, 777, 313);
        assert_int_equal(s.n, length_of(&one[k]));
        for (size_t i = 0; i < s.n; i++)
            assert_true(s.pcm[i] == sample_of(&one[k], i));
        free(s.pcm);
    }
}

/* The first sound isn't held back longer than a fade, whatever it begins with. */
static void test_join_first_sound_at_once(void **state) {
    kz_join_options options = plain();
    kz_join *join = open_join(&options);
    static float pcm[1920];
    (void)state;
    assert_int_equal(kz_join_put(join, pcm, 1920), 1920);
    assert_int_equal(kz_join_ready(join), 1920 - FADE);
    kz_join_free(join);
}

/* Of a chunk that is known to be the last, nothing is held back. */
static void test_join_last(void **state) {
    static const chunk one = {50, 50, 300, 0};
    kz_join_options options = plain();
    kz_join *join = open_join(&options);
    sound out = new_sound();
    (void)state;
    for (size_t i = 0; i < length_of(&one); i++) {
        float x = sample_of(&one, i);
        if (i == 200 * MS)
            kz_join_last(join);
        assert_int_equal(kz_join_put(join, &x, 1), 1);
        drain(join, &out, 100);
        assert_true(i < 200 * MS ? out.n <= i : out.n == i + 1);
    }
    kz_join_end(join, 1); /* and another chunk after all */
    float loud = 0.5f;
    assert_int_equal(kz_join_put(join, &loud, 1), 1);
    kz_join_finish(join);
    drain(join, &out, 100);
    for (size_t i = 0; i < length_of(&one); i++)
        assert_true(out.pcm[i] == sample_of(&one, i));
    assert_int_equal(out.n, length_of(&one) + 200 * MS + MARGIN + 1);
    kz_join_free(join);
    free(out.pcm);
}

/* ---- seams ------------------------------------------------------------------------------------------------- */

static void test_join_seam_is_fixed(void **state) {
    /* silence around the seam: long, none, short, very long (within what is held back) */
    static const int around[][2] = {{300, 200}, {0, 0}, {10, 15}, {0, 400}, {1400, 3000}, {40, 40}};
    kz_join_options options = plain();
    (void)state;
    for (size_t k = 0; k < LENGTH(around); k++)
        for (int pause = 0; pause < KZ_JOIN_CLASSES; pause++) {
            chunk two[] = {{100, 200, around[k][0], pause}, {around[k][1], 200, 100, 0}};
            size_t gap[4], fade = around[k][0] < 8 ? FADE : 0, n;
            sound s = run(&options, two, 2, 1000, 1000);
            n = gaps(&s, gap, 4);
            assert_int_equal(n, 1);
            /* a fade that lies on the tone itself shortens what is seen of it */
            size_t want = (size_t)(2 * MARGIN + options.pause_ms[pause] * MS);
            assert_true(gap[0] >= want && gap[0] <= want + fade + (around[k][1] < 8 ? FADE : 0));
            free(s.pcm);
        }
}

static void test_join_step_bounded(void **state) {
    static const chunk rough[] = {{0, 100, 0, 1}, {0, 100, 0, 2}, {0, 3, 0, 0}, {0, 100, 3, 1}, {3, 100, 0, 1}};
    kz_join_options options = plain();
    (void)state;
    options.threshold = 0.0f; /* the tone's own steps are 1; a chunk's begin and end must not step at all */
    sound s = run(&options, rough, LENGTH(rough), 500, 500);
    for (size_t i = 1; i < s.n; i++) {
        float a = s.pcm[i - 1], b = s.pcm[i];
        if ((a == 0.0f) != (b == 0.0f) && fabsf(a - b) > 0.001f)
            fail_msg("a step of %g at %zu", (double)fabsf(a - b), i);
    }
    free(s.pcm);
}

static void test_join_places(void **state) {
    static const chunk three[] = {{100, 200, 300, 1}, {80, 200, 90, 2}, {0, 200, 100, 0}};
    kz_join_options options = plain();
    (void)state;
    sound s = run(&options, three, 3, 480, 480);
    assert_int_equal(s.begin[0], 0);
    assert_int_equal(s.end[0], (100 + 200) * MS + MARGIN);
    assert_int_equal(s.begin[1], s.end[0] + 200 * MS);
    assert_int_equal(s.end[1], s.begin[1] + 200 * MS + 2 * MARGIN);
    assert_int_equal(s.begin[2], s.end[1] + 600 * MS);
    assert_int_equal(s.n, s.begin[2] + MARGIN + 300 * MS);
    assert_false(is_tone(s.pcm[s.begin[1] + MARGIN - 1]));
    assert_true(is_tone(s.pcm[s.begin[1] + MARGIN]));
    free(s.pcm);
}

static void test_join_silence_inside_kept(void **state) {
    kz_join_options options = plain();
    sound out = new_sound();
    kz_join *join = open_join(&options);
    static const chunk parts[] = {{0, 100, 1400, 0}, {0, 100, 5000, 0}, {0, 100, 200, 0}};
    size_t n = 0;
    (void)state;
    for (size_t k = 0; k < LENGTH(parts); k++) /* one chunk of three parts */
        for (size_t i = 0; i < length_of(&parts[k]); i++, n++) {
            float x = sample_of(&parts[k], i);
            assert_int_equal(kz_join_put(join, &x, 1), 1);
            drain(join, &out, 100);
        }
    kz_join_end(join, 1);
    float loud = 0.5f;
    assert_int_equal(kz_join_put(join, &loud, 1), 1);
    kz_join_finish(join);
    drain(join, &out, 100);
    size_t kept = n - 200 * MS + MARGIN; /* all but the cut end */
    for (size_t k = 0, at = 0; k < LENGTH(parts); k++)
        for (size_t i = 0; i < length_of(&parts[k]) && at < kept - FADE; i++, at++)
            assert_true(out.pcm[at] == sample_of(&parts[k], i));
    assert_int_equal(out.n, kept + 200 * MS + MARGIN + 1);
    kz_join_free(join);
    free(out.pcm);
}

/* What lies further back than is held can't be cut any more. */
static void test_join_endless_tail(void **state) {
    static const chunk two[] = {{0, 100, 5000, 1}, {100, 100, 0, 1}};
    kz_join_options options = plain();
    (void)state;
    sound s = run(&options, two, 2, 480, 480);
    size_t kept = (100 + 5000 - 1500) * MS + FADE;
    assert_int_equal(s.end[0], kept);
    assert_int_equal(s.begin[1], kept + 200 * MS);
    free(s.pcm);
}

/* ---- chunks without sound ---------------------------------------------------------------------------------- */

static void test_join_silent_and_empty_chunks(void **state) {
    kz_join_options options = plain();
    static const chunk none[] = {{100, 200, 100, 1}, {0, 0, 0, 2}, {100, 200, 100, 1}};
    static const chunk silent[] = {{100, 200, 100, 1}, {300, 0, 0, 2}, {100, 200, 100, 1}};
    static const chunk reversed[] = {{100, 200, 100, 2}, {300, 0, 0, 1}, {0, 0, 0, 0}, {100, 200, 100, 1}};
    static const chunk growing[] = {{100, 200, 100, 0}, {30, 0, 0, 1}, {90, 0, 0, 2}, {100, 200, 100, 1}};
    static const chunk first[] = {{0, 0, 0, 2}, {100, 200, 100, 1}};
    size_t gap[2];
    (void)state;
    sound a = run(&options, none, 3, 960, 960), b = run(&options, silent, 3, 960, 960);
    sound c = run(&options, reversed, 4, 960, 960), d = run(&options, first, 2, 960, 960);
    sound e = run(&options, growing, 4, 960, 960);
    assert_int_equal(gaps(&a, gap, 2), 1);
    assert_int_equal(gap[0], 600 * MS + 2 * MARGIN);
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.pcm, b.pcm, a.n * sizeof *a.pcm);
    assert_int_equal(a.n, c.n);
    assert_memory_equal(a.pcm, c.pcm, a.n * sizeof *a.pcm);
    assert_int_equal(e.n, a.n);
    assert_memory_equal(a.pcm, e.pcm, a.n * sizeof *a.pcm);
    assert_int_equal(d.n, 400 * MS);
    assert_true(d.pcm[0] == sample_of(&first[1], 0));
    free(a.pcm);
    free(b.pcm);
    free(c.pcm);
    free(d.pcm);
    free(e.pcm);
}

static void test_join_silent_first_chunk_kept(void **state) {
    static const chunk two[] = {{500, 0, 0, 1}, {100, 200, 100, 1}};
    kz_join_options options = plain();
    (void)state;
    sound s = run(&options, two, 2, 960, 960);
    assert_int_equal(s.n, (500 + 200 + 300) * MS + MARGIN);
    free(s.pcm);
}

static void test_join_trim(void **state) {
    static const chunk two[] = {{500, 200, 100, 1}, {100, 200, 700, 1}}, tight[] = {{10, 200, 20, 1}};
    static const chunk silent[] = {{500, 0, 0, 1}, {500, 200, 500, 1}};
    kz_join_options options = plain();
    (void)state;
    options.trim = true;
    sound s = run(&options, two, 2, 960, 960), t = run(&options, tight, 1, 960, 960);
    sound u = run(&options, silent, 2, 960, 960);
    assert_int_equal(s.n, (400 + 200) * MS + 4 * MARGIN);
    assert_true(fabsf(s.pcm[0]) < 0.0001f && fabsf(s.pcm[s.n - 1]) < 0.0001f);
    assert_int_equal(t.n, 230 * MS); /* nothing to cut: untouched */
    for (size_t i = 0; i < t.n; i++)
        assert_true(t.pcm[i] == sample_of(tight, i));
    assert_int_equal(u.n, 200 * MS + 2 * MARGIN);
    free(s.pcm);
    free(t.pcm);
    free(u.pcm);
}

/* ---- pieces don't matter ----------------------------------------------------------------------------------- */

static void test_join_pieces_dont_matter(void **state) {
    static const chunk many[] = {{100, 200, 300, 1}, {0, 30, 0, 2}, {2000, 10, 2600, 0}, {300, 0, 0, 2},
                                 {7, 90, 3, 1},      {0, 0, 0, 1},  {0, 1, 0, 2},        {50, 700, 1700, 1},
                                 {0, 2, 0, 0},       {5, 1, 0, 1},  {0, 60, 1499, 2},    {90, 60, 155, 1}};
    static const size_t piece[][2] = {{1, 1}, {1, 7}, {7, 1}, {1000, 4096}, {4096, 1000}, {100000, 3}, {1920, 100000}};
    kz_join_options options = plain();
    (void)state;
    for (int trim = 0; trim < 2; trim++) {
        options.trim = trim != 0;
        sound want = run(&options, many, LENGTH(many), 1920, 1920);
        for (size_t k = 0; k < LENGTH(piece); k++) {
            sound got = run(&options, many, LENGTH(many), piece[k][0], piece[k][1]);
            assert_int_equal(got.n, want.n);
            assert_memory_equal(got.pcm, want.pcm, want.n * sizeof *want.pcm);
            assert_memory_equal(got.begin, want.begin, sizeof want.begin);
            assert_memory_equal(got.end, want.end, sizeof want.end);
            free(got.pcm);
        }
        free(want.pcm);
    }
}

/* A reader that comes late finds the same sound: put takes what there is room for. */
static void test_join_late_reader(void **state) {
    static const chunk two[] = {{0, 3000, 100, 2}, {100, 3000, 100, 1}};
    kz_join_options options = plain();
    sound want, got = new_sound();
    (void)state;
    want = run(&options, two, 2, 1920, 1920);
    kz_join *join = open_join(&options);
    for (size_t k = 0; k < 2; k++) {
        for (size_t at = 0; at < length_of(&two[k]);) {
            float x = sample_of(&two[k], at);
            if (kz_join_put(join, &x, 1))
                at++;
            else /* full */
                got.n += kz_join_read(join, got.pcm + got.n, 11);
        }
        kz_join_end(join, two[k].pause);
    }
    kz_join_finish(join);
    drain(join, &got, 5000);
    assert_int_equal(got.n, want.n);
    assert_memory_equal(got.pcm, want.pcm, want.n * sizeof *want.pcm);
    kz_join_reset(join);
    assert_int_equal(kz_join_position(join), 0);
    assert_int_equal(kz_join_ready(join), 0);
    assert_false(kz_join_done(join));
    kz_join_free(join);
    free(want.pcm);
    free(got.pcm);
}

static void test_join_not_a_number(void **state) {
    kz_join_options options = plain();
    kz_join *join = open_join(&options);
    float pcm[] = {0.0f, NAN, INFINITY, 0.0f}, out[4];
    (void)state;
    assert_int_equal(kz_join_put(join, pcm, 4), 4);
    kz_join_end(join, 99); /* no such class: the first */
    assert_int_equal(kz_join_chunk_end(join), 4);
    assert_int_equal(kz_join_position(join), 4 + MARGIN - 1 + 60 * MS);
    kz_join_free(join);
    join = open_join(&options);
    assert_int_equal(kz_join_put(join, pcm, 4), 4);
    kz_join_finish(join);
    assert_int_equal(kz_join_put(join, pcm, 4), 0);
    assert_int_equal(kz_join_read(join, out, 4), 4);
    assert_true(isnan(out[1]));
    kz_join_free(join);
}

static void test_join_options_checked(void **state) {
    kz_join_options bad[7];
    (void)state;
    for (size_t i = 0; i < LENGTH(bad); i++)
        bad[i] = plain();
    bad[0].sample_rate = 999;
    bad[1].threshold = 1.0f;
    bad[2].threshold = NAN;
    bad[3].margin_ms = 501;
    bad[4].fade_ms = -1;
    bad[5].pause_ms[2] = KZ_JOIN_PAUSE_MAX + 1;
    bad[6].sample_rate = 1 << 20;
    for (size_t i = 0; i < LENGTH(bad); i++) {
        kz_join *join;
        kz_err err = {""};
        assert_int_equal(kz_join_new(&join, &bad[i], &err), KZTTS_ERROR_ARGUMENT);
        assert_null(join);
        assert_true(err.message[0]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_join_one_chunk_untouched),
        cmocka_unit_test(test_join_first_sound_at_once),
        cmocka_unit_test(test_join_last),
        cmocka_unit_test(test_join_seam_is_fixed),
        cmocka_unit_test(test_join_step_bounded),
        cmocka_unit_test(test_join_places),
        cmocka_unit_test(test_join_silence_inside_kept),
        cmocka_unit_test(test_join_endless_tail),
        cmocka_unit_test(test_join_silent_and_empty_chunks),
        cmocka_unit_test(test_join_silent_first_chunk_kept),
        cmocka_unit_test(test_join_trim),
        cmocka_unit_test(test_join_pieces_dont_matter),
        cmocka_unit_test(test_join_late_reader),
        cmocka_unit_test(test_join_not_a_number),
        cmocka_unit_test(test_join_options_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
