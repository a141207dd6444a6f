/* speech.c: utterances of the small test models.  SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "speech.h"

const char speech_text[] = "H\xc3\xa9llo, w\xc3\xb6rld. \xe4\xbd\xa0\xe5\xa5\xbd!";
speech *speech_new(void) {
    speech *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->pcm = calloc((size_t)MAX_FRAMES * FRAME_SAMPLES, sizeof(float));
    assert_non_null(s->pcm);
    return s;
}

void speech_free(speech *s) {
    free(s->pcm);
    free(s);
}

static void on_frame(void *user, uint64_t frame, const int32_t *codes, int n_code) {
    speech *s = user;
    if (n_code != CODES || frame != s->n_frame || frame >= MAX_FRAMES)
        abort();
    memcpy(s->codes + frame * CODES, codes, CODES * sizeof *codes);
    s->n_frame++;
    if (s->cancel && frame == s->cancel_at)
        kztts_stream_cancel(s->cancel);
}

kztts_model *speech_open_model(const char *path, const char *cpu, int threads) {
    kztts_model *model = NULL;
    kztts_model_options options;
    kztts_model_options_init(&options, sizeof options);
    options.cpu = cpu;
    options.threads = threads;
    if (kztts_model_open(&model, path, &options) != KZTTS_OK)
        fail_msg("%s", kztts_model_message(model));
    return model;
}

kztts_voice *speech_open_voice(kztts_model *model) {
    kztts_voice *voice = NULL;
    kztts_model_info info = {.size = sizeof info};
    assert_int_equal(kztts_model_get_info(model, &info), KZTTS_OK);
    if (info.speakers)
        assert_int_equal(kztts_voice_preset(&voice, model, "vivian"), KZTTS_OK);
    else
        assert_int_equal(kztts_voice_describe(&voice, model, "A calm deep voice."), KZTTS_OK);
    return voice;
}

kztts_stream_options speech_options(speech *s) {
    kztts_stream_options options;
    kztts_stream_options_init(&options, sizeof options);
    options.max_frames = FRAMES;
    options.seed = 11;
    options.language = "english";
    options.on_frame = on_frame;
    options.on_frame_user = s;
    return options;
}

kztts_stream *speech_open_fresh(kztts_model *model, kztts_voice *voice, const kztts_stream_options *options) {
    kztts_stream *spare = NULL, *stream = NULL;
    if (kztts_stream_open(&spare, model, voice, options) != KZTTS_OK)
        fail_msg("%s", kztts_stream_message(spare));
    assert_int_equal(kztts_stream_open(&stream, model, voice, options), KZTTS_OK);
    kztts_stream_close(&spare);
    return stream;
}

void speech_put(kztts_stream *stream, size_t piece) {
    size_t n = strlen(speech_text);
    piece = piece ? piece : n;
    for (size_t at = 0; at < n; at += piece)
        assert_int_equal(kztts_stream_put(stream, speech_text + at, n - at < piece ? n - at : piece), KZTTS_OK);
    assert_int_equal(kztts_stream_finish(stream), KZTTS_OK);
}

kztts_status speech_read(kztts_stream *stream, speech *s, size_t piece, size_t limit) {
    kztts_status status = KZTTS_OK;
    size_t n = 0;
    while (s->n_sample < limit) {
        size_t room = limit - s->n_sample;
        status = kztts_stream_read(stream, s->pcm + s->n_sample, piece && piece < room ? piece : room, &n);
        if (status != KZTTS_OK)
            break;
        assert_true(n > 0);
        s->n_sample += n;
    }
    return status;
}

void speech_read_all(kztts_stream *stream, speech *s, size_t piece) {
    if (speech_read(stream, s, piece, (size_t)MAX_FRAMES * FRAME_SAMPLES) != KZTTS_END)
        fail_msg("%s", kztts_stream_message(stream));
    s->summary.size = sizeof s->summary;
    assert_int_equal(kztts_stream_get_summary(stream, &s->summary), KZTTS_OK);
}

speech *speech_make(kztts_model *model, kztts_voice *voice, const kztts_stream_options *with, size_t put, size_t read) {
    speech *s = speech_new();
    kztts_stream_options options = with ? *with : speech_options(s);
    options.on_frame = on_frame;
    options.on_frame_user = s;
    kztts_stream *stream = speech_open_fresh(model, voice, &options);
    speech_put(stream, put);
    speech_read_all(stream, s, read);
    kztts_stream_close(&stream);
    return s;
}

int speech_same_codes(const speech *a, const speech *b) {
    return a->n_frame == b->n_frame && !memcmp(a->codes, b->codes, a->n_frame * CODES * sizeof(int32_t));
}

void speech_check(const speech *want, const speech *got, const char *what) {
    if (!speech_same_codes(want, got))
        fail_msg("%s: other codes", what);
    if (want->n_sample != got->n_sample)
        fail_msg("%s: %zu samples, expected %zu", what, got->n_sample, want->n_sample);
    for (size_t i = 0; i < want->n_sample; i++)
        if (memcmp(&want->pcm[i], &got->pcm[i], sizeof(float)) != 0)
            fail_msg("%s: sample %zu is %.9g, expected %.9g", what, i, (double)got->pcm[i], (double)want->pcm[i]);
}

int speech_open_shared(void **state) {
    shared *s = calloc(1, sizeof *s);
    *state = s;
    if (!s)
        return 1;
    s->model = speech_open_model(PRESETS, NULL, 2);
    s->voice = speech_open_voice(s->model);
    s->want = speech_make(s->model, s->voice, NULL, ALL, ALL);
    return 0;
}

int speech_close_shared(void **state) {
    shared *s = *state;
    speech_free(s->want);
    kztts_voice_close(&s->voice);
    kztts_model_close(&s->model);
    free(s);
    return 0;
}
