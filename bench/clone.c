/* clone.c: first sound of a cloned voice: cold, and with the recording read before, as JSON lines.
 * SPDX-License-Identifier: Apache-2.0
 *
 *   bench_clone BASE_MODEL [seconds (8)] [threads (0 = all)] [cpu level] [requests (4)] [quant]
 *
 * The recording is made up; its sound doesn't matter for the time. The very first request reads the recording; what it
 * leaves is kept with the voice. The others have other words, on the same stream or ("new streams") on one of their own.
 * first_frames: first sound in frames of this run's own pace. What is left of it beside one frame are the prompt's rows from the end of the
 * transcript on: there the official prompt lays the text over the recording's frames. The machine should be idle. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kztts/kztts.h"

enum { RATE = 24000, MAX_SECONDS = 60, FRAMES = 12 };

static const char words[] =
    "The words of a recording: about two and a half of them are said in a second, by most people.";
static const char *const requests[] = {"Hello, this is the first thing that I say.",
                                       "And now something else, of other words.",
                                       "A third sentence, to see whether the second was luck."};

typedef struct run {
    kztts_model *model;
    kztts_voice *voice;
    kztts_model_info info;
    kztts_stream_options options;
} run;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int fail(const char *message) {
    fprintf(stderr, "bench_clone: %s\n", message);
    return 1;
}

/* Syllables of a buzzing sound. */
static void make_recording(float *pcm, size_t n) {
    unsigned seed = 1;
    for (size_t i = 0; i < n; i++) {
        double t = (double)i / (double)RATE, syllable = t * 4 - (double)(size_t)(t * 4),
               buzz = t * 120 - (double)(size_t)(t * 120);
        seed = seed * 1664525u + 1013904223u;
        pcm[i] = (float)((syllable < 0.7 ? 0.3 * (buzz - 0.5) : 0) + 1e-3 * ((double)(seed >> 8) / (1 << 24) - 0.5));
    }
}

static int clone(run *r, double seconds) {
    float *pcm = malloc(sizeof *pcm * RATE * MAX_SECONDS);
    size_t n = (size_t)(seconds * (double)RATE);
    if (!pcm)
        return fail("out of memory");
    make_recording(pcm, n);
    double begin = now();
    kztts_status status = kztts_voice_clone(&r->voice, r->model, pcm, n, words);
    free(pcm);
    if (status < 0)
        return fail(r->voice ? kztts_voice_message(r->voice) : "out of memory");
    printf("{\"cpu\":\"%s\",\"threads\":%d,\"recording_s\":%.1f,\"clone_ms\":%.0f}\n", r->info.cpu, r->info.threads,
           seconds, 1e3 * (now() - begin));
    return 0;
}

/* In pieces of less than a frame: a call fills what it is given. */
static kztts_status read_all(kztts_stream *stream, double begin, double *first) {
    float pcm[480];
    size_t n;
    kztts_status status;
    *first = 0;
    while ((status = kztts_stream_read(stream, pcm, sizeof pcm / sizeof *pcm, &n)) == KZTTS_OK)
        if (*first == 0)
            *first = now() - begin;
    return status;
}

/* On a new stream when *stream is NULL. */
static int request(run *r, kztts_stream **stream, int i, const char *name) {
    const char *text = requests[(size_t)i % (sizeof requests / sizeof requests[0])];
    kztts_summary s = {.size = sizeof s};
    double begin = now(), first = 0;
    kztts_status status = *stream ? kztts_stream_restart(*stream, &r->options)
                                  : kztts_stream_open(stream, r->model, r->voice, &r->options);
    if (status >= 0)
        status = kztts_stream_put(*stream, text, strlen(text));
    if (status >= 0)
        status = kztts_stream_finish(*stream);
    if (status >= 0)
        status = read_all(*stream, begin, &first);
    if (status < 0 || kztts_stream_get_summary(*stream, &s) < 0)
        return fail(*stream ? kztts_stream_message(*stream) : "out of memory");
    double frame = (s.talker_s + s.predictor_s + s.decoder_s) / (double)(s.frames ? s.frames : 1);
    printf("{\"run\":\"%s\",\"request\":%d,\"prompt_rows\":%d,\"prefill_ms\":%.1f,\"first_audio_ms\":%.1f,"
           "\"frame_ms\":%.1f,\"first_frames\":%.2f}\n",
           name, i, s.prompt_rows, 1e3 * s.prefill_s, 1e3 * first, 1e3 * frame, first / frame);
    return 0;
}

static int run_all(run *r, double seconds, int n) {
    static const struct {
        const char *name;
        kztts_text_mode mode;
        int fresh; /* a new stream for each */
    } modes[] = {
        {"streaming", KZTTS_TEXT_STREAMING, 0}, {"full", KZTTS_TEXT_FULL, 0}, {"new streams", KZTTS_TEXT_STREAMING, 1}};
    int failed = clone(r, seconds);
    kztts_stream_options_init(&r->options, sizeof r->options);
    r->options.max_frames = FRAMES;
    for (size_t m = 0; m < sizeof modes / sizeof modes[0] && !failed; m++) {
        kztts_stream *stream = NULL;
        r->options.text_mode = modes[m].mode;
        for (int i = 0; i < n && !failed; i++) {
            failed = request(r, &stream, i, modes[m].name);
            if (modes[m].fresh)
                kztts_stream_close(&stream);
        }
        kztts_stream_close(&stream);
    }
    return failed;
}

int main(int argc, char **argv) {
    run r = {.info = {.size = sizeof r.info}};
    kztts_model_options options;
    if (argc < 2)
        return fail("usage: bench_clone BASE_MODEL [seconds] [threads] [cpu level] [requests] [quant]");
    double seconds = argc > 2 ? atof(argv[2]) : 8;
    if (!(seconds >= 1 && seconds <= (double)MAX_SECONDS))
        return fail("a recording of 1 to 60 seconds");
    kztts_model_options_init(&options, sizeof options);
    options.threads = argc > 3 ? atoi(argv[3]) : 0;
    options.cpu = argc > 4 && *argv[4] ? argv[4] : NULL;
    options.quant = argc > 6 && *argv[6] ? argv[6] : NULL;
    int failed = kztts_model_open(&r.model, argv[1], &options) < 0 || kztts_model_get_info(r.model, &r.info) < 0;
    if (failed)
        fail(r.model ? kztts_model_message(r.model) : "out of memory");
    else
        failed = run_all(&r, seconds, argc > 5 ? atoi(argv[5]) : 4);
    kztts_voice_close(&r.voice);
    kztts_model_close(&r.model);
    return failed;
}
