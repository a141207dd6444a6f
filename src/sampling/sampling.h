/* sampling.h: logits in, a token out, in the official order.  SPDX-License-Identifier: Apache-2.0
 *
 * in         logits [n]
 * out        a token
 * state      none: randomness is a function of (seed, frame, codebook, token)
 * threads    any
 * memory     the caller's scratch */
#ifndef KZ_SAMPLING_H
#define KZ_SAMPLING_H

#include "base/base.h"
#include "kernels/kernels.h"

typedef struct kz_sampling {
    bool sample; /* false: the largest score */
    float temperature, top_p;
    int top_k; /* 0 = all */
} kz_sampling;

/* The talker's rules, before temperature: penalty once for every distinct token of `seen` (a flag a token), then
 * tokens that may not be drawn become -inf: all of [suppress_from, n) but eos, and eos itself when hide_eos. */
typedef struct kz_token_rules {
    float penalty;
    const uint8_t *seen; /* [n] */
    size_t suppress_from;
    int32_t eos;
    bool hide_eos;
} kz_token_rules;

void kz_sampling_rules(float *scores, size_t n, const kz_token_rules *rules);

/* Temperature, top-k, top-p in place; forbidden scores become -inf. scratch: n floats and n int32. */
void kz_sampling_filter(const kz_kernels *k, float *scores, size_t n, const kz_sampling *s, float *scratch,
                        int32_t *order);

/* Index of the largest (lowest index on ties), or -1 when none is finite. */
int32_t kz_sampling_argmax(const float *scores, size_t n);

/* Counter-based random numbers: Philox 4x32-10. */
void kz_philox(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2]);

/* Draws from softmax(scores): an exponential race, e_i = -log(u_i) for every token, the largest p_i / e_i wins, where
 * u_i depends on (seed, frame, codebook, i) alone. scratch: n floats. -1 when no score is finite. */
int32_t kz_sampling_draw(const kz_kernels *k, const float *scores, size_t n, uint64_t seed, uint32_t frame,
                         uint32_t codebook, float *scratch);

/* filter + draw, or argmax. scores is overwritten. */
int32_t kz_sampling_pick(const kz_kernels *k, float *scores, size_t n, const kz_sampling *s, uint64_t seed,
                         uint32_t frame, uint32_t codebook, float *scratch, int32_t *order);

#endif
