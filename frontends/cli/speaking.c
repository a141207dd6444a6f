/* speaking.c: what commands that speak have in common.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "speaking.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "language.h"
#include "passes.h"
#include "progress.h"
#include "same_file.h"
#include "signals.h"

void kz_speaking_init(kz_speaking *run, const kz_args *args) {
    *run = (kz_speaking){.args = args, .quiet = args->value[KZ_OPT_QUIET].flag};
    run->out.sink.out.fd = run->codes.out.fd = -1;
    kz_timing_init(&run->timing);
}

void kz_speaking_free(kz_speaking *run) {
    kz_signals_cancel(NULL);
    kztts_stream_close(&run->stream);
    kz_voice_choice_free(&run->choice);
    kztts_model_close(&run->model);
    free(run->pcm);
    free(run->model_path);
}

/* ---- options ----------------------------------------------------------------------------------------------- */

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

static int milliseconds(const kz_value *v) { return v->given ? (int)(1e3 * v->real + 0.5) : -1; }

/* How the text is cut and joined, and what happens when the model goes wrong. live: it comes while it is spoken. */
static void set_text(kztts_stream_options *o, const kz_value *v, bool live) {
    static const kztts_guard guards[] = {KZTTS_GUARD_AUTO, KZTTS_GUARD_ON, KZTTS_GUARD_OFF};
    static const kztts_commit commits[] = {KZTTS_COMMIT_SENTENCE, KZTTS_COMMIT_LINE, KZTTS_COMMIT_TOKEN};
    o->split = v[KZ_OPT_SPLIT].integer == 1 ? KZTTS_SPLIT_OFF : KZTTS_SPLIT_AUTO;
    o->chunk_letters = v[KZ_OPT_CHUNK].integer;
    o->sentence_silence_ms = milliseconds(&v[KZ_OPT_SENTENCE_SILENCE]);
    o->paragraph_silence_ms = milliseconds(&v[KZ_OPT_PARAGRAPH_SILENCE]);
    o->trim = v[KZ_OPT_TRIM].flag;
    o->batch = v[KZ_OPT_TOGETHER].integer;
    o->guard = guards[v[KZ_OPT_GUARD].integer];
    o->retries = v[KZ_OPT_RETRIES].integer;
    if (live)
        o->commit = commits[v[KZ_OPT_COMMIT].integer];
}

void kz_speaking_options(kztts_stream_options *o, const kz_args *args, kztts_model *model,
                         const kztts_model_info *info) {
    static const kztts_text_mode modes[] = {KZTTS_TEXT_AUTO, KZTTS_TEXT_STREAMING, KZTTS_TEXT_FULL};
    const kz_value *v = args->value;
    kztts_stream_options_init(o, sizeof *o);
    if (v[KZ_OPT_LANGUAGE].text)
        o->language = kz_cli_language(model, v[KZ_OPT_LANGUAGE].text);
    if (strcmp(info->type, "voice_design") != 0)
        o->instruct = v[KZ_OPT_INSTRUCT].text;
    o->text_mode = modes[v[KZ_OPT_TEXT_MODE].integer];
    o->max_frames = v[KZ_OPT_MAX_FRAMES].integer;
    o->predictor_uncached = args->predictor_uncached;
    set_sampling(o, v);
    set_text(o, v, args->command == &kz_commands[KZ_CMD_STREAM]);
}

static void on_frame(void *user, uint64_t frame, const int32_t *codes, int n_code) {
    kz_speaking *run = user;
    (void)frame;
    kz_codes_file_write(&run->codes, codes, n_code);
}

static void on_event(void *user, const kztts_event *event) {
    kz_speaking *run = user;
    kz_timing_event(&run->timing, event, &run->out);
}

static void set_options(kz_speaking *run) {
    const kz_value *seed = &run->args->value[KZ_OPT_SEED];
    kztts_stream_options *o = &run->options;
    kz_speaking_options(o, run->args, run->model, &run->info);
    o->seed = run->choice.has_seed && !seed->given ? run->choice.seed : kz_cli_seed(seed);
    o->snapshot = *run->choice.snapshot ? run->choice.snapshot : NULL;
    if (run->codes.open) {
        o->on_frame = on_frame;
        o->on_frame_user = run;
    }
    if (run->timing.any) {
        o->on_event = on_event;
        o->on_event_user = run;
    }
}

