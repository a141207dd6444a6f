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

static bool stopped(void) { return kz_signals_seen() != 0; }

static void set_options(kz_output *out, const kz_args *args) {
    const kz_value *v = args->value;
    out->options.rate = v[KZ_OPT_RATE].integer;
    out->options.bitrate = v[KZ_OPT_BITRATE].integer;
    out->options.speed = v[KZ_OPT_SPEED].given ? v[KZ_OPT_SPEED].real : 1;
    out->options.device = v[KZ_OPT_DEVICE].text;
    out->options.stopped = stopped;
}

/* What can be told without the model. */
static int check(const kz_sink_type *type, const kz_sink_options *options, int sample_rate) {
    char message[KZ_SINK_MESSAGE];
    kz_sink_fit fit = kz_sink_check(type, options, sample_rate, message, sizeof message);
    return fit == KZ_SINK_FITS ? KZ_GO_ON
                               : kz_cli_fail(fit == KZ_SINK_LACKS ? KZ_EXIT_OUTPUT : KZ_EXIT_USAGE, "%s", message);
}

static int open_sink(kz_output *out, const kz_sink_type *type, const char *path) {
    out->name = path ? path : "standard output";
    out->summary = type == &kz_sink_play ? "play" : type->silent ? "null" : path ? path : "-";
    int error = check(type, &out->options, 0);
    if (error != KZ_GO_ON)
        return error;
    error = kz_sink_open(&out->sink, type, &out->options, path);
    if (error)
        return open_error(out, error);
    out->open = true;
    if (out->sink.out.created)
        kz_signals_remove(path);
    if (type->patched && !out->sink.out.seekable)
        return kz_cli_fail(
            KZ_EXIT_USAGE,
            "%s can't be written to %s: its table of contents comes at the end; name a file, or take aac", type->name,
            out->name);
    return KZ_GO_ON;
}

/* ---- playing ----------------------------------------------------------------------------------------------------- */

static int open_play(kz_output *out, const kz_args *args) {
    char message[KZ_SINK_MESSAGE];
    const kz_value *output = &args->value[KZ_OPT_OUTPUT], *format = &args->value[KZ_OPT_FORMAT];
    if ((output->given && !output->from_env) || (format->given && !format->from_env))
        return kz_cli_fail(KZ_EXIT_USAGE, "--play and --device play the sound, %s writes it: give one of them",
                           output->given ? "-o" : "--format");
    int code = check(&kz_sink_play, &out->options, 0);
    if (code != KZ_GO_ON)
        return code;
    if (!kz_play_probe(&out->options, message, sizeof message))
        return kz_cli_fail(KZ_EXIT_OUTPUT, "no device to play on: %s; kztts say --list-audio lists devices", message);
    return open_sink(out, &kz_sink_play, NULL);
}

/* Whether the sound is to be played, whatever standard output is. A variable only says on which device. */
static bool wants_play(const kz_args *args) {
    const kz_value *play = &args->value[KZ_OPT_PLAY], *device = &args->value[KZ_OPT_DEVICE];
    bool elsewhere = args->value[KZ_OPT_OUTPUT].given || args->value[KZ_OPT_FORMAT].given;
    return (play->flag && !(play->from_env && elsewhere)) || (device->given && !device->from_env);
}

static void print_device(void *user, const char *name, const char *what) {
    (void)user;
    printf("%-32s %s\n", name, what);
}

int kz_output_list_devices(void) {
    int code = check(&kz_sink_play, &(kz_sink_options){0}, 0);
    if (code != KZ_GO_ON)
        return code;
    int error = kz_play_list(print_device, NULL);
    return error ? kz_cli_fail(KZ_EXIT_OUTPUT, "can't list the devices: %s", strerror(error)) : kz_cli_flush();
}

/* ---- choice ------------------------------------------------------------------------------------------------------ */

