/* guards.c: how utterances end, and how near good ones come to the guards' limits.  SPDX-License-Identifier: Apache-2.0
 *
 *   bench_guards MODEL SENTENCES [first seed (1)] [temperature (0 = the model's own)] [most (0 = all)]
 *
 * Speaks every line of the file with a seed of its own, sampled, without guards (but with the model's limit), and prints
 * a table: for each utterance that would have been cut a line, then finish reasons and the extremes seen. docs/guards.md
 * has the figures, sentences.py the sentences. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/guard.h"
#include "kztts/kztts.h"

enum { LINE = 4096 };

/* What the guards see of one utterance. */
typedef struct seen {
    double rate;
    kz_watch watch;
    size_t n_frame, longest_run[KZ_WATCH_PERIOD];
    size_t n_quiet, longest_quiet; /* samples */
    bool circles, silent;
    kz_hush hush;
    int sample_rate;
} seen;

/* Over all of them. */
typedef struct total {
    int n, reason[8], cut_length, cut_circles, cut_silence, early;
    double most, least; /* frames against those expected */
    size_t longest_run[KZ_WATCH_PERIOD];
    double longest_quiet;
} total;

static int fail(const char *message) {
    fprintf(stderr, "bench_guards: %s\n", message);
    return 1;
}

static void on_frame(void *user, uint64_t frame, const int32_t *codes, int n_code) {
    seen *s = user;
    (void)frame;
    (void)n_code;
    s->circles |= kz_watch_code(&s->watch, codes[0], s->rate);
    s->n_frame++;
    for (size_t p = 0; p < KZ_WATCH_PERIOD; p++)
        if (s->watch.run[p] > s->longest_run[p])
            s->longest_run[p] = s->watch.run[p];
}

static void hear(seen *s, const float *pcm, size_t n) {
    s->silent |= kz_hush_samples(&s->hush, pcm, n, s->sample_rate);
    if (s->hush.n_quiet > s->longest_quiet)
        s->longest_quiet = s->hush.n_quiet;
}

static kztts_status speak(kztts_stream *stream, const char *text, seen *s) {
    float pcm[1920];
    size_t n;
    kztts_status status = kztts_stream_put(stream, text, strlen(text));
    if (status >= 0)
        status = kztts_stream_finish(stream);
    while (status >= 0 && (status = kztts_stream_read(stream, pcm, sizeof pcm / sizeof *pcm, &n)) == KZTTS_OK)
        hear(s, pcm, n);
    return status;
}

static void count(total *t, const seen *s, const char *text, kztts_finish_reason reason) {
    double seconds = kz_guard_seconds(text, strlen(text)), expected = seconds * s->rate;
    double ratio = expected > 0 ? (double)s->n_frame / expected : 0, quiet = (double)s->longest_quiet / s->sample_rate;
    bool runaway = s->n_frame > kz_guard_most_frames(seconds, s->rate);
    bool early = s->n_frame < kz_guard_least_frames(seconds, s->rate);
    t->n++;
    t->reason[reason]++;
    t->cut_length += runaway;
    t->cut_circles += s->circles;
    t->cut_silence += s->silent;
    t->early += early;
    t->most = ratio > t->most ? ratio : t->most;
    t->least = ratio < t->least ? ratio : t->least;
    t->longest_quiet = quiet > t->longest_quiet ? quiet : t->longest_quiet;
    for (size_t p = 0; p < KZ_WATCH_PERIOD; p++)
        if (s->longest_run[p] > t->longest_run[p])
            t->longest_run[p] = s->longest_run[p];
    if (runaway || s->circles || s->silent || early)
        printf("%s%s%s%s: %zu frames, %.2f of those expected, quiet %.2f s, %s: %s\n", runaway ? "length " : "",
               s->circles ? "repetition " : "", s->silent ? "silence " : "", early ? "early " : "", s->n_frame, ratio,
               quiet, kztts_finish_text(reason), text);
}

static void print_total(const total *t) {
    printf("utterances %d\nfinish reasons without guards: eos %d, length %d\n", t->n, t->reason[KZTTS_FINISH_EOS],
           t->reason[KZTTS_FINISH_LENGTH]);
    printf("guards: length %d, repetition %d, silence %d; early %d\n", t->cut_length, t->cut_circles, t->cut_silence,
           t->early);
    printf(
        "frames against those expected: %.2f to %.2f\nlongest silence: %.2f s\nlongest circle, in frames, by period:",
        t->least, t->most, t->longest_quiet);
    for (size_t p = 0; p < KZ_WATCH_PERIOD; p++)
        printf(" %zu", t->longest_run[p]);
    putchar('\n');
}

static int run_line(kztts_stream *stream, kztts_stream_options *options, const char *text, seen *s, total *t) {
    double rate = s->rate;
    int sample_rate = s->sample_rate;
    kztts_summary summary = {.size = sizeof summary};
    *s = (seen){.rate = rate, .sample_rate = sample_rate};
    if (kztts_stream_restart(stream, options) < 0 || speak(stream, text, s) != KZTTS_END ||
        kztts_stream_get_summary(stream, &summary) < 0)
        return fail(kztts_stream_message(stream));
    count(t, s, text, summary.finish);
    return 0;
}

static int run_file(kztts_model *model, kztts_voice *voice, FILE *file, kztts_stream_options *options, int most) {
    kztts_model_info info = {.size = sizeof info};
    kztts_stream *stream = NULL;
    char line[LINE];
    total t = {.least = 1e9};
    seen s = {0};
    options->on_frame = on_frame;
    options->on_frame_user = &s;
    int failed = kztts_model_get_info(model, &info) < 0 || kztts_stream_open(&stream, model, voice, options) < 0;
    if (failed)
        fail(stream ? kztts_stream_message(stream) : "out of memory");
    s.sample_rate = info.sample_rate;
    s.rate = info.frame_samples ? (double)info.sample_rate / info.frame_samples : 1;
    while (!failed && (!most || t.n < most) && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        failed = *line && run_line(stream, options, line, &s, &t);
        options->seed++;
    }
    if (!failed)
        print_total(&t);
    kztts_stream_close(&stream);
    return failed;
}

int main(int argc, char **argv) {
    kztts_model *model = NULL;
    kztts_voice *voice = NULL;
    kztts_stream_options options;
    kztts_stream_options_init(&options, sizeof options);
    if (argc < 3)
        return fail("usage: bench_guards MODEL SENTENCES [first seed] [temperature] [most]");
    options.sample = options.sub_sample = 1;
    options.guard = KZTTS_GUARD_OFF;
    options.split = KZTTS_SPLIT_OFF;
    options.seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    if (argc > 4 && atof(argv[4]) > 0)
        options.temperature = options.sub_temperature = (float)atof(argv[4]);
    FILE *file = fopen(argv[2], "r");
    int failed = !file ? fail("can't read the sentences") : 0;
    if (!failed && kztts_model_open(&model, argv[1], NULL) < 0)
        failed = fail(model ? kztts_model_message(model) : "out of memory");
    if (!failed && kztts_voice_preset(&voice, model, NULL) < 0)
        failed = fail(voice ? kztts_voice_message(voice) : "out of memory");
    if (!failed)
        failed = run_file(model, voice, file, &options, argc > 5 ? atoi(argv[5]) : 0);
    if (file)
        fclose(file);
    kztts_voice_close(&voice);
    kztts_model_close(&model);
    return failed;
}
