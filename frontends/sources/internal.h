/* internal.h: what the files of this folder share.  SPDX-License-Identifier: Apache-2.0
 *
 * A job is one decoding: loading, then identify -> check of the container -> a decoder that hands blocks to
 * kz_mono_add() -> kz_resample(). */
#ifndef KZ_SOURCES_INTERNAL_H
#define KZ_SOURCES_INTERNAL_H

#include <stdint.h>

#include "source.h"

#if defined(__GNUC__) || defined(__clang__)
#define KZ_SOURCE_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define KZ_SOURCE_PRINTF(f, a)
#endif

enum {
    KZ_RATE_MIN = 4000, /* below, no speech is left */
    KZ_RATE_MAX = 768000,
    KZ_CHANNELS_MAX = 64,
    KZ_CUT_TOLERANCE = 64 /* bytes that may be missing at the end: writers count their header wrongly, and that little
                             is no sound */
};

/* Beyond 0 to 1 by so much, a sample is no sample: resampling would overflow. */
#define KZ_SAMPLE_MAX 1e6f

typedef enum kz_kind {
    KZ_KIND_OTHER, /* not a recording that can be read */
    KZ_KIND_WAV,
    KZ_KIND_AIFF,
    KZ_KIND_AU,
    KZ_KIND_CAF,
    KZ_KIND_FLAC,
    KZ_KIND_MP3,
    KZ_KIND_OGG_VORBIS,
    KZ_KIND_OGG_FLAC,
    KZ_KIND_OGG_OPUS
} kz_kind;

typedef struct kz_job {
    const unsigned char *data;
    size_t n;
    const char *name; /* quoted in messages */
    const kz_source_limits *limits;
    int rate;
    kz_source_audio *out; /* pcm grows at the file's rate */
    size_t capacity;      /* of out->pcm */
    size_t max_frames;    /* of the file's rate */
    char *message;
    size_t message_size;
} kz_job;

/* Where the samples of a WAV file are. */
typedef struct kz_riff {
    bool big_endian; /* RIFX */
    bool rf64;
    bool streaming;                 /* the sizes were not known when the file was begun */
    unsigned tag;                   /* of the format; of extensible ones the inner one */
    unsigned channels, bits, block; /* block: bytes a frame */
    uint32_t rate;
    size_t data_at, data_size; /* what is really there */
} kz_riff;

/* Writes the sentence, returns the status. */
kztts_status kz_source_fail(const kz_job *job, kztts_status status, const char *fmt, ...) KZ_SOURCE_PRINTF(3, 4);
/* "'x' is cut off: ..." with a sentence's rest. */
kztts_status kz_source_fail_cut(const kz_job *job, uint64_t announced, uint64_t there);

/* What the bytes are. For OTHER, *seems receives what they seem to be, with an article; NULL when nothing is known. */
kz_kind kz_identify(const unsigned char *data, size_t n, const char **seems);
kz_kind kz_identify_ogg(const unsigned char *data, size_t n, const char **seems);
const char *kz_kind_name(kz_kind kind); /* "WAV" */

/* Is the container whole? */
kztts_status kz_riff_check(const kz_job *job, kz_riff *riff);
kztts_status kz_aiff_check(const kz_job *job);
kztts_status kz_au_check(const kz_job *job);
kztts_status kz_caf_check(const kz_job *job);
kztts_status kz_flac_check(const kz_job *job);
kztts_status kz_ogg_check(const kz_job *job, kz_kind kind);
kztts_status kz_mp3_check(const kz_job *job);

/* Where ID3v2 tags end: 0 without any, n when nothing follows. */
size_t kz_skip_tags(const unsigned char *data, size_t n);
/* MP3 that doesn't say its length, from `at` on: a silent frame to put before it that does. Its bytes, or 0: none needed.
 * Decoders guess else, and stop too early where the bit rate varies. */
enum { KZ_MP3_INFO = 256 };
size_t kz_mp3_make_info(const unsigned char *data, size_t n, size_t at, unsigned char info[KZ_MP3_INFO]);
/* MPEG audio, layer II or III, begins here: a frame, and another behind it. */
bool kz_is_mpeg(const unsigned char *p, size_t n);

/* Collects blocks as mono. frames: what the file announces; 0 = it doesn't. */
kztts_status kz_mono_begin(kz_job *job, long rate, int channels, uint64_t frames);
kztts_status kz_mono_add(kz_job *job, const float *block, size_t frames, int channels);

/* Decoders. riff: of WAV files, else NULL. */
kztts_status kz_decode_plain(kz_job *job, const kz_riff *riff);
kztts_status kz_decode_sndfile(kz_job *job, kz_kind kind, const kz_riff *riff);
kztts_status kz_decode_opus(kz_job *job);
bool kz_sndfile_reads_mp3(void);

/* out->pcm from the file's rate to job->rate. */
kztts_status kz_resample(kz_job *job);
/* ceil(n * to / from), the length of a resampled signal */
size_t kz_resampled_length(size_t n, int from, int to);

/* Numbers in files. */
static inline uint32_t kz_le16(const unsigned char *p) { return (uint32_t)p[0] | (uint32_t)p[1] << 8; }
static inline uint32_t kz_le32(const unsigned char *p) { return kz_le16(p) | kz_le16(p + 2) << 16; }
static inline uint64_t kz_le64(const unsigned char *p) { return kz_le32(p) | (uint64_t)kz_le32(p + 4) << 32; }
static inline uint32_t kz_be16(const unsigned char *p) { return (uint32_t)p[0] << 8 | (uint32_t)p[1]; }
static inline uint32_t kz_be32(const unsigned char *p) { return kz_be16(p) << 16 | kz_be16(p + 2); }
static inline uint64_t kz_be64(const unsigned char *p) { return (uint64_t)kz_be32(p) << 32 | kz_be32(p + 4); }

#endif