/* ---- opening ----------------------------------------------------------------------------------------------- */

int kz_speaking_prepare(kz_speaking *run) {
    int code = kz_cli_distinct_files(run->args);
    if (code != KZ_GO_ON)
        return code;
    if ((code = kz_cli_model_path(run->args, &run->model_path)) != KZ_GO_ON)
        return code;
    if ((code = kz_output_open(&run->out, run->args)) != KZ_GO_ON)
        return code;
    if ((code = kz_codes_file_open(&run->codes, run->args, &run->out)) != KZ_GO_ON)
        return code;
    return kz_timing_open(&run->timing, run->args, &run->out);
}

static int open_model(kz_speaking *run) {
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
    run->load_s = kz_cli_now() - start;
    return KZ_GO_ON;
}

static int make_room(kz_speaking *run) {
    run->pcm = calloc((size_t)run->info.frame_samples, sizeof *run->pcm);
    return run->pcm ? KZ_GO_ON : kz_cli_fail(KZ_EXIT_MEMORY, "out of memory for the sound of a frame");
}

int kz_speaking_model(kz_speaking *run) {
    int code = kz_cli_model_path(run->args, &run->model_path);
    return code == KZ_GO_ON ? open_model(run) : code;
}

int kz_speaking_open(kz_speaking *run) {
    int code;
    if ((!run->model && (code = open_model(run)) != KZ_GO_ON) || (code = make_room(run)) != KZ_GO_ON ||
        (code = kz_voice_choice_open(&run->choice, run->args, run->model, &run->info)) != KZ_GO_ON)
        return code;
    set_options(run);
    kz_signals_graceful();
    kz_progress_begin(run->quiet, 0);
    run->start = kz_cli_now();
    kztts_status status = kztts_stream_open(&run->stream, run->model, run->choice.voice, &run->options);
    if (status < 0)
        return kz_speaking_failed(run, status);
    kz_signals_cancel(run->stream);
    if (run->out.sink.out.pipe)
        kz_listener_watch(&run->listener, run->out.sink.out.fd, run->stream);
    return KZ_GO_ON;
}

kztts_status kz_speaking_put(kz_speaking *run, const char *text, size_t n) {
    kztts_status status = kztts_stream_put(run->stream, text, n);
    return status >= 0 && !kz_timing_text(&run->timing, text, n) ? KZTTS_ERROR_MEMORY : status;
}

int kz_speaking_failed(const kz_speaking *run, kztts_status status) {
    return kz_cli_fail_status(status, run->stream ? kztts_stream_message(run->stream) : NULL);
}

/* ---- sound ------------------------------------------------------------------------------------------------- */

/* Starts the files: from here on an existing file is overwritten. */
static int start_output(kz_speaking *run) {
    char model[96];
    run->started = true;
    run->first_s = kz_cli_now() - run->start;
    snprintf(model, sizeof model, "%s %s", run->info.type, run->info.model_size);
    kz_output_tag(&run->out, model, run->choice.label);
    kz_codes_file_start(&run->codes);
    return kz_output_start(&run->out, run->info.sample_rate);
}

int kz_speaking_read(kz_speaking *run, kztts_status *status) {
    size_t n = 0;
    int code = KZ_GO_ON;
    *status = kztts_stream_read(run->stream, run->pcm, (size_t)run->info.frame_samples, &n);
    if (*status == KZTTS_AGAIN || run->codes.error)
        return KZ_GO_ON;
    if (*status < 0 && *status != KZTTS_ERROR_GUARD)
        return kz_speaking_failed(run, *status);
    if (!run->started)
        code = start_output(run);
    if (code == KZ_GO_ON && n)
        code = kz_output_write(&run->out, run->pcm, n);
    run->n_sample += n;
    kz_progress_update((double)run->n_sample / run->info.sample_rate);
    return code;
}

