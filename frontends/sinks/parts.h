/* parts.h: what the sinks share among themselves.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_SINK_PARTS_H
#define KZ_SINK_PARTS_H

#include "sink.h"

#if defined(__GNUC__) || defined(__clang__)
#define KZ_SINK_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define KZ_SINK_PRINTF(f, a)
#endif

/* Sets the sink's message; returns KZ_SINK_REFUSED. */
int kz_sink_fail(kz_sink *sink, const char *fmt, ...) KZ_SINK_PRINTF(2, 3);

/* Takes samples from a step before. */
typedef int (*kz_emit)(void *user, const float *pcm, size_t n);

/* Faster or slower with the pitch kept. NULL from open: out of memory. run with n = 0 and `last`: what is left. */
typedef struct kz_speed kz_speed;
extern const char *const kz_speed_lacks; /* as in kz_sink_type */
kz_speed *kz_speed_open(int sample_rate, double speed);
int kz_speed_run(kz_speed *speed, const float *pcm, size_t n, bool last, kz_emit emit, void *user);
int64_t kz_speed_waiting(const kz_speed *speed); /* samples that have come in, but not gone out; about */
void kz_speed_close(kz_speed *speed);

/* Another sample rate. The same rules. */
typedef struct kz_rate kz_rate;
extern const char *const kz_rate_lacks;
kz_rate *kz_rate_open(int from, int to);
int kz_rate_run(kz_rate *rate, const float *pcm, size_t n, bool last, kz_emit emit, void *user);
void kz_rate_close(kz_rate *rate);

/* An ID3v2.4 tag with what the sink says about itself; returns its bytes. */
enum { KZ_ID3_MAX = 64 + KZ_SINK_COMMENT + KZ_SINK_SOFTWARE };
size_t kz_id3_make(const kz_sink *sink, unsigned char tag[KZ_ID3_MAX]);

/* AAC frames of 1024 samples. */
enum { KZ_AAC_FRAME = 1024, KZ_AAC_BITRATE = 96 };
#ifdef KZ_WITH_VO_AACENC
#define KZ_AAC_LACKS NULL
#else
#define KZ_AAC_LACKS "libvo-aacenc (package libvo-aacenc-dev), which writes AAC"
#endif
typedef struct kz_aac kz_aac;
extern const int kz_aac_rates[]; /* in the order of the format's indices */
int kz_aac_highest(int rate);
int kz_aac_bits(const kz_sink *sink); /* a second, as the sink's options want it */

/* adts: with a header before each frame. NULL: no memory, or the library refuses. frame: takes each frame's bytes. */
kz_aac *kz_aac_open(int sample_rate, int bits_per_second, bool adts,
                    int (*frame)(void *user, const unsigned char *data, size_t n), void *user);
int kz_aac_write(kz_aac *aac, const float *pcm, size_t n);
int kz_aac_finish(kz_aac *aac); /* frames up to the one that holds the last sample */
int kz_aac_delay(void);         /* samples that a decoder gives before the first one of ours */
void kz_aac_close(kz_aac *aac);

#endif
