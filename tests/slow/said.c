/* said.c: texts spoken by the bundled voice through the public API.  SPDX-License-Identifier: Apache-2.0 */
#include "said.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define VOICE KZ_TEST_DATA "/../../voices/kazeia-mini"

enum { PIECE = 4096 };

speaker said_open(int threads) {
    speaker s = {NULL, NULL};
    kztts_model_options options;
    kztts_model_options_init(&options, sizeof options);
    options.threads = threads;
    if (kztts_model_open(&s.model, VOICE, &options) != KZTTS_OK)
        fail_msg("%s", kztts_model_message(s.model));
    if (kztts_voice_preset(&s.voice, s.model, NULL) != KZTTS_OK)
        fail_msg("%s", kztts_voice_message(s.voice));
    return s;
}

void said_close(speaker *s) {
    kztts_voice_close(&s->voice);
    kztts_model_close(&s->model);
}

kztts_stream_options said_options(void) {
    kztts_stream_options options;
    kztts_stream_options_init(&options, sizeof options);
    options.seed = 7;
    options.sample = options.sub_sample = 1;
    options.chunk_letters = 40;
    return options;
}

static void on_frame(void *user, uint64_t frame, const int32_t *codes, int n_code) {
    said *s = user;
    (void)codes;
    (void)n_code;
    assert_int_equal(frame, s->n_frame);
    if (s->cancel && s->n_frame == s->cancel_frame)
        kztts_stream_cancel(s->cancel);
    s->n_frame++;
}

static void on_event(void *user, const kztts_event *event) {
    said *s = user;
    assert_true(s->n_event == 0 || (s->last.type != KZTTS_EVENT_FINISH && s->last.sample <= event->sample));
    s->last = *event;
    if (s->cancel && s->n_event == s->cancel_event)
        kztts_stream_cancel(s->cancel);
    s->n_event++;
}

kztts_stream *said_stream(const speaker *s, const kztts_stream_options *options) {
    kztts_stream *stream = NULL;
    if (kztts_stream_open(&stream, s->model, s->voice, options) != KZTTS_OK)
        fail_msg("%s", kztts_stream_message(stream));
    return stream;
}

static void make_room(said *s, size_t n) {
    if (s->cap - s->n >= n)
        return;
    s->cap = 2 * s->cap + n;
    s->pcm = realloc(s->pcm, s->cap * sizeof *s->pcm);
    assert_non_null(s->pcm);
}

static void put_text(kztts_stream *stream, const char *text, size_t put) {
    size_t n = strlen(text);
    put = put ? put : n;
    for (size_t at = 0; at < n; at += put)
        if (kztts_stream_put(stream, text + at, n - at < put ? n - at : put) != KZTTS_OK)
            fail_msg("%s", kztts_stream_message(stream));
    if (kztts_stream_finish(stream) != KZTTS_OK)
        fail_msg("%s", kztts_stream_message(stream));
}

void said_again(kztts_stream *stream, const kztts_stream_options *options, const char *text, size_t put, size_t read,
                said *got) {
    kztts_stream_options with = *options;
    size_t n = 0;
    with.on_frame = on_frame;
    with.on_event = on_event;
    with.on_frame_user = with.on_event_user = got;
    got->n = 0;
    got->n_frame = got->n_event = 0;
    assert_int_equal(kztts_stream_restart(stream, &with), KZTTS_OK);
    put_text(stream, text, put);
    read = read ? read : PIECE;
    do {
        make_room(got, read);
        got->status = kztts_stream_read(stream, got->pcm + got->n, read, &n);
        got->n += n;
    } while (got->status == KZTTS_OK);
    got->summary = (kztts_summary){.size = sizeof got->summary};
    assert_int_equal(kztts_stream_get_summary(stream, &got->summary), KZTTS_OK);
}

void said_once(const speaker *s, const kztts_stream_options *options, const char *text, size_t put, size_t read,
               said *got) {
    kztts_stream *stream = said_stream(s, options);
    said_again(stream, options, text, put, read, got);
    kztts_stream_close(&stream);
}

void said_check(const said *want, const said *got, const char *text, const char *what) {
    if (want->status != got->status || want->n != got->n || want->n_frame != got->n_frame)
        fail_msg("%s: status %d, %d frames, %zu samples, expected %d, %d, %zu: %s", what, (int)got->status,
                 got->n_frame, got->n, (int)want->status, want->n_frame, want->n, text);
    for (size_t i = 0; i < want->n; i++)
        if (memcmp(&want->pcm[i], &got->pcm[i], sizeof *want->pcm) != 0)
            fail_msg("%s: sample %zu is %.9g, expected %.9g: %s", what, i, (double)got->pcm[i], (double)want->pcm[i],
                     text);
}

void said_free(said *s) { free(s->pcm); }
