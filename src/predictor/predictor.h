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
    float *in;               /* [n_code, d_model] input rows before the projection, kept for the uncached mode */
    float *rows;             /* [n_code, d_predictor] */
    float *hidden;           /* [d_predictor] */
    float *logits, *scratch; /* [vocab] */
    int32_t *order;          /* [vocab] */
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

/* Taps "predictor_rows", "predictor_hidden", "predictor_logits". FORMAT when no logit is finite. */
kztts_status kz_predictor_frame(const kz_ctx *ctx, const kz_predictor *p, kz_predictor_state *s, const kz_embed *embed,
                                const float *hidden, const kz_predictor_run *run, kz_code *codes, kz_err *err);

#endif
