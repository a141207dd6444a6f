/* sink.h: where samples go: a sound file of some format, a device that plays, a hash, nothing.
 * SPDX-License-Identifier: Apache-2.0
 *
 * in         float samples, mono
 * out        bytes in a file or on standard output, or sound
 * state      one utterance; memory for the encoder's, and for the frame sizes of an m4a file
 * threads    one at a time
 *
 * Order: open, (tag,) start, write ..., finish, close. A sink that isn't finished is closed with keep = false. On their
 * way the samples pass, where asked for, a change of speed and one of rate; else they arrive as they are given.
 * Encoders come from libraries that are optional at build time: kz_sink_check() tells. */
#ifndef KZ_SINK_H
#define KZ_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "outfile.h"

typedef struct kz_sink kz_sink;

/* What functions return: 0, an errno value (EPIPE: the reader of a pipe has gone), or this: sink->message has a sentence. */
enum { KZ_SINK_REFUSED = -1 };

/* A kind of sink. Entries return as above; any may be NULL: nothing to do. */
typedef struct kz_sink_type {
    const char *name;
    const char *extensions;   /* e.g. ".pcm .raw", "" = none */
    const char *lacks;        /* the library that this build is without, and its package; NULL = usable */
    bool text;                /* writes a line for people: fine on a terminal */
    bool silent;              /* needs no file: writes nothing, or to a device */
    bool patched;             /* can only be written to a file whose beginning can be changed at the end */
    const int *rates;         /* Hz that it can hold, up to a 0; NULL = any */
    int bitrate;              /* kbit/s when none is asked for; 0 = it has none */
    int (*highest)(int rate); /* highest bit rate at this rate */
    int (*start)(kz_sink *sink);
    int (*write)(kz_sink *sink, const float *pcm, size_t n);
    int (*finish)(kz_sink *sink);
    void (*release)(kz_sink *sink); /* of what start made, finished or not; writes nothing */
} kz_sink_type;

enum { KZ_SINK_LOWEST_BITRATE = 8, KZ_SINK_MESSAGE = 320 };

/* Zero means: as it is. */
typedef struct kz_sink_options {
    int rate;              /* Hz of the output */
    int bitrate;           /* kbit/s, of formats that have one */
    double speed;          /* 0.25 to 4; the pitch is kept */
    const char *device;    /* to play on; NULL = the system's choice */
    bool (*stopped)(void); /* asked while waiting for a device: true = stop at once. May be NULL */
} kz_sink_options;

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
    kz_sink_options options;
    char comment[KZ_SINK_COMMENT]; /* what the file says about itself, where its format has room for that */
    char software[KZ_SINK_SOFTWARE];
    char message[KZ_SINK_MESSAGE]; /* with KZ_SINK_REFUSED */
    kz_outfile out;
    int sample_rate;   /* of the output */
    int in_rate;       /* of the samples that are given */
    uint64_t n_sample; /* written to the output */
    uint64_t n_in;     /* given */
    kz_md5 md5;
    struct kz_speed *speed; /* or NULL */
    struct kz_rate *rate;   /* or NULL */
    void *state;            /* of the encoder or device */
};

extern const kz_sink_type kz_sink_wav, kz_sink_flac, kz_sink_mp3, kz_sink_opus, kz_sink_aac, kz_sink_m4a, kz_sink_f32,
    kz_sink_pcm, kz_sink_md5, kz_sink_null, kz_sink_play;

/* All kinds that write, in the order of help texts: 0, 1, ... until NULL. */
const kz_sink_type *kz_sink_type_at(int i);
const kz_sink_type *kz_sink_by_name(const char *name);
const kz_sink_type *kz_sink_by_path(const char *path); /* by extension, any case; NULL when it names none */

typedef enum kz_sink_fit {
    KZ_SINK_FITS,
    KZ_SINK_LACKS, /* this build has no library for it */
    KZ_SINK_MISFIT /* the format can't be so */
} kz_sink_fit;

/* Whether this can be written, with a sentence in `message` if not. sample_rate: of the samples, 0 = not known yet. */
kz_sink_fit kz_sink_check(const kz_sink_type *type, const kz_sink_options *options, int sample_rate, char *message,
                          size_t size);

/* path NULL: standard output. options NULL: all as it is; strings in it must stay. An existing file isn't touched before
 * start. */
int kz_sink_open(kz_sink *sink, const kz_sink_type *type, const kz_sink_options *options, const char *path);

/* Before start: where the sound comes from (UTF-8, cut to what fits). It changes no sample. */
void kz_sink_tag(kz_sink *sink, const char *comment, const char *software);

int kz_sink_start(kz_sink *sink, int sample_rate);
int kz_sink_write(kz_sink *sink, const float *pcm, size_t n);
int kz_sink_finish(kz_sink *sink); /* completes the container; plays what is left */
int kz_sink_close(kz_sink *sink, bool keep);

/* Length of what was written so far. */
double kz_sink_seconds(const kz_sink *sink);

/* When, in seconds of the output, the sample is heard that is `ahead` after those given so far. Exact, but with a change
 * of speed within some 20 ms. */
double kz_sink_place(const kz_sink *sink, int64_t ahead);

/* 16-bit value of a sample: floor(x * 32768), saturated; 0 for NaN. As the official program writes files. */
int16_t kz_pcm_s16(float x);

/* n samples as little-endian 16-bit bytes. */
void kz_pcm_s16_bytes(const float *pcm, size_t n, unsigned char *bytes);

/* Whether there is a device to play on, with a few words in `message` if not. It makes no sound. */
bool kz_play_probe(const kz_sink_options *options, char *message, size_t size);

/* The devices that kz_sink_options.device can name, a name and what it is (one line) each. Returns 0, or an errno value
 * when the system can't be asked. */
int kz_play_list(void (*found)(void *user, const char *name, const char *what), void *user);

#endif
