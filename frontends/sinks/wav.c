/* wav.c: WAV sink: 16-bit PCM, mono.  SPDX-License-Identifier: Apache-2.0
 *
 * The header's sizes are 0xFFFFFFFF ("until the end") while writing and are patched at the end when the output can be
 * patched. Where the sound comes from is said in a LIST chunk of type INFO: behind the samples when the output can be
 * patched, so that they begin at byte 44 as everybody expects; before them otherwise, as what follows samples of
 * unknown length would be taken for sound. */
#include <string.h>

#include "sink.h"

enum { RIFF = 12, FORMAT = 24, HEADER = 44, CHUNK = 1024, LIST_MAX = 40 + KZ_SINK_COMMENT + KZ_SINK_SOFTWARE };

static void put32(unsigned char *p, uint32_t v) {
    for (int i = 0; i < 4; i++)
        p[i] = (unsigned char)(v >> (8 * i));
}

static void put16(unsigned char *p, uint32_t v) {
    p[0] = (unsigned char)(v & 0xff);
    p[1] = (unsigned char)(v >> 8 & 0xff);
}

static void make_header(unsigned char *h, uint32_t rate, uint32_t riff_size, uint32_t data_size) {
    memcpy(h, "RIFF", 4);
    put32(h + 4, riff_size);
    memcpy(h + 8, "WAVEfmt ", 8);
    put32(h + 16, 16);       /* bytes of the format block */
    put16(h + 20, 1);        /* PCM */
    put16(h + 22, 1);        /* channels */
    put32(h + 24, rate);     /* samples a second */
    put32(h + 28, rate * 2); /* bytes a second */
    put16(h + 32, 2);        /* bytes a sample */
    put16(h + 34, 16);       /* bits a sample */
    memcpy(h + 36, "data", 4);
    put32(h + 40, data_size);
}

/* A text with its NUL, filled up to an even number of bytes. */
static size_t put_text(unsigned char *p, const char *id, const char *text) {
    size_t n = strlen(text) + 1;
    if (n == 1)
        return 0;
    memcpy(p, id, 4);
    put32(p + 4, (uint32_t)n);
    memcpy(p + 8, text, n);
    if (n % 2)
        p[8 + n++] = 0;
    return 8 + n;
}

/* The chunk that tells where the sound comes from; returns its bytes, 0 = there is nothing to tell. */
static size_t make_list(const kz_sink *sink, unsigned char list[LIST_MAX]) {
    size_t n = 12;
    n += put_text(list + n, "ICMT", sink->comment);
    n += put_text(list + n, "ISFT", sink->software);
    memcpy(list, "LIST", 4);
    put32(list + 4, (uint32_t)n - 8);
    memcpy(list + 8, "INFO", 4);
    return n > 12 ? n : 0;
}

static int wav_start(kz_sink *sink) {
    unsigned char header[HEADER], list[LIST_MAX];
    make_header(header, (uint32_t)sink->sample_rate, UINT32_MAX, UINT32_MAX);
    size_t n = sink->out.seekable ? 0 : make_list(sink, list);
    int error = kz_outfile_write(&sink->out, header, RIFF + FORMAT);
    if (!error && n)
        error = kz_outfile_write(&sink->out, list, n);
    return error ? error : kz_outfile_write(&sink->out, header + RIFF + FORMAT, HEADER - RIFF - FORMAT);
}

static int wav_write(kz_sink *sink, const float *pcm, size_t n) {
    unsigned char bytes[2 * CHUNK];
    while (n > 0) {
        size_t part = n < CHUNK ? n : CHUNK;
        kz_pcm_s16_bytes(pcm, part, bytes);
        int error = kz_outfile_write(&sink->out, bytes, 2 * part);
        if (error)
            return error;
        pcm += part;
        n -= part;
    }
    return 0;
}

static int wav_finish(kz_sink *sink) {
    unsigned char header[HEADER], list[LIST_MAX];
    uint64_t size = 2 * sink->n_sample;
    if (!sink->out.seekable || size > UINT32_MAX - HEADER - LIST_MAX)
        return 0;
    size_t n = make_list(sink, list);
    int error = n ? kz_outfile_write(&sink->out, list, n) : 0;
    if (error)
        return error;
    make_header(header, (uint32_t)sink->sample_rate, (uint32_t)(size + n) + HEADER - 8, (uint32_t)size);
    return kz_outfile_patch(&sink->out, 0, header, sizeof header);
}

const kz_sink_type kz_sink_wav = {
    .name = "wav", .extensions = ".wav", .start = wav_start, .write = wav_write, .finish = wav_finish};