/* A terminal, and nothing is asked for: the sound is played, or written to a file where that can't be. */
static int open_terminal(kz_output *out, const kz_args *args) {
    char message[KZ_SINK_MESSAGE] = "";
    bool quiet = args->value[KZ_OPT_QUIET].flag;
    if (!args->value[KZ_OPT_FORMAT].given && !kz_sink_play.lacks &&
        kz_play_probe(&out->options, message, sizeof message))
        return open_sink(out, &kz_sink_play, NULL);
    int code = open_sink(out, &kz_sink_wav, DEFAULT_FILE);
    if (code == KZ_GO_ON && *message)
        kz_cli_note(quiet, "no device to play on (%s)", message);
    if (code == KZ_GO_ON)
        kz_cli_note(quiet, "writing %s (-o names another file)", DEFAULT_FILE);
    return code;
}

/* No file is named: standard output, or what a terminal's user expects. */
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
    return open_terminal(out, args);
}

/* A file whose name tells nothing. */
static int unknown_type(const char *path) {
    struct stat st;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return kz_cli_fail(KZ_EXIT_USAGE, "-o '%s' is a folder: name a file in it", path);
    return kz_cli_fail(KZ_EXIT_USAGE,
                       "-o '%s': the extension names no format; known are .wav, .flac, .mp3, .opus, .ogg (Opus), "
                       ".aac, .m4a, .f32, .pcm and .raw (16 bit), or say --format %s",
                       path, kz_options[KZ_OPT_FORMAT].argument);
}

int kz_output_open(kz_output *out, const kz_args *args) {
    const char *path = args->value[KZ_OPT_OUTPUT].text;
    memset(out, 0, sizeof *out);
    out->sink.out.fd = -1;
    set_options(out, args);
    if (wants_play(args))
        return open_play(out, args);
    if (!path || strcmp(path, "-") == 0)
        return open_unnamed(out, args, path != NULL);
    const kz_sink_type *type = type_of_file(args, path);
    return type ? open_sink(out, type, path) : unknown_type(path);
}

/* An errno value of the sink as an exit code. */
static int outcome(kz_output *out, int error) {
    if (error == 0)
        return KZ_GO_ON;
    if (error == EPIPE) {
        out->closed_pipe = true;
        return KZ_EXIT_OK;
    }
    if (error == KZ_SINK_REFUSED)
        return kz_cli_fail(KZ_EXIT_OUTPUT, "%s", out->sink.message);
    return open_error(out, error);
}

void kz_output_tag(kz_output *out, const char *model, const char *voice) {
    char comment[KZ_SINK_COMMENT], software[KZ_SINK_SOFTWARE];
    snprintf(software, sizeof software, "kztts %s", kztts_version());
    snprintf(comment, sizeof comment, "AI-generated speech; engine: %s%s%s%s%s", software, model ? "; model: " : "",
             model ? model : "", voice ? "; voice: " : "", voice ? voice : "");
    kz_sink_tag(&out->sink, comment, software);
}

int kz_output_start(kz_output *out, int sample_rate) {
    int code = check(out->sink.type, &out->options, sample_rate);
    return code == KZ_GO_ON ? outcome(out, kz_sink_start(&out->sink, sample_rate)) : code;
}

int kz_output_write(kz_output *out, const float *pcm, size_t n) {
    return outcome(out, kz_sink_write(&out->sink, pcm, n));
}

double kz_output_place(const kz_output *out, uint64_t sample) {
    return kz_sink_place(&out->sink, (int64_t)sample - (int64_t)out->sink.n_in);
}

bool kz_output_unread(kz_output *out) {
    out->closed_pipe = out->closed_pipe || (out->open && kz_outfile_reader_gone(&out->sink.out));
    return out->closed_pipe;
}

int kz_output_finish(kz_output *out) { return outcome(out, kz_sink_finish(&out->sink)); }

int kz_output_close(kz_output *out, bool keep) {
    if (!out->open)
        return KZ_GO_ON;
    out->open = false;
    return outcome(out, kz_sink_close(&out->sink, keep));
}
