/* cmd_say.c: `kztts say`: a text into sound.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "language.h"
#include "output.h"
#include "progress.h"
#include "signals.h"
#include "voice_choice.h"

int kz_cmd_say(const kz_args *args);

typedef struct say_run {
    const kz_args *args;
    bool quiet;
    kz_text text;
    char *model_path;
    kz_output out;
    kz_codes_file codes;
    kztts_model *model;
    kztts_model_info info;
    kz_voice_choice choice;
    kztts_stream *stream;
    kztts_stream_options options;
    float *pcm; /* [frame_samples] */
    double load_s, start, first_s, end;
} say_run;

static void set_sampling(kztts_stream_options *o, const kz_value *v) {
    bool greedy = v[KZ_OPT_GREEDY].flag && !(v[KZ_OPT_SAMPLE].flag && v[KZ_OPT_GREEDY].from_env);
    bool sample = v[KZ_OPT_SAMPLE].flag && !greedy;
    if (sample)
        o->sample = o->sub_sample = 1;
    if (v[KZ_OPT_TEMP].given && v[KZ_OPT_TEMP].real > 0)
        o->temperature = (float)v[KZ_OPT_TEMP].real;
    else if (v[KZ_OPT_TEMP].given)
        o->sample = 0;
    if (v[KZ_OPT_SUB_TEMP].given && v[KZ_OPT_SUB_TEMP].real > 0)
        o->sub_temperature = (float)v[KZ_OPT_SUB_TEMP].real;
    else if (v[KZ_OPT_SUB_TEMP].given)
        o->sub_sample = 0;
    if (greedy)
        o->sample = o->sub_sample = 0;
    if (v[KZ_OPT_TOP_K].given)
        o->top_k = v[KZ_OPT_TOP_K].integer;
    if (v[KZ_OPT_TOP_P].given)
        o->top_p = (float)v[KZ_OPT_TOP_P].real;
    if (v[KZ_OPT_REPEAT_PENALTY].given)
        o->repetition_penalty = (float)v[KZ_OPT_REPEAT_PENALTY].real;
    if (v[KZ_OPT_SUB_TOP_K].given)
        o->sub_top_k = v[KZ_OPT_SUB_TOP_K].integer;
    if (v[KZ_OPT_SUB_TOP_P].given)
        o->sub_top_p = (float)v[KZ_OPT_SUB_TOP_P].real;
}

static void on_frame(void *user, uint64_t frame, const int32_t *codes, int n_code) {
    say_run *run = user;
    (void)frame;
    kz_codes_file_write(&run->codes, codes, n_code);
}

static void set_options(say_run *run) {
    static const kztts_text_mode modes[] = {KZTTS_TEXT_AUTO, KZTTS_TEXT_STREAMING, KZTTS_TEXT_FULL};
    const kz_value *v = run->args->value;
    kztts_stream_options *o = &run->options;
    kztts_stream_options_init(o, sizeof *o);
    if (v[KZ_OPT_LANGUAGE].text)
        o->language = kz_cli_language(run->model, v[KZ_OPT_LANGUAGE].text);
    if (strcmp(run->info.type, "voice_design") != 0)
        o->instruct = v[KZ_OPT_INSTRUCT].text;
    o->seed = run->choice.has_seed && !v[KZ_OPT_SEED].given ? run->choice.seed : kz_cli_seed(&v[KZ_OPT_SEED]);
    o->text_mode = modes[v[KZ_OPT_TEXT_MODE].integer];
    o->max_frames = v[KZ_OPT_MAX_FRAMES].integer;
    o->predictor_uncached = run->args->predictor_uncached;
    o->snapshot = *run->choice.snapshot ? run->choice.snapshot : NULL;
    if (run->codes.open) {
        o->on_frame = on_frame;
        o->on_frame_user = run;
    }
    set_sampling(o, v);
}

static int open_model(say_run *run) {
    kztts_model_options options;
    double start = kz_cli_now();
    kz_cli_model_options(run->args, &options);
    kztts_status status = kztts_model_open(&run->model, run->model_path, &options);
    if (status < 0)
        return kz_cli_fail_status(status, run->model ? kztts_model_message(run->model) : NULL);
    run->info.size = sizeof run->info;
    status = kztts_model_get_info(run->model, &run->info);
    if (status < 0)
        return kz_cli_fail_status(status, NULL);
    run->pcm = calloc((size_t)run->info.frame_samples, sizeof *run->pcm);
    if (!run->pcm)
        return kz_cli_fail(KZ_EXIT_MEMORY, "out of memory for the sound of a frame");
    run->load_s = kz_cli_now() - start;
    return KZ_GO_ON;
}

static int stream_failed(const say_run *run, kztts_status status) {
    return kz_cli_fail_status(status, run->stream ? kztts_stream_message(run->stream) : NULL);
}

static int open_stream(say_run *run) {
    run->start = kz_cli_now();
    kztts_status status = kztts_stream_open(&run->stream, run->model, run->choice.voice, &run->options);
    if (status >= 0)
        status = kztts_stream_put(run->stream, run->text.data, run->text.n);
    if (status >= 0)
        status = kztts_stream_finish(run->stream);
    return status < 0 ? stream_failed(run, status) : KZ_GO_ON;
}

/* Starts the files: from here on an existing file is overwritten. */
static int start_output(say_run *run) {
    char model[96];
    snprintf(model, sizeof model, "%s %s", run->info.type, run->info.model_size);
    kz_output_tag(&run->out, model, run->choice.label);
    kz_codes_file_start(&run->codes);
    return kz_output_start(&run->out, run->info.sample_rate);
}

