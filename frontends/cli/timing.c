/* timing.c: when each sentence is heard, written beside the sound.  SPDX-License-Identifier: Apache-2.0
 *
 * A sentence is written when the next one has ended: the last one must not end after the sound, whose length, when the
 * speed was changed, is known at the end only. Times are whole milliseconds, rounded down, and never fall. */
#include "timing.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "signals.h"

static const kz_option_id options[KZ_TIMING_COUNT] = {KZ_OPT_SRT, KZ_OPT_VTT, KZ_OPT_JSON_TIMING};

/* ---- files ------------------------------------------------------------------------------------------------------- */

static int file_error(const kz_timing_file *file, int error) {
    return kz_cli_fail(KZ_EXIT_FAILED, "can't write '%s': %s", file->name, strerror(error));
}

static int open_file(kz_timing *t, kz_timing_kind kind, const kz_args *args, const kz_output *sound) {
    kz_timing_file *file = &t->file[kind];
    const char *path = args->value[options[kind]].text;
    if (!path)
        return KZ_GO_ON;
    bool dash = strcmp(path, "-") == 0;
    if (dash && sound->sink.out.is_stdout)
        return kz_cli_fail(KZ_EXIT_USAGE, "sound and --%s can't both go to standard output: name a file with -o",
                           kz_options[options[kind]].name);
    file->name = dash ? "standard output" : path;
    int error = kz_outfile_open(&file->out, dash ? NULL : path);
    if (error)
        return file_error(file, error);
    file->open = t->any = true;
    if (file->out.created)
        kz_signals_remove(path);
    return KZ_GO_ON;
}

void kz_timing_init(kz_timing *t) {
    memset(t, 0, sizeof *t);
    for (int i = 0; i < KZ_TIMING_COUNT; i++)
        t->file[i].out.fd = -1;
}

int kz_timing_open(kz_timing *t, const kz_args *args, const kz_output *sound) {
    int code = KZ_GO_ON;
    for (int i = 0; i < KZ_TIMING_COUNT && code == KZ_GO_ON; i++)
        code = open_file(t, (kz_timing_kind)i, args, sound);
    return code;
}

static void put_bytes(kz_timing_file *file, const char *bytes, size_t n) {
    if (file->open && !file->error && n)
        file->error = kz_outfile_write(&file->out, bytes, n);
}

KZ_CLI_PRINTF(2, 3) static void put(kz_timing_file *file, const char *format, ...) {
    char line[256];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    put_bytes(file, line, n > 0 ? (size_t)n : 0);
}

static void start(kz_timing *t) {
    for (int i = 0; i < KZ_TIMING_COUNT && !t->started; i++)
        if (t->file[i].open)
            t->file[i].error = kz_outfile_start(&t->file[i].out);
    if (!t->started) {
        put(&t->file[KZ_TIMING_VTT], "WEBVTT\n");
        put(&t->file[KZ_TIMING_JSON], "{\"sentences\": [");
    }
    t->started = true;
}

/* ---- cues -------------------------------------------------------------------------------------------------------- */

/* One line: blanks of all kinds become one. `markup`: what WebVTT would read as such is written another way. */
static void put_line(kz_timing_file *file, const kz_cue *cue, bool markup) {
    bool blank = false;
    for (size_t i = 0; i < cue->n; i++) {
        char c = cue->text[i];
        if (c == ' ' || (c >= '\t' && c <= '\r')) {
            blank = true;
            continue;
        }
        if (blank)
            put_bytes(file, " ", 1);
        blank = false;
        const char *entity = !markup ? NULL : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : NULL;
        put_bytes(file, entity ? entity : &c, entity ? strlen(entity) : 1);
    }
}

static void put_json_text(kz_timing_file *file, const kz_cue *cue) {
    put(file, "\"");
    for (size_t i = 0; i < cue->n; i++) {
        char c = cue->text[i];
        if ((unsigned char)c < 0x20)
            put(file, "\\u%04x", (unsigned)c);
        else
            put(file, c == '"' || c == '\\' ? "\\%c" : "%c", c);
    }
    put(file, "\"");
}

static void put_time(kz_timing_file *file, uint64_t ms, char point) {
    unsigned long long s = ms / 1000;
    put(file, "%02llu:%02llu:%02llu%c%03llu", s / 3600, s / 60 % 60, s % 60, point, (unsigned long long)(ms % 1000));
}

static void put_cue(kz_timing_file *file, const kz_cue *cue, uint64_t begin, uint64_t end, bool vtt) {
    put_time(file, begin, vtt ? '.' : ',');
    put(file, " --> ");
    put_time(file, end, vtt ? '.' : ',');
    put(file, "\n");
    put_line(file, cue, vtt);
    put(file, "\n");
}

