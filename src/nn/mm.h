/* mm.h: what linear layers and convolutions share inside this folder.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_NN_MM_H
#define KZ_NN_MM_H

#include "nn/nn.h"

/* Room for panels of [n_out, n_in], or NULL with a message. */
void *kz_mm_panels_new(const kz_weights *w, kz_dtype type, size_t n_out, size_t n_in, kz_err *err);

/* Panels of lin's n_out and n_in from a prepared file, for the matrix of which the tensor `name` is the first part: as they
 * lie there, or packed again when another quantised type is wanted. lin->panels stays NULL when they have to be packed
 * from tensors. panels.c */
kztts_status kz_mm_ready(kz_linear *lin, const kz_weights *w, const char *name, kz_quant quant, kz_pool *pool,
                         kz_err *err);

/* The type of panels that are made of a stored one. */
kz_dtype kz_mm_type(kz_dtype stored, kz_quant quant);

/* Tells who watches the weights of the matrix that lin has got. names: of its parts. */
kztts_status kz_mm_tell(const kz_linear *lin, const kz_weights *w, const char *const *names, size_t n, kz_err *err);

/* Packs a tensor on all threads and lets its file pages go. FORMAT when a value isn't finite. */
kztts_status kz_mm_pack(void *dst, const kz_pack *pack, const kz_tensor *tensor, kz_pool *pool, kz_err *err);

/* A vector tensor of n values in fresh memory, zero-padded to whole panels. */
kztts_status kz_mm_vector(float **out, const kz_weights *w, const char *name, size_t n, kz_err *err);

/* FORMAT: a value of the tensor isn't finite. */
kztts_status kz_mm_not_finite(const kz_tensor *tensor, kz_err *err);

/* How a matmul is cut for the threads: blocks of panels, and of rows. */
typedef struct kz_mm_cut {
    size_t panel_block, row_block, n_panel_block, n_row_block;
} kz_mm_cut;
kz_mm_cut kz_mm_cuts(const kz_pool *pool, size_t n_panel, size_t n_row);

/* Runs a matmul on all threads. */
void kz_mm_run(const kz_ctx *ctx, kz_dtype type, const kz_mm *mm, size_t n_row);

#endif