int kz_speaking_end(kz_speaking *run) {
    if (kz_output_unread(&run->out))
        return KZ_EXIT_OK;
    int code = run->started ? KZ_GO_ON : start_output(run);
    run->end = kz_cli_now();
    return code == KZ_GO_ON ? kz_output_finish(&run->out) : code;
}

/* ---- outcome ----------------------------------------------------------------------------------------------- */

static void print_summary(const kz_speaking *run, const kztts_summary *s) {
    double audio = kz_sink_seconds(&run->out.sink), wall = run->end - run->start;
    const char *language = run->args->value[KZ_OPT_LANGUAGE].text;
    fprintf(stderr, "%s audio=%.2fs wall=%.2fs rtf=",
            kz_signals_seen() ? "interrupted"
            : s->cut          ? "cut"
                              : "ok",
            audio, wall);
    if (audio > 0)
        fprintf(stderr, "%.2f", wall / audio);
    else
        fputs("-", stderr);
    fprintf(stderr, " first_audio=%.0fms load=%.0fms frames=%llu seed=%llu", 1e3 * run->first_s, 1e3 * run->load_s,
            (unsigned long long)s->frames, (unsigned long long)s->seed);
    if (s->chunks > 1)
        fprintf(stderr, " chunks=%d batch=%d", s->chunks, s->batch);
    if (s->cut || s->early || s->retried)
        fprintf(stderr, " cut=%d early=%d retried=%d", s->cut, s->early, s->retried);
    fprintf(stderr, " voice=%s lang=%s mode=%s finish=%s out=%s\n", run->choice.label, language ? language : "auto",
            s->text_mode == KZTTS_TEXT_STREAMING ? "streaming" : "full",
            kz_signals_seen() ? kztts_finish_text(KZTTS_FINISH_CANCELLED) : kztts_finish_text(s->finish),
            run->out.summary);
}

static void print_passes(const kztts_stream *stream) {
    kz_passes passes = {.n = 0};
    kz_passes_add(&passes, stream);
    kz_passes_print(stderr, &passes);
}

/* What people are told at the end. */
static void report(kz_speaking *run) {
    kztts_summary s = {.size = sizeof s};
    if (run->quiet || kztts_stream_get_summary(run->stream, &s) < 0)
        return;
    if (s.finish == KZTTS_FINISH_LENGTH && !s.cut && !run->options.max_frames)
        kz_cli_note(false, "the speech was cut at %llu frames, the model's limit", (unsigned long long)s.frames);
    print_summary(run, &s);
    if (run->args->value[KZ_OPT_CP_PROFILE].flag)
        print_passes(run->stream);
}

/* A speech that a guard cut is kept as far as it goes, but is no success. */
static int outcome(const kz_speaking *run) {
    kztts_summary s = {.size = sizeof s};
    if (kz_signals_seen())
        return 128 + kz_signals_seen();
    if (kztts_stream_get_summary(run->stream, &s) >= 0 && s.cut)
        return kz_speaking_failed(run, KZTTS_ERROR_GUARD);
    return KZ_EXIT_OK;
}

int kz_speaking_close_files(kz_speaking *run, bool keep) {
    int timing = keep ? kz_timing_finish(&run->timing, kz_sink_seconds(&run->out.sink)) : KZ_GO_ON;
    keep = keep && timing == KZ_GO_ON;
    int codes = kz_codes_file_close(&run->codes, keep);
    keep = keep && codes == KZ_GO_ON;
    int closed = kz_timing_close(&run->timing, keep);
    keep = keep && closed == KZ_GO_ON;
    int sound = kz_output_close(&run->out, keep);
    return sound != KZ_GO_ON ? sound : codes != KZ_GO_ON ? codes : timing != KZ_GO_ON ? timing : closed;
}

int kz_speaking_close(kz_speaking *run, int code) {
    kz_listener_leave(&run->listener);
    bool gone = run->out.closed_pipe || run->codes.error == EPIPE;
    bool done = code == KZ_GO_ON && !run->codes.error;
    kz_signals_keep();
    int closed = kz_speaking_close_files(run, done || gone);
    if (gone)
        return KZ_EXIT_OK;
    if (code == KZ_GO_ON)
        code = closed;
    if (code != KZ_GO_ON)
        return code;
    report(run);
    return outcome(run);
}
