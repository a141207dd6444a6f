/* test_voice_memory.c: a recording as context is read once for all streams of a voice, and leaves no trace.
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "api/api.h"
#include "engine/warm.h"
#include "recordings.h"
#include "speech.h"

enum { CLIP = 24000, JOBS = 3 };

static kztts_model *base;

static int open_base(void **state) {
    (void)state;
    base = speech_open_model(ODD, NULL, 2);
    return base ? 0 : -1;
}

static int close_base(void **state) {
    (void)state;
    kztts_model_close(&base);
    return 0;
}

static kztts_voice *clone_of(uint64_t seed) {
    static float pcm[CLIP];
    kztts_voice *voice = NULL;
    speech_like(pcm, CLIP, 24000, -20, -60, seed);
    if (kztts_voice_clone(&voice, base, pcm, CLIP, "The words that are said.") != KZTTS_OK)
        fail_msg("%s", kztts_voice_message(voice));
    return voice;
}

static kztts_voice *clone_clip(void) { return clone_of(3); }

/* Bytes of the codec's state after a recording. */
static size_t state_size(void) {
    kz_decoder_state *state = NULL;
    kz_err err;
    assert_int_equal(kz_decoder_state_new(&state, base->m.decoder, KZ_DECODE_CONTINUOUS, 1, 2, &err), KZTTS_OK);
    size_t n = kz_decoder_state_size(state);
    kz_decoder_state_free(state);
    return n;
}

static const unsigned char *block_of(kztts_voice *voice) { return kz_warm_codec(voice->v.warm, state_size()); }

/* On a fresh stream, or on one that the model may have kept. */
static speech *say_on(bool fresh, kztts_voice *voice, const char *text, kztts_decode_mode mode) {
    kztts_stream *stream = NULL;
    speech *s = speech_new();
    kztts_stream_options options = speech_options(s);
    options.decode_mode = mode;
    if (fresh)
        stream = speech_open_fresh(base, voice, &options);
    else
        assert_int_equal(kztts_stream_open(&stream, base, voice, &options), KZTTS_OK);
    assert_int_equal(kztts_stream_put(stream, text, strlen(text)), KZTTS_OK);
    assert_int_equal(kztts_stream_finish(stream), KZTTS_OK);
    speech_read_all(stream, s, ALL);
    kztts_stream_close(&stream);
    return s;
}

static speech *say(kztts_voice *voice, const char *text, kztts_decode_mode mode) {
    return say_on(false, voice, text, mode);
}

/* On a voice of its own, without any memory. */
static speech *say_first(const char *text, kztts_decode_mode mode) {
    kztts_voice *voice = clone_clip();
    assert_null(block_of(voice));
    speech *s = say_on(true, voice, text, mode);
    kztts_voice_close(&voice);
    return s;
}

static void check_next(kztts_voice *voice, const char *text, kztts_decode_mode mode, const char *what) {
    speech *want = say_first(text, mode), *got = say(voice, text, mode);
    speech_check(want, got, what);
    speech_free(want);
    speech_free(got);
}

static void test_streams_of_a_voice(void **state) {
    (void)state;
    kztts_voice *voice = clone_clip();
    speech_free(say(voice, "Hello.", KZTTS_DECODE_REFERENCE));
    assert_null(block_of(voice)); /* its codec state is of no use to others */
    speech_free(say(voice, "Hello.", KZTTS_DECODE_CONTINUOUS));
    const unsigned char *block = block_of(voice);
    assert_non_null(block);
    check_next(voice, "Hello.", KZTTS_DECODE_CONTINUOUS, "the same text");
    check_next(voice, "Something else, and longer.", KZTTS_DECODE_CONTINUOUS, "another text");
    check_next(voice, "Hello.", KZTTS_DECODE_REFERENCE, "another way of decoding");
    assert_ptr_equal(block, block_of(voice));
    kztts_voice_close(&voice);
}

/* What a model keeps of a closed stream knows nothing of its voice, even when another one lies at the same address. */
static void test_another_voice(void **state) {
    (void)state;
    static const kztts_decode_mode modes[] = {KZTTS_DECODE_CONTINUOUS, KZTTS_DECODE_REFERENCE};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        kztts_voice *voice = clone_of(4);
        speech *want = say_on(true, voice, "Hello.", modes[i]), *before, *got;
        kztts_voice_close(&voice);
        voice = clone_of(3);
        before = say(voice, "Hello.", modes[i]);
        kztts_voice_close(&voice);
        voice = clone_of(4);
        got = say(voice, "Hello.", modes[i]);
        speech_check(want, got, "after another voice");
        kztts_voice_close(&voice);
        speech_free(want);
        speech_free(before);
        speech_free(got);
    }
}

