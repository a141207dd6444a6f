/* output.c: the sound's way out: choice of file and format, errors.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "signals.h"

#define DEFAULT_FILE "kztts-out.wav"

/* The format of a named file: --format, or the extension, or WAV for pipes and devices. */
static const kz_sink_type *type_of_file(const kz_args *args, const char *path) {
    const kz_value *format = &args->value[KZ_OPT_FORMAT];
    struct stat st;
    if (format->given)
        return kz_sink_by_name(format->text);
    const kz_sink_type *type = kz_sink_by_path(path);
    if (!type && stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        type = &kz_sink_wav;
    return type;
}

static int open_error(const kz_output *out, int error) {
    return kz_cli_fail(KZ_EXIT_FAILED, "can't write '%s': %s", out->name, strerror(error));
}

static int open_sink(kz_output *out, const kz_sink_type *type, const char *path) {
    out->name = path ? path : "standard output";
    out->summary = type->silent ? "null" : path ? path : "-";
    int error = kz_sink_open(&out->sink, type, path);
    if (error)
        return open_error(out, error);
    out->open = true;
    if (out->sink.out.created)
        kz_signals_remove(path);
    return KZ_GO_ON;
}

/* No file is named: standard output, or a file of our own choice on a terminal. */
static int open_unnamed(kz_output *out, const kz_args *args, bool asked) {
    const kz_value *format = &args->value[KZ_OPT_FORMAT];
    const kz_sink_type *type = format->given ? kz_sink_by_name(format->text) : &kz_sink_wav;
    if (type->text || !isatty(STDOUT_FILENO))
        return open_sink(out, type, NULL);
    if (asked)
        return kz_cli_fail(KZ_EXIT_USAGE,
                           "standard output is a terminal: no sound is written there; name a file with -o, or pipe it");
    if (type != &kz_sink_wav)
        return kz_cli_fail(KZ_EXIT_USAGE, "standard output is a terminal: name a file for --format %s with -o",
                           type->name);
    int code = open_sink(out, type, DEFAULT_FILE);
    if (code == KZ_GO_ON)
        kz_cli_note(args->value[KZ_OPT_QUIET].flag, "writing %s (-o names another file)", DEFAULT_FILE);
    return code;
}

int kz_output_open(kz_output *out, const kz_args *args) {
    const char *path = args->value[KZ_OPT_OUTPUT].text;
    memset(out, 0, sizeof *out);
    out->sink.out.fd = -1;
    if (!path || strcmp(path, "-") == 0)
        return open_unnamed(out, args, path != NULL);
    const kz_sink_type *type = type_of_file(args, path);
    if (!type)
        return kz_cli_fail(KZ_EXIT_USAGE,
                           "-o '%s': the extension names no format; known are .wav, .f32, .pcm and .raw (16 bit), "
                           "or say --format %s",
                           path, kz_options[KZ_OPT_FORMAT].argument);
    return open_sink(out, type, path);
}

/* An errno value of the sink as an exit code. */
static int outcome(kz_output *out, int error) {
    if (error == 0)
        return KZ_GO_ON;
    if (error == EPIPE) {
        out->closed_pipe = true;
        return KZ_EXIT_OK;
    }
    return open_error(out, error);
}

void kz_output_tag(kz_output *out, const char *model, const char *voice) {
    char comment[KZ_SINK_COMMENT], software[KZ_SINK_SOFTWARE];
    snprintf(software, sizeof software, "kztts %s", kztts_version());
    snprintf(comment, sizeof comment, "AI-generated speech; engine: %s%s%s%s%s", software, model ? "; model: " : "",
             model ? model : "", voice ? "; voice: " : "", voice ? voice : "");
    kz_sink_tag(&out->sink, comment, software);
}

int kz_output_start(kz_output *out, int sample_rate) { return outcome(out, kz_sink_start(&out->sink, sample_rate)); }

int kz_output_write(kz_output *out, const float *pcm, size_t n) {
    return outcome(out, kz_sink_write(&out->sink, pcm, n));
}

int kz_output_finish(kz_output *out) { return outcome(out, kz_sink_finish(&out->sink)); }

int kz_output_close(kz_output *out, bool keep) {
    if (!out->open)
        return KZ_GO_ON;
    out->open = false;
    return outcome(out, kz_sink_close(&out->sink, keep));
}
