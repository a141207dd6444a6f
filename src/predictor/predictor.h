/* predictor.h: talker hidden and first code in, all codes of the frame out.  SPDX-License-Identifier: Apache-2.0
 *
 * in         hidden [d_model], codes[0]
 * out        codes[1 .. n_code - 1]
 * state      keys and values of one frame (positions 0 .. n_code - 1), scratch
 * threads    predictor: read-only after loading; state: one user at a time
 * memory     packed weights; the state's share of the caller's arena */
#ifndef KZ_PREDICTOR_H
#define KZ_PREDICTOR_H

#include "embed/embed.h"
#include "sampling/sampling.h"

typedef struct kz_predictor {
    kz_stack stack;
    size_t n_code, vocab, d_model; /* d_model: the talker's width */
    bool projected;                /* small_to_mtp_projection present */
    kz_linear project;
    kz_linear head[KZ_MAX_CODE]; /* n_code - 1 */
} kz_predictor;

kztts_status kz_predictor_load(kz_predictor *p, const kz_config *cfg, const kz_weights *w, kz_pool *pool, kz_err *err);
void kz_predictor_free(kz_predictor *p);

typedef struct kz_predictor_state {
    kz_stack_state stack;
    float *in;       /* [n_code, d_model] input rows before the projection, kept for the uncached mode */
    float *gathered; /* [max_row, d_model] */
    float *rows;     /* [max_row, d_predictor] */
    float *hidden;   /* [KZ_MAX_LANE, d_predictor] */
    float *logits;   /* [KZ_MAX_LANE, vocab] */
    float *scratch;  /* [vocab] */
    int32_t *order;  /* [vocab] */
} kz_predictor_state;

void kz_predictor_layout(const kz_predictor *p, kz_predictor_state *s, kz_arena *arena, int n_thread);

size_t kz_predictor_scratch(const kz_predictor *p); /* elements of kz_ctx.qx */

typedef struct kz_predictor_run {
    kz_sampling sampling;
    uint64_t seed;
    uint32_t frame;
    bool uncached;         /* recompute all positions in every pass: slow, the same codes; for tests */
    const kz_code *forced; /* [n_code] codes to go on with instead of its own, which are in chosen then; or NULL */
    kz_code *chosen;
} kz_predictor_run;

/* Seconds of a pass: its input rows with their projection, layers and last norm, head, drawing with the next row. */
typedef struct kz_pass_times {
    double input, layers, head, draw;
} kz_pass_times;

/* A frame of one utterance. */
typedef struct kz_predictor_lane {
    kz_predictor_state *state;
    const float *hidden; /* [d_model] */
    kz_predictor_run run;
    kz_code *codes; /* [n_code], the first is given */
} kz_predictor_lane;

/* Frames of n utterances (at most KZ_MAX_LANE), in one pass over the weights a code; uncached needs n = 1. The bits are
 * those of n calls. spent [n_code - 1] is added to; NULL: not measured. Taps "predictor_rows", "predictor_hidden",
 * "predictor_logits" with n = 1. FORMAT when no logit is finite. */
kztts_status kz_predictor_frames(const kz_ctx *ctx, const kz_predictor *p, const kz_predictor_lane *lanes, size_t n,
                                 const kz_embed *embed, kz_pass_times *spent, kz_err *err);

#endif
