/* decoder.h: the codec's decoder. Codes in, pcm out.  SPDX-License-Identifier: Apache-2.0
 *
 * in         codes [n_frame, n_code], each 0 .. codebook_size - 1
 * out        pcm [n_frame * frame_samples], f32 in [-1, 1]
 * state      exactly what later frames need: convolution history, keys and values of the window, frame counter.
 *            So any split of the frames into calls gives the same bits.
 * threads    decoder: read-only after loading; state: one user at a time
 * memory     packed weights; the state's share of the caller's arena */
#ifndef KZ_DECODER_H
#define KZ_DECODER_H

#include "nn/nn.h"

typedef struct kz_decoder kz_decoder;
typedef struct kz_decoder_state kz_decoder_state;

/* w: the tensors of speech_tokenizer/. */
kztts_status kz_decoder_load(kz_decoder **out, const kz_codec_config *cfg, const kz_weights *w, kz_pool *pool,
                             kz_err *err);
void kz_decoder_free(kz_decoder *d);           /* NULL is fine */
size_t kz_decoder_bytes(const kz_decoder *d);  /* of packed weights and codebooks */
kz_dtype kz_decoder_type(const kz_decoder *d); /* of its convolutions */

kz_work kz_decoder_work(const kz_decoder *d); /* of one frame on its own: its matrices */

/* continuous: state is carried through all frames. reference: as the official program decodes files, in independent
 * chunks of 300 frames that are warmed up with the 25 frames before (specification 1.6). */
typedef enum kz_decode_mode { KZ_DECODE_CONTINUOUS, KZ_DECODE_REFERENCE } kz_decode_mode;

/* max_frame: frames processed together at most, 1 to 512 (1 = least memory, first sound soonest). d must outlive the
 * state. */
kztts_status kz_decoder_state_new(kz_decoder_state **out, const kz_decoder *d, kz_decode_mode mode, size_t max_frame,
                                  int n_thread, kz_err *err);
void kz_decoder_state_free(kz_decoder_state *s); /* NULL is fine */
void kz_decoder_reset(kz_decoder_state *s);      /* before the first frame of an utterance */
/* dst goes on where src is; both of the same decoder and mode. */
void kz_decoder_state_copy(kz_decoder_state *dst, const kz_decoder_state *src);

/* What a continuous state carries, as bytes for a file of this machine: size of them (the same for every max_frame), out,
 * and back in. They are aligned as floats are. in is false when they can't be such a state; then it is as after reset. */
size_t kz_decoder_state_size(const kz_decoder_state *s);
void kz_decoder_state_out(const kz_decoder_state *s, void *bytes);
bool kz_decoder_state_in(kz_decoder_state *s, const void *bytes);

size_t kz_decoder_state_bytes(const kz_decoder_state *s);

/* Any n_frame (longer runs are cut into pieces of max_frame). Nothing is allocated. A code out of range counts as 0.
 * Taps, in this order a piece: "rvq", "pre_conv", "transformer_layer" (index), "pre_transformer", "upsample_conv" (index),
 * "upsample" (index), "block_0", "block_convt" (index from 1), "block_unit" (index block * 3 + unit, block from 1),
 * "block" (index from 1), "last_snake" (may come in several calls of consecutive rows); all time-major
 * [rows, channels]. Frames that reference mode replays aren't shown.
 * Once ctx->stop is set it returns within a few layers' work: pcm and the state are of no use then, but for a reset. */
void kz_decoder_run(const kz_ctx *ctx, const kz_decoder *d, kz_decoder_state *s, const kz_code *codes, size_t n_frame,
                    float *pcm);

#endif
