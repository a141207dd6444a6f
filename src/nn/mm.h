/* mm.h: what linear layers and convolutions share inside this folder.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_NN_MM_H
#define KZ_NN_MM_H

#include "nn/nn.h"

/* Room for panels of [n_out, n_in], or NULL with a message. */
void *kz_mm_panels_new(kz_dtype type, size_t n_out, size_t n_in, kz_err *err);

/* Packs a tensor on all threads and lets its file pages go. FORMAT when a value isn't finite. */
kztts_status kz_mm_pack(void *dst, const kz_pack *pack, const kz_tensor *tensor, kz_pool *pool, kz_err *err);

/* A vector tensor of n values in fresh memory, zero-padded to whole panels. */
kztts_status kz_mm_vector(float **out, const kz_weights *w, const char *name, size_t n, kz_err *err);

/* Runs a matmul on all threads. */
void kz_mm_run(const kz_ctx *ctx, kz_dtype type, const kz_mm *mm, size_t n_row);

#endif
