/* encoder.c: loading the codec's encoder.  SPDX-License-Identifier: Apache-2.0 */
#include "cloning/encoder.h"

/* Convolutions are numbered as in an nn.Sequential whose odd members are activations: 0, then 1 and 3 for each rate (a
 * residual unit and a strided convolution, three apart), then the last one. */
static kztts_status load_stage(kz_encoder_stage *s, const kz_encoder_config *c, const kz_weights *w, size_t index,
                               size_t n_ch, size_t rate, kz_pool *pool, kz_err *err) {
    kz_name narrow = kz_namef("encoder.encoder.layers.%zu.block.1.conv", index),
            widen = kz_namef("encoder.encoder.layers.%zu.block.3.conv", index),
            down = kz_namef("encoder.encoder.layers.%zu.conv", index + 2);
    KZ_TRY(kz_conv_load(&s->narrow, w, narrow.s, n_ch / c->compress, n_ch, c->residual_kernel, 1, pool, err));
    KZ_TRY(kz_conv_load(&s->widen, w, widen.s, n_ch, n_ch / c->compress, 1, 1, pool, err));
    return kz_conv_load_strided(&s->down, w, down.s, 2 * n_ch, n_ch, 2 * rate, rate, true, pool, err);
}

/* Rows are sums over how often a code was used, or divided already. */
static kztts_status load_rows(kz_encoder_book *b, const kz_encoder_config *c, const kz_weights *w, const char *prefix,
                              kz_err *err) {
    size_t shape[2] = {c->codebook_size, c->d_codebook};
    float *usage = NULL;
    kz_name divided = kz_namef("%s.divided", prefix);
    if (kz_weights_find(w, divided.s))
        return kz_weights_copy(&b->rows, w, divided.s, 2, shape, err);
    KZ_TRY(kz_weights_copy(&b->rows, w, kz_namef("%s.embed_sum", prefix).s, 2, shape, err));
    KZ_TRY(kz_weights_copy(&usage, w, kz_namef("%s.cluster_usage", prefix).s, 1, shape, err));
    for (size_t i = 0; i < shape[0]; i++) {
        float share = usage[i] > 1e-5F ? usage[i] : 1e-5F;
        for (size_t k = 0; k < shape[1]; k++)
            b->rows[i * shape[1] + k] /= share;
    }
    kz_free(usage);
    return KZTTS_OK;
}

static kztts_status load_codebook(kz_encoder_book *b, const kz_encoder_config *c, const kz_weights *w,
                                  const char *prefix, kz_err *err) {
    size_t n = c->codebook_size, d = c->d_codebook;
    KZ_TRY(load_rows(b, c, w, prefix, err));
    b->norm = kz_alloc(kz_round16(n), sizeof *b->norm);
    b->panels = kz_alloc(kz_round16(n) * d, sizeof *b->panels);
    if (!b->norm || !b->panels)
        return kz_fail_memory(err, n * d * sizeof *b->panels, "a codebook");
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t k = 0; k < d; k++)
            sum += (double)b->rows[i * d + k] * (double)b->rows[i * d + k];
        b->norm[i] = (float)sum;
    }
    kz_pack pack = {.src = b->rows,
                    .src_type = KZ_F32,
                    .dst_type = KZ_F32,
                    .n_out = n,
                    .n_in = d,
                    .out_inner_step = (ptrdiff_t)d,
                    .k_inner_step = 1,
                    .out_inner = n,
                    .k_inner = d};
    if (!kz_pack_panels(b->panels, &pack, 0, kz_round16(n) / KZ_PANEL))
        return kz_fail(err, KZTTS_ERROR_FORMAT, "codebook %s overflows; the file is damaged", prefix);
    return KZTTS_OK;
}

static kztts_status load_quantizer(kz_encoder *e, const kz_weights *w, kz_pool *pool, kz_err *err) {
    static const char *const part[2] = {"encoder.quantizer.semantic_residual_vector_quantizer",
                                        "encoder.quantizer.acoustic_residual_vector_quantizer"};
    const kz_encoder_config *c = &e->cfg;
    for (size_t p = 0; p < 2; p++) {
        kz_name name = kz_namef("%s.input_proj.weight", part[p]);
        kz_linear_spec spec = {
            .part = {{name.s, c->d_codebook}}, .n_part = 1, .n_in = c->transformer.d_model, .conv1 = true};
        KZ_TRY(kz_linear_load(&e->project[p], w, &spec, pool, err));
    }
    for (size_t k = 0; k < c->n_code; k++) {
        kz_name name = kz_namef("%s.layers.%zu.codebook", part[k > 0], k > 0 ? k - 1 : 0);
        KZ_TRY(load_codebook(&e->book[k], c, w, name.s, err));
    }
    return KZTTS_OK;
}

static kztts_status load_all(kz_encoder *e, const kz_weights *w, kz_pool *pool, kz_err *err) {
    const kz_encoder_config *c = &e->cfg;
    size_t n_ch = c->n_filter, d = c->transformer.d_model, index = 1;
    KZ_TRY(kz_conv_load(&e->first, w, "encoder.encoder.layers.0.conv", n_ch, 1, c->kernel, 1, pool, err));
    for (size_t i = 0; i < c->n_rate; i++, index += 3, n_ch *= 2)
        KZ_TRY(load_stage(&e->stage[i], c, w, index, n_ch, c->rate[i], pool, err));
    kz_name last = kz_namef("encoder.encoder.layers.%zu.conv", index + 1);
    KZ_TRY(kz_conv_load(&e->last, w, last.s, d, n_ch, c->last_kernel, 1, pool, err));
    KZ_TRY(kz_stack_load(&e->stack, &c->transformer, w, "encoder.encoder_transformer", pool, err));
    KZ_TRY(
        kz_conv_load_strided(&e->down, w, "encoder.downsample.conv", d, d, 2 * KZ_HALVE, KZ_HALVE, false, pool, err));
    return load_quantizer(e, w, pool, err);
}

kztts_status kz_encoder_load(kz_encoder **out, const kz_encoder_config *cfg, const kz_weights *w, kz_pool *pool,
                             kz_err *err) {
    kz_encoder *e = *out = kz_alloc(1, sizeof *e);
    if (!e)
        return kz_fail_memory(err, sizeof *e, "the codec encoder");
    e->cfg = *cfg;
    kztts_status status = load_all(e, w, pool, err);
    if (status < 0) {
        kz_encoder_free(e);
        *out = NULL;
    }
    return status;
}

void kz_encoder_free(kz_encoder *e) {
    if (!e)
        return;
    kz_conv_free(&e->first);
    for (size_t i = 0; i < KZ_MAX_STAGE; i++) {
        kz_conv_free(&e->stage[i].narrow);
        kz_conv_free(&e->stage[i].widen);
        kz_conv_free(&e->stage[i].down);
    }
    kz_conv_free(&e->last);
    kz_stack_free(&e->stack);
    kz_conv_free(&e->down);
    kz_linear_free(&e->project[0]);
    kz_linear_free(&e->project[1]);
    for (size_t k = 0; k < KZ_MAX_CODE; k++) {
        kz_free(e->book[k].rows);
        kz_free(e->book[k].norm);
        kz_free(e->book[k].panels);
    }
    kz_free(e);
}
