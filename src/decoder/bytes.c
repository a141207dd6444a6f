/* bytes.c: how much memory the loaded decoder holds.  SPDX-License-Identifier: Apache-2.0 */
#include "decoder/parts.h"

static size_t upsample_bytes(const kz_upsample *up) {
    return kz_linear_bytes(&up->convt.lin) + kz_linear_bytes(&up->expand) + kz_linear_bytes(&up->project);
}

static size_t block_bytes(const kz_block *b) {
    size_t n = kz_linear_bytes(&b->convt.lin);
    for (size_t u = 0; u < KZ_N_UNIT; u++)
        n += kz_linear_bytes(&b->unit[u].conv1.lin) + kz_linear_bytes(&b->unit[u].conv2);
    return n;
}

kz_dtype kz_decoder_type(const kz_decoder *d) { return d->conv0.lin.type; }

size_t kz_decoder_bytes(const kz_decoder *d) {
    size_t n = d->cfg.n_code * d->cfg.codebook_size * d->d_row * sizeof(float);
    n += kz_linear_bytes(&d->first_proj) + kz_linear_bytes(&d->rest_proj) + kz_linear_bytes(&d->pre_conv.lin) +
         kz_linear_bytes(&d->input_proj) + kz_linear_bytes(&d->output_proj) + kz_stack_bytes(&d->stack) +
         kz_linear_bytes(&d->conv0.lin) + kz_linear_bytes(&d->final.lin);
    for (size_t i = 0; i < d->cfg.n_upsample; i++)
        n += upsample_bytes(&d->upsample[i]);
    for (size_t i = 0; i < d->cfg.n_block; i++)
        n += block_bytes(&d->block[i]);
    return n;
}
