/* embed.h: the model's tables: text ids and codes in, rows of the talker's width out.  SPDX-License-Identifier: Apache-2.0
 *
 * in         text ids, codec ids, codes
 * out        rows [d_model] (specification section 4)
 * state      none
 * threads    read-only after loading
 * memory     tables stay in the mapped file, rows are widened on the way; the text projection is packed */
#ifndef KZ_EMBED_H
#define KZ_EMBED_H

#include "nn/nn.h"

typedef struct kz_embed {
    size_t d_model, d_text, n_code, text_vocab, vocab, sub_vocab;
    const kz_tensor *text;               /* [text_vocab, d_text] */
    bool projected;                      /* its rows went through the text projection already */
    const kz_tensor *codec;              /* [vocab, d_model] */
    const kz_tensor *group[KZ_MAX_CODE]; /* n_code - 1 tables [sub_vocab, d_model] */
    kz_linear fc1, fc2;                  /* text projection */
} kz_embed;

kztts_status kz_embed_load(kz_embed *e, const kz_config *cfg, const kz_weights *w, kz_pool *pool, kz_err *err);
void kz_embed_free(kz_embed *e);

/* rows [n, d_model] = projected text rows. ids must be in 0 .. text_vocab - 1. MEMORY. */
kztts_status kz_embed_text(const kz_ctx *ctx, const kz_embed *e, const int32_t *ids, size_t n, float *rows,
                           kz_err *err);

void kz_embed_codec(const kz_embed *e, int32_t id, float *row);             /* Ec(id) */
void kz_embed_group(const kz_embed *e, size_t k, kz_code code, float *row); /* Eg(k, code) */
void kz_embed_frame(const kz_embed *e, const kz_code *codes, float *row,
                    float *scratch); /* Ec(c0) + sum of Eg; both [d_model] */

#endif
