/* sink.c: the list of sinks and what they share.  SPDX-License-Identifier: Apache-2.0 */
#include "sink.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "parts.h"

static const kz_sink_type *const types[] = {&kz_sink_wav, &kz_sink_flac, &kz_sink_mp3, &kz_sink_opus, &kz_sink_aac,
                                            &kz_sink_m4a, &kz_sink_f32,  &kz_sink_pcm, &kz_sink_md5,  &kz_sink_null};

const kz_sink_type *kz_sink_type_at(int i) {
    return i >= 0 && i < (int)(sizeof types / sizeof types[0]) ? types[i] : NULL;
}

const kz_sink_type *kz_sink_by_name(const char *name) {
    const kz_sink_type *type;
    for (int i = 0; (type = kz_sink_type_at(i)) != NULL; i++)
        if (strcmp(type->name, name) == 0)
            return type;
    return NULL;
}

static char lower(char c) { return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }

/* Whether `ext` (with its dot) is one of the blank-separated words of `list`. */
static bool in_list(const char *list, const char *ext) {
    size_t n = strlen(ext);
    while (*list) {
        size_t len = strcspn(list, " "), same = 0;
        while (same < len && same < n && lower(ext[same]) == list[same])
            same++;
        if (len == n && same == n)
            return true;
        list += len;
        list += strspn(list, " ");
    }
    return false;
}

const kz_sink_type *kz_sink_by_path(const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    const kz_sink_type *type;
    if (!dot || (slash && dot < slash))
        return NULL;
    for (int i = 0; (type = kz_sink_type_at(i)) != NULL; i++)
        if (in_list(type->extensions, dot))
            return type;
    return NULL;
}

/* ---- whether it can be ------------------------------------------------------------------------------------------- */

static bool changes_speed(const kz_sink_options *o) { return o->speed > 0 && (o->speed < 1 || o->speed > 1); }

static bool holds_rate(const kz_sink_type *type, int rate) {
    if (!type->rates)
        return true;
    for (const int *r = type->rates; *r; r++)
        if (*r == rate)
            return true;
    return false;
}

static kz_sink_fit lacks(const char *what, const char *library, char *message, size_t size) {
    snprintf(message, size, "%s can't be used: this program was built without %s", what, library);
    return KZ_SINK_LACKS;
}

static kz_sink_fit misfit_rate(const kz_sink_type *type, int rate, char *message, size_t size) {
    size_t n =
        (size_t)snprintf(message, size, "%s can't have %d samples a second; --rate takes for it:", type->name, rate);
    for (const int *r = type->rates; *r && n < size; r++)
        n += (size_t)snprintf(message + n, size - n, " %d", *r);
    return KZ_SINK_MISFIT;
}

static kz_sink_fit check_bitrate(const kz_sink_type *type, int bitrate, int rate, char *message, size_t size) {
    if (!bitrate)
        return KZ_SINK_FITS;
    if (!type->bitrate) {
        snprintf(message, size, "--bitrate is for formats that lose something; %s has none", type->name);
        return KZ_SINK_MISFIT;
    }
    if (rate && bitrate > type->highest(rate)) {
        snprintf(message, size, "--bitrate: %s has at most %d kbit/s at %d samples a second", type->name,
                 type->highest(rate), rate);
        return KZ_SINK_MISFIT;
    }
    return KZ_SINK_FITS;
}

kz_sink_fit kz_sink_check(const kz_sink_type *type, const kz_sink_options *o, int sample_rate, char *message,
                          size_t size) {
    int rate = o->rate ? o->rate : sample_rate;
    if (type->lacks)
        return lacks(type->name, type->lacks, message, size);
    if (kz_speed_lacks && changes_speed(o))
        return lacks("--speed", kz_speed_lacks, message, size);
    if (kz_rate_lacks && o->rate && sample_rate && o->rate != sample_rate)
        return lacks("--rate", kz_rate_lacks, message, size);
    if (rate && !holds_rate(type, rate))
        return misfit_rate(type, rate, message, size);
    return check_bitrate(type, o->bitrate, rate, message, size);
}

/* ---- life of a sink ---------------------------------------------------------------------------------------------- */

int kz_sink_fail(kz_sink *sink, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(sink->message, sizeof sink->message, fmt, args);
    va_end(args);
    return KZ_SINK_REFUSED;
}

int kz_sink_open(kz_sink *sink, const kz_sink_type *type, const kz_sink_options *options, const char *path) {
    memset(sink, 0, sizeof *sink);
    sink->type = type;
    if (options)
        sink->options = *options;
    sink->out.fd = -1;
    return type->silent ? 0 : kz_outfile_open(&sink->out, path);
}

