/* raw.c: raw sinks: little-endian float or 16-bit samples without a header.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "sink.h"

enum { CHUNK = 1024 };

static void f32_bytes(const float *pcm, size_t n, unsigned char *bytes) {
    for (size_t i = 0; i < n; i++) {
        uint32_t u;
        memcpy(&u, &pcm[i], sizeof u);
        for (int k = 0; k < 4; k++)
            bytes[4 * i + (size_t)k] = (unsigned char)(u >> (8 * k));
    }
}

static int write_as(kz_sink *sink, const float *pcm, size_t n, size_t width,
                    void (*convert)(const float *, size_t, unsigned char *)) {
    unsigned char bytes[4 * CHUNK];
    while (n > 0) {
        size_t part = n < CHUNK ? n : CHUNK;
        convert(pcm, part, bytes);
        int error = kz_outfile_write(&sink->out, bytes, width * part);
        if (error)
            return error;
        pcm += part;
        n -= part;
    }
    return 0;
}

static int f32_write(kz_sink *sink, const float *pcm, size_t n) { return write_as(sink, pcm, n, 4, f32_bytes); }

static int pcm_write(kz_sink *sink, const float *pcm, size_t n) { return write_as(sink, pcm, n, 2, kz_pcm_s16_bytes); }

const kz_sink_type kz_sink_f32 = {.name = "f32", .extensions = ".f32", .write = f32_write};
const kz_sink_type kz_sink_pcm = {.name = "pcm", .extensions = ".pcm .raw", .write = pcm_write};
