/* cloning.h: reference audio in, what a cloned voice consists of out.  SPDX-License-Identifier: Apache-2.0
 *
 * in         24 kHz mono samples, as they are (no gain, no trimming)
 * out        x-vector [d_model]; codes [n_frame, n_code]
 * state      none
 * threads    encoders are read-only after loading
 * memory     packed weights; each run takes what its length needs and frees it */
#ifndef KZ_CLONING_H
#define KZ_CLONING_H

#include "nn/nn.h"

/* Shortest clips the encoders take, in samples. */
enum { KZ_SPEAKER_MIN_SAMPLES = 1280, KZ_ENCODER_MIN_SAMPLES = 1 };

/* ---- speaker encoder: specification section 3 of the codec's text ---------------------------------------------- */

typedef struct kz_speaker_encoder kz_speaker_encoder;

/* w: the tensors of model.safetensors. */
kztts_status kz_speaker_load(kz_speaker_encoder **out, const kz_speaker_config *cfg, const kz_weights *w, kz_pool *pool,
                             kz_err *err);
void kz_speaker_free(kz_speaker_encoder *sp); /* NULL is fine */

/* x_vector [d_out]. n_sample >= KZ_SPEAKER_MIN_SAMPLES. Taps "mel", "speaker_block" (index), "speaker_mfa",
 * "speaker_asp", time-major. */
kztts_status kz_speaker_run(const kz_ctx *ctx, const kz_speaker_encoder *sp, const float *wave, size_t n_sample,
                            float *x_vector, kz_err *err);

/* Log mel spectrogram [n_sample / 256, n_mel], in fresh memory (kz_free). n_sample >= 385. */
kztts_status kz_mel(float **out, size_t *n_frame, size_t n_mel, const float *wave, size_t n_sample, kz_err *err);

/* ---- codec encoder: section 2 ---------------------------------------------------------------------------------- */

typedef struct kz_encoder kz_encoder;

/* w: the tensors of speech_tokenizer/. */
kztts_status kz_encoder_load(kz_encoder **out, const kz_encoder_config *cfg, const kz_weights *w, kz_pool *pool,
                             kz_err *err);
void kz_encoder_free(kz_encoder *e); /* NULL is fine */

/* Codes [*n_frame, n_code] in fresh memory (kz_free), *n_frame = ceil(n_sample / frame_samples). Taps "encoder_conv"
 * (index as in the tensors' names), "encoder_convs_done", "encoder_layer", "encoder_latent", time-major. */
kztts_status kz_encoder_run(const kz_ctx *ctx, const kz_encoder *e, const float *wave, size_t n_sample, kz_code **codes,
                            size_t *n_frame, kz_err *err);

#endif
