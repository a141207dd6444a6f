/* speaker.c: loading the speaker encoder (an ECAPA-TDNN without batch norm).  SPDX-License-Identifier: Apache-2.0 */
#include "cloning/speaker.h"

/* A convolution of one tap. */
static kztts_status load_point(kz_linear *lin, const kz_weights *w, const char *name, size_t n_out, size_t n_in,
                               kz_pool *pool, kz_err *err) {
    kz_name weight = kz_namef("speaker_encoder.%s.weight", name), bias = kz_namef("speaker_encoder.%s.bias", name);
    kz_linear_spec spec = {.part = {{weight.s, n_out}}, .n_part = 1, .n_in = n_in, .bias = bias.s, .conv1 = true};
    return kz_linear_load(lin, w, &spec, pool, err);
}

static kztts_status load_block(kz_res_block *b, const kz_speaker_config *c, size_t i, const kz_weights *w,
                               kz_pool *pool, kz_err *err) {
    size_t n_in = c->channel[i - 1], n = c->channel[i], n_part = n / c->n_group;
    KZ_TRY(load_point(&b->in, w, kz_namef("blocks.%zu.tdnn1.conv", i).s, n, n_in, pool, err));
    for (size_t g = 0; g + 1 < c->n_group; g++) {
        kz_name prefix = kz_namef("speaker_encoder.blocks.%zu.res2net_block.blocks.%zu.conv", i, g);
        KZ_TRY(kz_conv_load(&b->group[g], w, prefix.s, n_part, n_part, c->kernel[i], c->dilation[i], pool, err));
    }
    KZ_TRY(load_point(&b->out, w, kz_namef("blocks.%zu.tdnn2.conv", i).s, n, n, pool, err));
    KZ_TRY(load_point(&b->squeeze, w, kz_namef("blocks.%zu.se_block.conv1", i).s, c->d_squeeze, n, pool, err));
    return load_point(&b->excite, w, kz_namef("blocks.%zu.se_block.conv2", i).s, n, c->d_squeeze, pool, err);
}

static kztts_status load_all(kz_speaker_encoder *sp, const kz_weights *w, kz_pool *pool, kz_err *err) {
    const kz_speaker_config *c = &sp->cfg;
    size_t n_cat = 0, n_last = c->channel[KZ_SPEAKER_BLOCKS - 1];
    KZ_TRY(kz_conv_load(&sp->first, w, "speaker_encoder.blocks.0.conv", c->channel[0], c->n_mel, c->kernel[0],
                        c->dilation[0], pool, err));
    for (size_t i = 1; i <= KZ_N_RES; i++) {
        KZ_TRY(load_block(&sp->block[i - 1], c, i, w, pool, err));
        n_cat += c->channel[i];
    }
    KZ_TRY(load_point(&sp->mfa, w, "mfa.conv", n_last, n_cat, pool, err));
    KZ_TRY(load_point(&sp->attention_in, w, "asp.tdnn.conv", c->d_attention, 3 * n_last, pool, err));
    KZ_TRY(load_point(&sp->attention_out, w, "asp.conv", n_last, c->d_attention, pool, err));
    return load_point(&sp->fc, w, "fc", c->d_out, 2 * n_last, pool, err);
}

kztts_status kz_speaker_load(kz_speaker_encoder **out, const kz_speaker_config *cfg, const kz_weights *w, kz_pool *pool,
                             kz_err *err) {
    kz_speaker_encoder *sp = *out = kz_alloc(1, sizeof *sp);
    if (!sp)
        return kz_fail_memory(err, sizeof *sp, "the speaker encoder");
    sp->cfg = *cfg;
    kztts_status status = load_all(sp, w, pool, err);
    if (status < 0) {
        kz_speaker_free(sp);
        *out = NULL;
    }
    return status;
}

void kz_speaker_free(kz_speaker_encoder *sp) {
    if (!sp)
        return;
    kz_conv_free(&sp->first);
    for (size_t i = 0; i < KZ_N_RES; i++) {
        kz_res_block *b = &sp->block[i];
        kz_linear_free(&b->in);
        kz_linear_free(&b->out);
        kz_linear_free(&b->squeeze);
        kz_linear_free(&b->excite);
        for (size_t g = 0; g < KZ_MAX_GROUP; g++)
            kz_conv_free(&b->group[g]);
    }
    kz_linear_free(&sp->mfa);
    kz_linear_free(&sp->attention_in);
    kz_linear_free(&sp->attention_out);
    kz_linear_free(&sp->fc);
    kz_free(sp);
}
