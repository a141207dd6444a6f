/* warm.h: what a voice's utterances have in common, kept with the voice, for this folder.
 * SPDX-License-Identifier: Apache-2.0
 *
 * in         keys and values of the prompt rows before the text; the codec's state after a recording
 * out        the same for the next utterance, on whatever stream
 * state      a few prefixes (one per language and instruction), each immutable once it is there
 * threads    any number at a time: entries are published once, by an atomic pointer, and freed with the voice
 * memory     keys and values of each prefix; a voice without it is only slower */
#ifndef KZ_ENGINE_WARM_H
#define KZ_ENGINE_WARM_H

#include "engine/lane.h"

/* Prompt rows and what the talker made of them: k, v [n_layer][n_kv][n_row][d_head]. One block of memory. */
typedef struct kz_prefix {
    size_t n_row, n_cache; /* n_cache: values of k and of v */
    float *rows, *k, *v;   /* rows [n_row, d_model] */
} kz_prefix;

kz_prefix *kz_prefix_new(const kz_model *m, size_t n_row); /* NULL: no memory */

/* The prefix of the prompt that the lane has read, or NULL. */
const kz_prefix *kz_warm_prefix(kz_warm *warm, const kz_lane *lane);

/* Brings what is known of the lane's prompt into its cache. */
void kz_warm_take(kz_warm *warm, kz_lane *lane);

/* Keeps what the lane has read, if it is new and there is room. */
kztts_status kz_warm_give(kz_warm *warm, const kz_lane *lane, kz_err *err);

/* Takes ownership; false when it was not wanted (it is freed then). */
bool kz_warm_add(kz_warm *warm, kz_prefix *prefix, size_t d_model);

/* The codec's state after the voice's recording, as kz_decoder_state_out writes it (n bytes), or NULL. */
const unsigned char *kz_warm_codec(kz_warm *warm, size_t n);
kztts_status kz_warm_add_codec(kz_warm *warm, const void *bytes, size_t n, kz_err *err); /* a copy */

/* Whether the snapshot at the path was the last one seen to, read or written; notes that it is now. */
bool kz_warm_is_kept(const kz_warm *warm, const char *path);
void kz_warm_kept(kz_warm *warm, const char *path);

#endif
