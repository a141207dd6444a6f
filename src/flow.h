/* flow.h: the data between stages.  SPDX-License-Identifier: Apache-2.0
 *
 *   text -> tokens -> prompt -> (talker -> codes of a frame) -> pcm
 *
 * Every stage knows this header and never another stage. */
#ifndef KZ_FLOW_H
#define KZ_FLOW_H

#include <stddef.h>
#include <stdint.h>

/* Frames come one after another as n_code codes each: codes[frame][n_code], the talker's code first. */
typedef int32_t kz_code;

/* Utterances that go through the language model together at most. */
enum { KZ_MAX_LANE = 16 };

/* How the text meets the frames: all before the first frame, or one token a frame. */
typedef enum kz_text_mode { KZ_TEXT_FULL = 0, KZ_TEXT_STREAMING = 1 } kz_text_mode;

/* The rows that start an utterance, and those that are added to its feedback. */
typedef struct kz_prompt {
    size_t d_model;
    size_t n_row;      /* prompt positions */
    size_t n_fixed;    /* the first of them don't depend on the text: they are the voice's */
    float *rows;       /* [n_row, d_model] */
    size_t n_trailing; /* rows added to the feedback of frame 0, 1, ... */
    size_t cap_trailing;
    float *trailing; /* [n_trailing, d_model] */
    float *pad;      /* [d_model], added once trailing has run out */
} kz_prompt;

/* Tests and `verify` may watch intermediate results. Called on the thread that runs the stage. */
typedef struct kz_tap {
    void (*fn)(void *user, const char *stage, int index, const float *data, size_t n_row, size_t n_col);
    void *user;
} kz_tap;

static inline void kz_tap_put(const kz_tap *tap, const char *stage, int index, const float *data, size_t n_row,
                              size_t n_col) {
    if (tap && tap->fn)
        tap->fn(tap->user, stage, index, data, n_row, n_col);
}

#endif
