/* sink.c: the list of sinks and what they share.  SPDX-License-Identifier: Apache-2.0 */
#include "sink.h"

#include <math.h>
#include <string.h>

static const kz_sink_type *const types[] = {&kz_sink_wav, &kz_sink_f32, &kz_sink_pcm, &kz_sink_md5, &kz_sink_null};

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

int kz_sink_open(kz_sink *sink, const kz_sink_type *type, const char *path) {
    memset(sink, 0, sizeof *sink);
    sink->type = type;
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

int kz_sink_start(kz_sink *sink, int sample_rate) {
    sink->sample_rate = sample_rate;
    if (!sink->type->silent) {
        int error = kz_outfile_start(&sink->out);
        if (error)
            return error;
    }
    return sink->type->start ? sink->type->start(sink) : 0;
}

int kz_sink_write(kz_sink *sink, const float *pcm, size_t n) {
    int error = sink->type->write ? sink->type->write(sink, pcm, n) : 0;
    if (!error)
        sink->n_sample += n;
    return error;
}

int kz_sink_finish(kz_sink *sink) { return sink->type->finish ? sink->type->finish(sink) : 0; }

int kz_sink_close(kz_sink *sink, bool keep) { return kz_outfile_close(&sink->out, keep); }

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
