/* wav.c: WAV sink: 16-bit PCM, mono, 44-byte header.  SPDX-License-Identifier: Apache-2.0
 *
 * The header's sizes are 0xFFFFFFFF ("until the end") while writing and are patched at the end when the output can be
 * patched. */
#include <string.h>

#include "sink.h"

enum { HEADER = 44, CHUNK = 1024 };

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

static int wav_start(kz_sink *sink) {
    unsigned char header[HEADER];
    make_header(header, (uint32_t)sink->sample_rate, UINT32_MAX, UINT32_MAX);
    return kz_outfile_write(&sink->out, header, sizeof header);
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
    unsigned char header[HEADER];
    uint64_t size = 2 * sink->n_sample;
    if (!sink->out.seekable || size > UINT32_MAX - HEADER)
        return 0;
    make_header(header, (uint32_t)sink->sample_rate, (uint32_t)size + HEADER - 8, (uint32_t)size);
    return kz_outfile_patch(&sink->out, 0, header, sizeof header);
}

const kz_sink_type kz_sink_wav = {
    .name = "wav", .extensions = ".wav", .start = wav_start, .write = wav_write, .finish = wav_finish};
