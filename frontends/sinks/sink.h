/* sink.h: where samples go: a WAV file, raw samples, a hash, nothing.  SPDX-License-Identifier: Apache-2.0
 *
 * in         float samples, mono
 * out        bytes in a file or on standard output
 * state      one utterance
 * threads    one at a time
 *
 * Order: open, (tag,) start, write ..., finish, close. A sink that isn't finished is closed with keep = false. */
#ifndef KZ_SINK_H
#define KZ_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "outfile.h"

typedef struct kz_sink kz_sink;

/* A kind of sink. Entries return 0 or an errno value; any may be NULL: nothing to do. */
typedef struct kz_sink_type {
    const char *name;
    const char *extensions; /* e.g. ".pcm .raw", "" = none */
    bool text;              /* writes a line for people: fine on a terminal */
    bool silent;            /* writes nothing at all: needs no file */
    int (*start)(kz_sink *sink);
    int (*write)(kz_sink *sink, const float *pcm, size_t n);
    int (*finish)(kz_sink *sink);
} kz_sink_type;

/* Running MD5 of bytes. */
typedef struct kz_md5 {
    uint32_t state[4];
    uint64_t n_byte;
    unsigned char block[64];
} kz_md5;

void kz_md5_init(kz_md5 *md5);
void kz_md5_update(kz_md5 *md5, const void *data, size_t n);
void kz_md5_hex(kz_md5 *md5, char hex[33]); /* ends the hash; lower case, with a final NUL */

enum { KZ_SINK_COMMENT = 512, KZ_SINK_SOFTWARE = 64 };

struct kz_sink {
    const kz_sink_type *type;
    char comment[KZ_SINK_COMMENT]; /* what the file says about itself, where its format has room for that */
    char software[KZ_SINK_SOFTWARE];
    kz_outfile out;
    int sample_rate;
    uint64_t n_sample; /* written */
    kz_md5 md5;
};

extern const kz_sink_type kz_sink_wav, kz_sink_f32, kz_sink_pcm, kz_sink_md5, kz_sink_null;

/* All kinds, in the order of help texts: 0, 1, ... until NULL. */
const kz_sink_type *kz_sink_type_at(int i);
const kz_sink_type *kz_sink_by_name(const char *name);
const kz_sink_type *kz_sink_by_path(const char *path); /* by extension, any case; NULL when it names none */

/* path NULL: standard output. An existing file isn't touched before start. */
int kz_sink_open(kz_sink *sink, const kz_sink_type *type, const char *path);

/* Before start: where the sound comes from (UTF-8, cut to what fits). It changes no sample. */
void kz_sink_tag(kz_sink *sink, const char *comment, const char *software);

int kz_sink_start(kz_sink *sink, int sample_rate);
int kz_sink_write(kz_sink *sink, const float *pcm, size_t n);
int kz_sink_finish(kz_sink *sink); /* completes the container */
int kz_sink_close(kz_sink *sink, bool keep);

/* 16-bit value of a sample: floor(x * 32768), saturated; 0 for NaN. As the official program writes files. */
int16_t kz_pcm_s16(float x);

/* n samples as little-endian 16-bit bytes. */
void kz_pcm_s16_bytes(const float *pcm, size_t n, unsigned char *bytes);

#endif
