/* stages.c: milliseconds of each stage of an utterance, as one JSON line a run.  SPDX-License-Identifier: Apache-2.0
 *
 *   bench_stages MODEL [frames (60)] [threads (0 = all)] [cpu level] [runs (3)] [quant]
 *
 * Greedy, a fixed text, the first preset voice; every run is a new utterance on a fresh stream. rtf is wall time per
 * second of sound. The machine should be idle; state its bandwidth and peak beside the figures (check_kernels --bench). */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "kztts/kztts.h"

static const char text[] = "Hello, world. This is a test of how quickly the whole chain works on this machine.";

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int fail(const char *message) {
    fprintf(stderr, "bench_stages: %s\n", message);
    return 1;
}

/* Reads to the end; *first is when the first samples came. */
static kztts_status read_all(kztts_stream *stream, double begin, double *first) {
    float pcm[4096];
    size_t n;
    kztts_status status;
    *first = 0;
    while ((status = kztts_stream_read(stream, pcm, sizeof pcm / sizeof *pcm, &n)) == KZTTS_OK)
        if (*first == 0)
            *first = now() - begin;
    return status;
}

static void print_run(const kztts_model_info *info, const kztts_summary *s, double wall, double first) {
    double frames = s->frames ? (double)s->frames : 1, seconds = frames * info->frame_samples / info->sample_rate;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("{\"cpu\":\"%s\",\"threads\":%d,\"frames\":%llu,\"prompt_rows\":%d,\"rtf\":%.3f,\"first_audio_ms\":%.1f,"
           "\"prefill_ms\":%.1f,\"talker_ms\":%.2f,\"predictor_ms\":%.2f,\"decoder_ms\":%.2f,\"peak_mib\":%.0f}\n",
           info->cpu, info->threads, (unsigned long long)s->frames, s->prompt_rows, wall / seconds, 1e3 * first,
           1e3 * s->prefill_s, 1e3 * s->talker_s / frames, 1e3 * s->predictor_s / frames, 1e3 * s->decoder_s / frames,
           (double)usage.ru_maxrss / 1024);
}

static int run_once(kztts_model *model, const kztts_voice *voice, const kztts_stream_options *options,
                    const kztts_model_info *info) {
    kztts_stream *stream = NULL;
    kztts_summary summary = {.size = sizeof summary};
    double begin = now(), first;
    kztts_status status = kztts_stream_open(&stream, model, voice, options);
    if (status >= 0)
        status = kztts_stream_put(stream, text, sizeof text - 1);
    if (status >= 0)
        status = kztts_stream_finish(stream);
    if (status >= 0)
        status = read_all(stream, begin, &first);
    if (status >= 0 && kztts_stream_get_summary(stream, &summary) >= 0)
        print_run(info, &summary, now() - begin, first);
    else
        fail(stream ? kztts_stream_message(stream) : "out of memory");
    kztts_stream_close(&stream);
    return status < 0;
}

static int run_all(kztts_model *model, int frames, int runs) {
    kztts_voice *voice = NULL;
    kztts_stream_options options;
    kztts_model_info info = {.size = sizeof info};
    kztts_stream_options_init(&options, sizeof options);
    options.max_frames = frames;
    options.sample = options.sub_sample = 0;
    int failed = kztts_voice_preset(&voice, model, NULL) < 0 || kztts_model_get_info(model, &info) < 0;
    if (failed)
        fail(voice ? kztts_voice_message(voice) : "out of memory");
    for (int i = 0; i < runs && !failed; i++)
        failed = run_once(model, voice, &options, &info);
    kztts_voice_close(&voice);
    return failed;
}

int main(int argc, char **argv) {
    kztts_model *model = NULL;
    kztts_model_options options;
    if (argc < 2)
        return fail("usage: bench_stages MODEL [frames] [threads] [cpu level] [runs] [quant]");
    kztts_model_options_init(&options, sizeof options);
    options.threads = argc > 3 ? atoi(argv[3]) : 0;
    options.cpu = argc > 4 && *argv[4] ? argv[4] : NULL;
    options.quant = argc > 6 ? argv[6] : NULL;
    double begin = now();
    int failed = kztts_model_open(&model, argv[1], &options) < 0;
    if (failed) {
        fail(model ? kztts_model_message(model) : "out of memory");
    } else {
        printf("{\"load_s\":%.2f}\n", now() - begin);
        failed = run_all(model, argc > 2 ? atoi(argv[2]) : 60, argc > 5 ? atoi(argv[5]) : 3);
    }
    kztts_model_close(&model);
    return failed;
}
