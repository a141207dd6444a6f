/* speech.h: utterances of the small test models through the public API, kept whole, for the tests of this folder.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_SPEECH_H
#define TESTS_SPEECH_H

#include <stddef.h>
#include <stdint.h>

#include "kztts/kztts.h"

#define PRESETS KZ_TEST_DATA "/checkpoints/tiny-cv"
#define DESIGN KZ_TEST_DATA "/checkpoints/mtp-vd"
#define ODD KZ_TEST_DATA "/checkpoints/odd-base"

enum { MAX_FRAMES = 320, FRAMES = 10, CODES = 16, FRAME_SAMPLES = 1920, ALL = 0 };

/* What is spoken. */
extern const char speech_text[];

/* What an utterance gave. */
typedef struct speech {
    size_t n_frame, n_sample;
    int32_t codes[MAX_FRAMES * CODES];
    float *pcm; /* [MAX_FRAMES * FRAME_SAMPLES] */
    kztts_summary summary;
    kztts_stream *cancel; /* cancelled inside on_frame ... */
    uint64_t cancel_at;   /* ... of this frame */
} speech;

speech *speech_new(void);
void speech_free(speech *s);

/* Any failure of these fails the test. */
kztts_model *speech_open_model(const char *path, const char *cpu, int threads);
kztts_voice *speech_open_voice(kztts_model *model);

/* FRAMES frames in English with seed 11; sampling is on, as in use; codes go to s. */
kztts_stream_options speech_options(speech *s);

/* A stream that has spoken nothing before: what the model keeps of closed ones isn't in it. */
kztts_stream *speech_open_fresh(kztts_model *model, kztts_voice *voice, const kztts_stream_options *options);

/* Puts the text in pieces (ALL: at once) and finishes. */
void speech_put(kztts_stream *stream, size_t piece);

/* Reads in pieces of `piece` samples (ALL: as much as there is room for) until there are `limit` or not OK. */
kztts_status speech_read(kztts_stream *stream, speech *s, size_t piece, size_t limit);

/* Reads until END, takes the summary. */
void speech_read_all(kztts_stream *stream, speech *s, size_t piece);

/* A whole utterance on a fresh stream; options NULL: as speech_options. */
speech *speech_make(kztts_model *model, kztts_voice *voice, const kztts_stream_options *with, size_t put, size_t read);

int speech_same_codes(const speech *a, const speech *b);

/* Codes and samples are the same, bit for bit. */
void speech_check(const speech *want, const speech *got, const char *what);

/* A model on two threads, opened once for a group of tests. */
typedef struct shared {
    kztts_model *model;
    kztts_voice *voice;
    speech *want; /* the default utterance */
} shared;

int speech_open_shared(void **state);
int speech_close_shared(void **state);

#endif
