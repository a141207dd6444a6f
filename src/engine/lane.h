/* lane.h: one utterance in the language model, for this folder.  SPDX-License-Identifier: Apache-2.0
 *
 * in         a prompt; text rows that may still come (streaming text mode)
 * out        codes, frame after frame, into the part that it speaks
 * state      keys and values, what was sampled
 * threads    one user
 * memory     one arena, kept from utterance to utterance while it is large enough */
#ifndef KZ_ENGINE_LANE_H
#define KZ_ENGINE_LANE_H

#include "engine/engine.h"
#include "engine/guard.h"

/* Seconds of work. */
typedef struct kz_stream_times {
    double prefill, talker, predictor, decoder;
    double talker_head;              /* of the talker's: head and drawing */
    kz_pass_times pass[KZ_MAX_CODE]; /* of the predictor's: its passes */
} kz_stream_times;

/* The codes of one utterance and how it ended. */
typedef struct kz_codes {
    kz_code *data;              /* [room, n_code] */
    size_t room;                /* frames */
    size_t limit;               /* the utterance ends there; at most room */
    bool limit_cuts;            /* reaching the limit is a runaway */
    bool watched;               /* for repetition */
    size_t n_frame;             /* made */
    kztts_finish_reason finish; /* NONE while more may come */
    bool cut;                   /* by a guard */
} kz_codes;

typedef struct kz_lane {
    const kz_model *model;
    const kz_utterance *utterance;
    const kz_voice *voice;
    uint64_t seed;
    kz_prompt prompt;
    bool open;      /* text may still come: the prompt's trailing rows aren't complete */
    size_t n_ready; /* prompt rows that the cache holds */
    size_t n_text;  /* text tokens */
    size_t n_frame; /* frames made */
    kz_watch watch;
    kz_codes *codes; /* NULL: the lane is free */

    kz_arena arena;
    size_t max_pos;
    kz_talker_state talker;
    kz_predictor_state predictor;
    float *hidden;            /* [d_model] of the last position */
    float *row, *row_scratch; /* [d_model] */
    float *scratch;           /* [vocab] */
    int32_t *order;           /* [vocab] */
    uint8_t *seen;            /* [vocab] first codes sampled so far */
} kz_lane;

void kz_lane_free(kz_lane *lane);
void kz_lane_layout(const kz_model *m, kz_lane *lane, kz_arena *arena, size_t max_pos);

/* What is spoken, beside the utterance's options. */
typedef struct kz_lane_text {
    kz_span text;
    bool open; /* more text comes through kz_lane_add_text */
    uint64_t seed;
} kz_lane_text;

/* TEXT when text, instruction or the recording's text has more than KZ_MAX_TEXT_TOKENS. */
kztts_status kz_lane_check_length(const kz_prompt_tokens *tokens, kz_err *err);

/* Tokenizes, builds the prompt, prepares the arena. codes is empty and has room; it must stay until it is finished, as
 * must voice and utterance. */
kztts_status kz_lane_start(kz_lane *lane, const kz_model *m, const kz_voice *voice, const kz_utterance *u,
                           const kz_lane_text *text, kz_codes *codes, kz_err *err);

/* More text of an open lane: whole pre-tokens. last: none comes after it. */
kztts_status kz_lane_add_text(kz_lane *lane, kz_span text, bool last, kz_err *err);

/* Whether the next frame can be made without more text. */
bool kz_lane_can_step(const kz_lane *lane);

/* The lane forgets its codes; what its cache holds may serve the next utterance. */
void kz_lane_release(kz_lane *lane);

/* ---- a step of several lanes: step.c ------------------------------------------------------------------------------ */

/* Scratch for KZ_MAX_LANE rows. */
typedef struct kz_step_work {
    float *rows, *hidden; /* [n_lane, d_model] */
    float *logits;        /* [n_lane, vocab] */
    kz_qx *qx;            /* rows as quantised weights take them */
} kz_step_work;

void kz_step_layout(const kz_model *m, kz_step_work *work, kz_arena *arena, size_t n_lane);

/* One frame for each of n lanes, all of which can step, in one pass over the weights; a lane that ends gets its codes'
 * finish. cancelled: seen between pieces of a prompt; then nothing is made. */
kztts_status kz_step_lanes(kz_lane *const *lanes, size_t n, kz_step_work *work, kz_stream_times *spent,
                           const kz_stream *stream, kz_err *err);

#endif
