/* said.h: texts spoken by the bundled voice through the public API, kept whole.  SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_SAID_H
#define TESTS_SAID_H

#include <stddef.h>
#include <stdint.h>

#include "kztts/kztts.h"

enum { ALL = 0, NEVER = -1 };

/* What a text gave. */
typedef struct said {
    float *pcm;
    size_t n, cap;
    int n_frame, n_event;
    kztts_event last; /* event */
    kztts_status status;
    kztts_summary summary;
    kztts_stream *cancel; /* cancelled inside the callback of ... */
    int cancel_frame;     /* ... this frame, or NEVER */
    int cancel_event;     /* ... this event, or NEVER */
} said;

/* A model with its first voice. */
typedef struct speaker {
    kztts_model *model;
    kztts_voice *voice;
} speaker;

/* Any failure of these fails the test. */
speaker said_open(int threads); /* 0: one a core */
void said_close(speaker *s);

/* Sampled with seed 7; short chunks, so that a few sentences make several. */
kztts_stream_options said_options(void);

kztts_stream *said_stream(const speaker *s, const kztts_stream_options *options);

/* The text put in pieces of `put` bytes and read in pieces of `read` samples (ALL: many) until it is over. What the options
 * say of callbacks is ours. The stream is restarted before. */
void said_again(kztts_stream *stream, const kztts_stream_options *options, const char *text, size_t put, size_t read,
                said *got);

/* The same on a stream of its own. */
void said_once(const speaker *s, const kztts_stream_options *options, const char *text, size_t put, size_t read,
               said *got);

/* Same end, same frames, same samples, bit for bit. */
void said_check(const said *want, const said *got, const char *text, const char *what);

void said_free(said *s);

#endif
