/* talker.h: prompt and feedback rows in, the first code's logits out.  SPDX-License-Identifier: Apache-2.0
 *
 * in         rows [n, d_model]
 * out        hidden [d_model] of the last row (after the final norm), logits [vocab]
 * state      keys and values of the utterance
 * threads    talker: read-only after loading; state: one user at a time
 * memory     packed weights; the state's share of the caller's arena, touched as positions are used */
#ifndef KZ_TALKER_H
#define KZ_TALKER_H

#include "nn/nn.h"

typedef struct kz_talker {
    kz_stack stack;
    kz_linear head; /* [vocab, d_model] */
} kz_talker;

kztts_status kz_talker_load(kz_talker *t, const kz_config *cfg, const kz_weights *w, kz_pool *pool, kz_err *err);
void kz_talker_free(kz_talker *t);

typedef struct kz_talker_state {
    kz_stack_state stack;
    float *rows; /* [max_row, d_model] */
} kz_talker_state;

void kz_talker_layout(const kz_talker *t, kz_talker_state *s, kz_arena *arena, size_t max_pos, int n_thread);
size_t kz_talker_scratch(const kz_talker *t);            /* elements of kz_ctx.qx */
void kz_talker_rewind(kz_talker_state *s, size_t n_pos); /* forgets rows from n_pos on; 0 = all */

/* How many of n_row >= 1 rows that are to be appended go through the layers together: of the fewest parts, alike in size,
 * the first. Each part reads all weights. */
size_t kz_talker_part(size_t n_row);

/* Appends n_row >= 1 rows (left as they are). hidden: [d_model]. Taps "talker_layer". */
void kz_talker_run(const kz_ctx *ctx, const kz_talker *t, kz_talker_state *s, const float *rows, size_t n_row,
                   float *hidden);

/* One row for each of n utterances (at most KZ_MAX_LANE) in one pass over the weights: rows, hidden [n, d_model]. The
 * bits are those of n runs. */
void kz_talker_step(const kz_ctx *ctx, const kz_talker *t, kz_talker_state *const *states, size_t n, const float *rows,
                    float *hidden);

/* hidden [n, d_model], logits [n, vocab]. */
void kz_talker_logits(const kz_ctx *ctx, const kz_talker *t, const float *hidden, float *logits, size_t n);

#endif