/* Frame after frame until the end, a signal, or an error. */
static int speak(say_run *run) {
    kztts_status status;
    size_t n = 0, total = 0;
    bool started = false;
    int code = KZ_GO_ON;
    while (code == KZ_GO_ON && !run->codes.error && !kz_signals_seen()) {
        status = kztts_stream_read(run->stream, run->pcm, (size_t)run->info.frame_samples, &n);
        if (status < 0)
            return stream_failed(run, status);
        if (!started)
            code = start_output(run);
        if (!started)
            run->first_s = kz_cli_now() - run->start;
        started = true;
        if (status != KZTTS_OK)
            break;
        if (code == KZ_GO_ON)
            code = kz_output_write(&run->out, run->pcm, n);
        total += n;
        kz_progress_update((double)total / run->info.sample_rate);
    }
    if (code == KZ_GO_ON && !started)
        code = start_output(run);
    run->end = kz_cli_now();
    return code == KZ_GO_ON ? kz_output_finish(&run->out) : code;
}

static void print_summary(const say_run *run, const kztts_summary *s) {
    double audio = (double)s->samples / run->info.sample_rate, wall = run->end - run->start;
    const char *language = run->args->value[KZ_OPT_LANGUAGE].text;
    fprintf(stderr, "%s audio=%.2fs wall=%.2fs rtf=", kz_signals_seen() ? "interrupted" : "ok", audio, wall);
    if (audio > 0)
        fprintf(stderr, "%.2f", wall / audio);
    else
        fputs("-", stderr);
    fprintf(stderr, " first_audio=%.0fms load=%.0fms frames=%llu seed=%llu", 1e3 * run->first_s, 1e3 * run->load_s,
            (unsigned long long)s->frames, (unsigned long long)s->seed);
    fprintf(stderr, " voice=%s lang=%s mode=%s finish=%s out=%s\n", run->choice.label, language ? language : "auto",
            s->text_mode == KZTTS_TEXT_STREAMING ? "streaming" : "full",
            kz_signals_seen() ? kztts_finish_text(KZTTS_FINISH_CANCELLED) : kztts_finish_text(s->finish),
            run->out.summary);
}

/* What people are told at the end. */
static void report(say_run *run) {
    kztts_summary s = {.size = sizeof s};
    if (run->quiet || kztts_stream_get_summary(run->stream, &s) < 0)
        return;
    if (s.finish == KZTTS_FINISH_LENGTH && !run->options.max_frames)
        kz_cli_note(false, "the speech was cut at %llu frames, the model's limit", (unsigned long long)s.frames);
    print_summary(run, &s);
}

/* Everything that can be wrong with the request comes first: it costs the user no waiting for the model. */
static int prepare(say_run *run) {
    int code;
    if ((code = kz_voice_choice_prepare(&run->choice, run->args)) != KZ_GO_ON)
        return code;
    if ((code = kz_cli_text(run->args, &run->text)) != KZ_GO_ON)
        return code;
    if (strspn(run->text.data, " \t\r\n\v\f") == run->text.n)
        return kz_cli_fail(KZ_EXIT_TEXT, "the text is empty: there is nothing to speak");
    if ((code = kz_cli_model_path(run->args, &run->model_path)) != KZ_GO_ON)
        return code;
    if ((code = kz_output_open(&run->out, run->args)) != KZ_GO_ON)
        return code;
    return kz_codes_file_open(&run->codes, run->args, &run->out);
}

static int run_all(say_run *run) {
    int code;
    if ((code = prepare(run)) != KZ_GO_ON || (code = open_model(run)) != KZ_GO_ON ||
        (code = kz_voice_choice_open(&run->choice, run->args, run->model, &run->info)) != KZ_GO_ON)
        return code;
    set_options(run);
    kz_signals_graceful();
    kz_progress_begin(run->quiet, 0);
    if ((code = open_stream(run)) == KZ_GO_ON)
        code = speak(run);
    kz_progress_end();
    return code;
}

/* Closes the files and settles the exit code. */
static int finish(say_run *run, int code) {
    bool gone = run->out.closed_pipe || run->codes.error == EPIPE;
    bool done = code == KZ_GO_ON && !run->codes.error;
    kz_signals_keep();
    int sound = kz_output_close(&run->out, done || gone);
    int codes = kz_codes_file_close(&run->codes, done || gone);
    if (gone)
        return KZ_EXIT_OK;
    if (done && sound != KZ_GO_ON)
        code = sound;
    if (code == KZ_GO_ON && codes != KZ_GO_ON)
        code = codes;
    if (code != KZ_GO_ON)
        return code;
    report(run);
    return kz_signals_seen() ? 128 + kz_signals_seen() : KZ_EXIT_OK;
}

static void release(say_run *run) {
    kztts_stream_close(&run->stream);
    kz_voice_choice_free(&run->choice);
    kztts_model_close(&run->model);
    free(run->pcm);
    free(run->model_path);
    free(run->text.data);
}

int kz_cmd_say(const kz_args *args) {
    say_run run = {.args = args, .quiet = args->value[KZ_OPT_QUIET].flag};
    run.out.sink.out.fd = run.codes.out.fd = -1;
    kz_signals_install();
    int code = finish(&run, run_all(&run));
    release(&run);
    return code;
}
