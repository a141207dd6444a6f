/* embed.c: tables and the text projection.  SPDX-License-Identifier: Apache-2.0 */
#include "embed/embed.h"

static kztts_status load_projection(kz_embed *e, const kz_weights *w, kz_pool *pool, kz_err *err) {
    kz_linear_spec fc1 = {.part = {{"talker.text_projection.linear_fc1.weight", e->d_text}},
                          .n_part = 1,
                          .n_in = e->d_text,
                          .bias = "talker.text_projection.linear_fc1.bias"};
    kz_linear_spec fc2 = {.part = {{"talker.text_projection.linear_fc2.weight", e->d_model}},
                          .n_part = 1,
                          .n_in = e->d_text,
                          .bias = "talker.text_projection.linear_fc2.bias"};
    KZ_TRY(kz_linear_load(&e->fc1, w, &fc1, pool, err));
    return kz_linear_load(&e->fc2, w, &fc2, pool, err);
}

static kztts_status load_tables(kz_embed *e, const kz_weights *w, kz_err *err) {
    KZ_TRY(kz_weights_get(&e->text, w, "talker.model.text_embedding.weight", 2, (size_t[]){e->text_vocab, e->d_text},
                          err));
    KZ_TRY(
        kz_weights_get(&e->codec, w, "talker.model.codec_embedding.weight", 2, (size_t[]){e->vocab, e->d_model}, err));
    for (size_t k = 0; k + 1 < e->n_code; k++) {
        kz_name name = kz_namef("talker.code_predictor.model.codec_embedding.%zu.weight", k);
        KZ_TRY(kz_weights_get(&e->group[k], w, name.s, 2, (size_t[]){e->sub_vocab, e->d_model}, err));
    }
    return KZTTS_OK;
}

kztts_status kz_embed_load(kz_embed *e, const kz_config *cfg, const kz_weights *w, kz_pool *pool, kz_err *err) {
    *e = (kz_embed){.d_model = cfg->talker.d_model,
                    .d_text = cfg->d_text,
                    .n_code = cfg->n_code,
                    .text_vocab = cfg->text_vocab,
                    .vocab = cfg->vocab,
                    .sub_vocab = cfg->sub_vocab};
    kztts_status status = load_tables(e, w, err);
    if (status >= 0)
        status = load_projection(e, w, pool, err);
    if (status < 0)
        kz_embed_free(e);
    return status;
}

void kz_embed_free(kz_embed *e) {
    kz_linear_free(&e->fc1);
    kz_linear_free(&e->fc2);
    *e = (kz_embed){0};
}

static void read_row(const kz_tensor *table, size_t i, float *row) {
    size_t n = table->shape[1];
    kz_to_f32(row, table->data + i * n * kz_dtype_size((kz_dtype)table->type), (kz_dtype)table->type, n);
}

/* Text rows are projected in blocks of this many. */
enum { TEXT_BLOCK = 64 };

kztts_status kz_embed_text(const kz_ctx *ctx, const kz_embed *e, const int32_t *ids, size_t n, float *rows,
                           kz_err *err) {
    size_t block = n < TEXT_BLOCK ? n : TEXT_BLOCK, size = block * e->d_text;
    float *in = kz_alloc(2 * size + 1, sizeof *in), *mid = in + size;
    if (!in)
        return kz_fail_memory(err, 2 * size * sizeof *in, "text rows");
    for (size_t i = 0; i < n; i += block) {
        size_t m = n - i < block ? n - i : block;
        for (size_t r = 0; r < m; r++)
            read_row(e->text, (size_t)ids[i + r], in + r * e->d_text);
        kz_linear_run(ctx, &e->fc1, mid, e->d_text, in, e->d_text, m, NULL);
        ctx->k->silu(mid, mid, m * e->d_text);
        kz_linear_run(ctx, &e->fc2, rows + i * e->d_model, e->d_model, mid, e->d_text, m, NULL);
    }
    kz_free(in);
    return KZTTS_OK;
}

void kz_embed_codec(const kz_embed *e, int32_t id, float *row) { read_row(e->codec, (size_t)id, row); }

void kz_embed_group(const kz_embed *e, size_t k, kz_code code, float *row) { read_row(e->group[k], (size_t)code, row); }

void kz_embed_frame(const kz_embed *e, const kz_code *codes, float *row, float *scratch) {
    kz_embed_codec(e, codes[0], row);
    for (size_t k = 1; k < e->n_code; k++) {
        kz_embed_group(e, k - 1, codes[k], scratch);
        for (size_t i = 0; i < e->d_model; i++)
            row[i] += scratch[i];
    }
}