static void write_cue(kz_timing *t, const kz_cue *cue, uint64_t begin, uint64_t end) {
    kz_timing_file *srt = &t->file[KZ_TIMING_SRT], *vtt = &t->file[KZ_TIMING_VTT], *json = &t->file[KZ_TIMING_JSON];
    start(t);
    t->n_cue++;
    put(srt, "%s%llu\n", t->n_cue > 1 ? "\n" : "", t->n_cue);
    put_cue(srt, cue, begin, end, false);
    put(vtt, "\n");
    put_cue(vtt, cue, begin, end, true);
    put(json, "%s\n  {\"begin\": %llu.%03llu, \"end\": %llu.%03llu, ", t->n_cue > 1 ? "," : "",
        (unsigned long long)(begin / 1000), (unsigned long long)(begin % 1000), (unsigned long long)(end / 1000),
        (unsigned long long)(end % 1000));
    put(json,
        "\"text_begin\": %llu, \"text_end\": %llu, \"exact\": %s, \"text\": ", (unsigned long long)cue->text_begin,
        (unsigned long long)cue->text_end, cue->exact ? "true" : "false");
    put_json_text(json, cue);
    put(json, "}");
}

/* most: the length of the sound in milliseconds, as far as it is known. */
static void write_waiting(kz_timing *t, uint64_t most) {
    if (!t->has_waiting)
        return;
    kz_cue *cue = &t->waiting;
    uint64_t begin = (uint64_t)(1000 * cue->begin), end = (uint64_t)(1000 * cue->end);
    begin = begin < most ? begin : most;
    begin = begin > t->last_ms ? begin : t->last_ms;
    end = end < most ? end : most;
    end = end > begin ? end : begin;
    t->last_ms = end;
    write_cue(t, cue, begin, end);
    free(cue->text);
    t->has_waiting = false;
}

bool kz_timing_text(kz_timing *t, const char *text, size_t n) {
    if (!t->any)
        return true;
    if (n > t->text_room - t->n_text) {
        size_t room = 2 * t->text_room + n + 256;
        char *more = realloc(t->text, room);
        if (!more)
            return false;
        t->text = more;
        t->text_room = room;
    }
    memcpy(t->text + t->n_text, text, n);
    t->n_text += n;
    return true;
}

/* Where byte `at` of the text is in what is kept, at most its end. */
static size_t place(const kz_timing *t, uint64_t at) {
    uint64_t n = at > t->text_at ? at - t->text_at : 0;
    return n < t->n_text ? (size_t)n : t->n_text;
}

/* Text before the sentence isn't needed any more; it goes when it is most of what is kept. */
static void drop_text(kz_timing *t, uint64_t begin) {
    size_t n = place(t, begin);
    if (n <= t->n_text / 2)
        return;
    memmove(t->text, t->text + n, t->n_text - n);
    t->n_text -= n;
    t->text_at += n;
}

static void begin_cue(kz_timing *t, const kztts_event *event, double seconds) {
    kz_cue *cue = &t->said;
    *cue = (kz_cue){.begin = seconds, .text_begin = event->text_begin, .text_end = event->text_end};
    cue->exact = event->exact;
    drop_text(t, event->text_begin);
    size_t begin = place(t, event->text_begin), end = place(t, event->text_end);
    cue->n = end > begin ? end - begin : 0;
    cue->text = malloc(cue->n + 1);
    if (cue->text && cue->n)
        memcpy(cue->text, t->text + begin, cue->n);
    if (!cue->text)
        cue->n = 0;
    t->saying = true;
}

static void end_cue(kz_timing *t, double seconds, bool exact) {
    if (!t->saying)
        return;
    write_waiting(t, UINT64_MAX);
    t->waiting = t->said;
    t->waiting.end = seconds;
    t->waiting.exact = t->said.exact && exact;
    t->saying = false;
    t->has_waiting = true;
}

void kz_timing_event(kz_timing *t, const kztts_event *event, const kz_output *sound) {
    double seconds = kz_output_place(sound, event->sample);
    if (event->type == KZTTS_EVENT_SENTENCE_BEGIN) {
        end_cue(t, seconds, true);
        begin_cue(t, event, seconds);
    } else if (event->type == KZTTS_EVENT_SENTENCE_END) {
        end_cue(t, seconds, event->exact);
    }
}

int kz_timing_finish(kz_timing *t, double duration) {
    uint64_t ms = (uint64_t)(1000 * duration);
    end_cue(t, duration, false); /* cut by a signal while it was said */
    if (t->any) {
        write_waiting(t, ms);
        start(t);
        put(&t->file[KZ_TIMING_JSON], "%s], \"duration\": %llu.%03llu}\n", t->n_cue ? "\n" : "",
            (unsigned long long)(ms / 1000), (unsigned long long)(ms % 1000));
    }
    for (int i = 0; i < KZ_TIMING_COUNT; i++)
        if (t->file[i].error && t->file[i].error != EPIPE)
            return file_error(&t->file[i], t->file[i].error);
    return KZ_GO_ON;
}

static void drop_cues(kz_timing *t) {
    if (t->saying)
        free(t->said.text);
    if (t->has_waiting)
        free(t->waiting.text);
    t->saying = t->has_waiting = false;
    free(t->text);
    t->text = NULL;
    t->n_text = t->text_room = 0;
}

int kz_timing_close(kz_timing *t, bool keep) {
    int code = KZ_GO_ON;
    drop_cues(t);
    for (int i = 0; i < KZ_TIMING_COUNT; i++) {
        kz_timing_file *file = &t->file[i];
        if (!file->open)
            continue;
        file->open = false;
        int error = kz_outfile_close(&file->out, keep && !file->error);
        if (error && code == KZ_GO_ON)
            code = file_error(file, error);
    }
    return code;
}
