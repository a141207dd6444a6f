/* join.h: the sound of chunks in, one sound out.  SPDX-License-Identifier: Apache-2.0
 *
 * in         pcm of one chunk after another, in any pieces
 * out        pcm: at a seam the silence at both sides is brought to a fixed margin with short fades, and the pause lies
 *            between
 * state      a ring of at most two seconds: silence is held back until it is known to be inside speech or at an end
 * threads    one user at a time
 * memory     taken by new; nothing after that
 *
 * The output is a function of the chunks and their pauses, never of the pieces put or read. A single chunk comes out bit
 * for bit; so do the beginning of the first and the end of the last, unless trim is set. Silence inside a chunk is kept.
 *
 * At a seam:
 *
 *     ...speech| margin |pause| margin |speech...      too long a silence is cut, too short a one is filled with zeros;
 *                   \fade/  0   \fade/                 the fades lie on what is left of the chunks' own samples
 */
#ifndef KZ_JOIN_H
#define KZ_JOIN_H

#include "base/base.h"

enum { KZ_JOIN_CLASSES = 3, KZ_JOIN_PAUSE_MAX = 60000 };

typedef struct kz_join_options {
    int sample_rate; /* Hz */
    float threshold; /* samples of at most this size are silence */
    int margin_ms, fade_ms;
    int pause_ms[KZ_JOIN_CLASSES]; /* by kz_pause: none, sentence, paragraph; each at most KZ_JOIN_PAUSE_MAX */
    bool trim;                     /* also the beginning of the first chunk and the end of the last, without pauses */
} kz_join_options;

/* The measured defaults; docs/text.md. */
void kz_join_options_init(kz_join_options *options, int sample_rate);

typedef struct kz_join kz_join;

kztts_status kz_join_new(kz_join **out, const kz_join_options *options, kz_err *err); /* ARGUMENT, MEMORY */
void kz_join_free(kz_join *join);                                                     /* NULL is fine */
void kz_join_reset(kz_join *join);                                                    /* as new, same options */

/* Takes samples of the current chunk, as many as there is room for (room comes with reading); how many. */
size_t kz_join_put(kz_join *join, const float *pcm, size_t n);

/* The current chunk is complete; `pause` is the silence before the next one, a class below KZ_JOIN_CLASSES. A chunk
 * without samples, or a silent one that isn't the first, is left out; of the pauses around it the longer one stays. */
void kz_join_end(kz_join *join, int pause);

/* The current chunk will be the last one: nothing of it is held back from now on (unless it is to be trimmed). The output
 * stays the same; should a chunk follow all the same, what has been given away is left as it is. */
void kz_join_last(kz_join *join);

/* No chunk follows. */
void kz_join_finish(kz_join *join);

/* Up to n samples; how many. 0: put more, or after finish: the end. */
size_t kz_join_read(kz_join *join, float *pcm, size_t n);

size_t kz_join_ready(const kz_join *join); /* samples that can be read now */
bool kz_join_done(const kz_join *join);    /* finished, and all has been read */

/* Places in the output, in samples from its beginning, for events. position: of the sample that is put next; before a
 * chunk's first sample, where the chunk will begin (its margin counted). chunk_end: where the current chunk's sound
 * would end if another chunk followed; never beyond the position. Both are functions of what has been put. */
uint64_t kz_join_position(const kz_join *join);
uint64_t kz_join_chunk_end(const kz_join *join);

#endif