/* Or else test_streams_of_a_voice would compare what nobody reads. */
static void test_memory_is_read(void **state) {
    (void)state;
    kztts_voice *voice = clone_clip();
    speech *want = say(voice, "Hello.", KZTTS_DECODE_CONTINUOUS);
    unsigned char *block = (unsigned char *)(uintptr_t)block_of(voice);
    assert_non_null(block);
    for (size_t i = state_size() / 2 + 1; i + 4 <= state_size(); i += 4) /* other numbers */
        block[i] ^= 0x40;
    speech *got = say(voice, "Hello.", KZTTS_DECODE_CONTINUOUS);
    assert_true(got->n_sample != want->n_sample ||
                memcmp(got->pcm, want->pcm, want->n_sample * sizeof *want->pcm) != 0);
    speech_free(got);
    speech_free(want);
    kztts_voice_close(&voice);
}

typedef struct job {
    kztts_voice *voice;
    speech *got;
} job;

static void *run_job(void *arg) {
    job *j = arg;
    j->got = say(j->voice, "All at once.", KZTTS_DECODE_CONTINUOUS);
    return NULL;
}

static void test_at_once(void **state) {
    (void)state;
    speech *want = say_first("All at once.", KZTTS_DECODE_CONTINUOUS);
    kztts_voice *voice = clone_clip();
    pthread_t threads[JOBS];
    job jobs[JOBS];
    for (int i = 0; i < JOBS; i++) {
        jobs[i] = (job){.voice = voice};
        assert_int_equal(pthread_create(&threads[i], NULL, run_job, &jobs[i]), 0);
    }
    for (int i = 0; i < JOBS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        speech_check(want, jobs[i].got, "one of three streams at once");
        speech_free(jobs[i].got);
    }
    assert_non_null(block_of(voice));
    speech_free(want);
    kztts_voice_close(&voice);
}

/* ---- snapshots --------------------------------------------------------------------------------------------- */

static speech *say_with(kztts_voice *voice, const char *snapshot) {
    speech *s = speech_new();
    kztts_stream *stream;
    kztts_stream_options options = speech_options(s);
    options.snapshot = snapshot;
    assert_int_equal(kztts_stream_open(&stream, base, voice, &options), KZTTS_OK);
    assert_int_equal(kztts_stream_put(stream, "Hello.", 6), KZTTS_OK);
    assert_int_equal(kztts_stream_finish(stream), KZTTS_OK);
    speech_read_all(stream, s, ALL);
    kztts_stream_close(&stream);
    return s;
}

/* A bit here and there behind the voice itself: rows, keys, values and the codec's state. */
static void damage(const char *path) {
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    long n = ftell(f);
    for (long at = n / 4; at < n; at += 1001) {
        assert_int_equal(fseek(f, at, SEEK_SET), 0);
        int c = getc(f);
        assert_int_equal(fseek(f, at, SEEK_SET), 0);
        putc(c ^ 1, f);
    }
    assert_int_equal(fclose(f), 0);
}

/* One is written for a voice that has spoken without it too; one that is damaged changes nothing. */
static void test_snapshot(void **state) {
    (void)state;
    char path[] = "snapshot-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    unlink(path);
    kztts_voice *voice = clone_clip();
    speech *want = say_with(voice, NULL), *got = say_with(voice, path);
    speech_check(want, got, "while a snapshot is written");
    assert_int_equal(access(path, R_OK), 0);
    for (int damaged = 0; damaged < 2; damaged++) {
        if (damaged)
            damage(path);
        kztts_voice_close(&voice);
        speech_free(got);
        voice = clone_clip();
        got = say_with(voice, path);
        speech_check(want, got, damaged ? "with a damaged snapshot" : "with a snapshot");
    }
    kztts_voice_close(&voice);
    speech_free(want);
    speech_free(got);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams_of_a_voice), cmocka_unit_test(test_another_voice),
        cmocka_unit_test(test_memory_is_read),     cmocka_unit_test(test_at_once),
        cmocka_unit_test(test_snapshot),
    };
    return cmocka_run_group_tests(tests, open_base, close_base);
}