/* Whole UTF-8 characters only. */
static void copy_text(char *out, size_t size, const char *text) {
    size_t n = strlen(text);
    if (n >= size)
        for (n = size - 1; n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80;)
            n--;
    memcpy(out, text, n);
    out[n] = '\0';
}

void kz_sink_tag(kz_sink *sink, const char *comment, const char *software) {
    copy_text(sink->comment, sizeof sink->comment, comment);
    copy_text(sink->software, sizeof sink->software, software);
}

/* The steps before the format. */
static int start_steps(kz_sink *sink, int from) {
    if (changes_speed(&sink->options) && !(sink->speed = kz_speed_open(from, sink->options.speed)))
        return ENOMEM;
    if (sink->sample_rate != from && !(sink->rate = kz_rate_open(from, sink->sample_rate)))
        return ENOMEM;
    return 0;
}

int kz_sink_start(kz_sink *sink, int sample_rate) {
    const kz_sink_options *o = &sink->options;
    if (kz_sink_check(sink->type, o, sample_rate, sink->message, sizeof sink->message) != KZ_SINK_FITS)
        return KZ_SINK_REFUSED;
    if (sink->type->patched && !sink->out.seekable)
        return kz_sink_fail(sink,
                            "%s can't be written to a pipe or a device: its table of contents is written at the end; "
                            "name a file",
                            sink->type->name);
    sink->sample_rate = o->rate ? o->rate : sample_rate;
    sink->in_rate = sample_rate;
    int error = start_steps(sink, sample_rate);
    if (!error && !sink->type->silent)
        error = kz_outfile_start(&sink->out);
    if (error)
        return error;
    return sink->type->start ? sink->type->start(sink) : 0;
}

static int deliver(void *user, const float *pcm, size_t n) {
    kz_sink *sink = user;
    int error = sink->type->write ? sink->type->write(sink, pcm, n) : 0;
    if (!error)
        sink->n_sample += n;
    return error;
}

static int resample(void *user, const float *pcm, size_t n) {
    kz_sink *sink = user;
    return sink->rate ? kz_rate_run(sink->rate, pcm, n, false, deliver, sink) : deliver(sink, pcm, n);
}

/* Encoders keep samples back: that nobody reads any more is asked for, not found out by the next page. */
int kz_sink_write(kz_sink *sink, const float *pcm, size_t n) {
    if (!sink->type->silent && kz_outfile_reader_gone(&sink->out))
        return EPIPE;
    sink->n_in += n;
    return sink->speed ? kz_speed_run(sink->speed, pcm, n, false, resample, sink) : resample(sink, pcm, n);
}

int kz_sink_finish(kz_sink *sink) {
    int error = sink->speed ? kz_speed_run(sink->speed, NULL, 0, true, resample, sink) : 0;
    if (!error && sink->rate)
        error = kz_rate_run(sink->rate, NULL, 0, true, deliver, sink);
    if (!error && sink->type->finish)
        error = sink->type->finish(sink);
    return error;
}

int kz_sink_close(kz_sink *sink, bool keep) {
    if (sink->state && sink->type->release)
        sink->type->release(sink);
    sink->state = NULL;
    kz_speed_close(sink->speed);
    kz_rate_close(sink->rate);
    sink->speed = NULL;
    sink->rate = NULL;
    return kz_outfile_close(&sink->out, keep);
}

double kz_sink_seconds(const kz_sink *sink) {
    return sink->sample_rate ? (double)sink->n_sample / sink->sample_rate : 0;
}

double kz_sink_place(const kz_sink *sink, int64_t ahead) {
    if (!sink->in_rate)
        return 0;
    if (!sink->speed)
        return ((double)sink->n_in + (double)ahead) / sink->in_rate;
    double waiting = (double)(ahead + kz_speed_waiting(sink->speed)) / (sink->in_rate * sink->options.speed);
    return kz_sink_seconds(sink) + waiting;
}

/* ---- 16 bit ------------------------------------------------------------------------------------------------------ */

int16_t kz_pcm_s16(float x) {
    float v = floorf(x * 32768.0f);
    if (v >= 32767.0f)
        return 32767;
    if (v <= -32768.0f)
        return -32768;
    return v == v ? (int16_t)v : 0;
}

void kz_pcm_s16_bytes(const float *pcm, size_t n, unsigned char *bytes) {
    for (size_t i = 0; i < n; i++) {
        uint16_t u = (uint16_t)kz_pcm_s16(pcm[i]);
        bytes[2 * i] = (unsigned char)(u & 0xff);
        bytes[2 * i + 1] = (unsigned char)(u >> 8);
    }
}
