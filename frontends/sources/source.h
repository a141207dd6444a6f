/* source.h: a recording from a file as mono samples.  SPDX-License-Identifier: Apache-2.0
 *
 * in         a path, "-" for standard input, or bytes in memory
 * out        mono float samples at the rate asked for, in memory
 * state      none
 * threads    any, each with its own arguments
 *
 * What is read: WAV (8, 16, 24 and 32 bits, float, double, mu-law, A-law, ADPCM, GSM; extensible, RIFX, RF64; sizes of
 * streams), AIFF, AU, CAF, FLAC, Ogg Vorbis, Opus, MP3. libsndfile decodes, libopusfile decodes Opus, libsoxr resamples;
 * all three are optional. Without libsndfile, 16-bit and float WAV remain. Everything else is refused with a sentence
 * that says what the file seems to be.
 *
 * Samples are those of the file: 16-bit PCM is x / 32768 and so on, channels are averaged, no level is changed. At
 * another rate, n samples become ceil(n * rate / file rate). Files are read to memory as a whole: they may be pipes.
 *
 * Functions return a kztts_status, with a sentence in `message` on failure:
 *   NOT_FOUND  no such file
 *   FORMAT     not a recording, damaged, cut off, empty, samples that are no numbers, or a kind that this build can't read
 *   ARGUMENT   longer or larger than the limit; standard input is a terminal
 *   FAILED     the system refused to read it; MEMORY */
#ifndef KZ_SOURCE_H
#define KZ_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "kztts/status.h"

enum {
    KZ_SOURCE_MAX_BYTES = 256 << 20, /* a minute of 8-channel float at 96 kHz is 184 MB */
    KZ_SOURCE_MAX_SECONDS = 600,     /* default limit of decoding; a voice is made of 60 at most */
    KZ_SOURCE_MESSAGE = 600          /* bytes that any message fits in, long paths excepted */
};

/* A recording longer or a file larger than this is refused before it is decoded (where the file says its length; else as
 * soon as the limit is passed). 0: the default. */
typedef struct kz_source_limits {
    size_t bytes;
    double seconds;
} kz_source_limits;

typedef struct kz_source_audio {
    float *pcm; /* n samples, at least one; kz_source_free() */
    size_t n;
    int rate;        /* as asked for */
    int file_rate;   /* Opus: always 48000 */
    int channels;    /* of the file */
    double seconds;  /* of the file */
    char format[64]; /* for people, e.g. "WAV, 16-bit PCM" */
} kz_source_audio;

/* Loads and decodes. limits may be NULL. *out needs no preparation and is empty on failure. */
kztts_status kz_source_read(const char *path, int rate, const kz_source_limits *limits, kz_source_audio *out,
                            char *message, size_t message_size);

/* The two halves of kz_source_read, for a caller that also wants the file's bytes (its hash, say). *data is fresh memory
 * of *n > 0 bytes, free(). name: how messages call the file, e.g. its path; "-" is called standard input. */
kztts_status kz_source_load(const char *path, const kz_source_limits *limits, unsigned char **data, size_t *n,
                            char *message, size_t message_size);
kztts_status kz_source_decode(const void *data, size_t n, const char *name, int rate, const kz_source_limits *limits,
                              kz_source_audio *out, char *message, size_t message_size);

/* Accepts an empty one. */
void kz_source_free(kz_source_audio *audio);

/* What this build reads, e.g. "WAV, AIFF, AU, CAF, FLAC, Ogg Vorbis, MP3 and Opus". Static. */
const char *kz_source_formats(void);

/* Whether this build reads recordings at other rates than the one asked for. */
bool kz_source_resamples(void);

#endif
