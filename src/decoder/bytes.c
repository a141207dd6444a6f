/* bytes.c: how much memory the loaded decoder holds, and how much work a frame is.  SPDX-License-Identifier: Apache-2.0 */
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

static void front_work(kz_work *work, const kz_decoder *d) {
    kz_linear_work(work, &d->first_proj, 1);
    if (d->cfg.n_code > 1)
        kz_linear_work(work, &d->rest_proj, 1);
    kz_linear_work(work, &d->pre_conv.lin, 1);
    kz_linear_work(work, &d->input_proj, 1);
    kz_stack_work(work, &d->stack, 1);
    kz_linear_work(work, &d->output_proj, 1);
}

kz_work kz_decoder_work(const kz_decoder *d) {
    kz_work work = {0};
    size_t n_row = 1;
    front_work(&work, d);
    for (size_t i = 0; i < d->cfg.n_upsample; i++) {
        const kz_upsample *up = &d->upsample[i];
        kz_linear_work(&work, &up->convt.lin, n_row);
        n_row *= up->convt.stride;
        kz_linear_work(&work, &up->expand, n_row);
        kz_linear_work(&work, &up->project, n_row);
    }
    kz_linear_work(&work, &d->conv0.lin, n_row);
    for (size_t i = 0; i < d->cfg.n_block; i++) {
        const kz_block *b = &d->block[i];
        kz_linear_work(&work, &b->convt.lin, n_row);
        n_row *= b->rate;
        for (size_t u = 0; u < KZ_N_UNIT; u++) {
            kz_winograd_work(&work, &b->unit[u].conv1, n_row);
            kz_linear_work(&work, &b->unit[u].conv2, n_row);
        }
    }
    kz_linear_work(&work, &d->final.lin, n_row);
    return work;
}
