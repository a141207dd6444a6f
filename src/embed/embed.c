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

/* Rows of blocks must be whole, so that each can be read alone. */
static kztts_status get_table(const kz_tensor **out, const kz_weights *w, const char *name, size_t n_row, size_t n_col,
                              kz_err *err) {
    KZ_TRY(kz_weights_get_stored(out, w, name, 2, (size_t[]){n_row, n_col}, err));
    if (n_col % kz_stored_group((*out)->type))
        return kz_fail(err, KZTTS_ERROR_FORMAT, "tensor %s: rows of %zu aren't whole blocks of %zu", name, n_col,
                       kz_stored_group((*out)->type));
    return KZTTS_OK;
}

static kztts_status load_tables(kz_embed *e, const kz_weights *w, kz_err *err) {
    static const char plain[] = "talker.model.text_embedding.weight",
                      projected[] = "talker.model.projected_text_embedding.weight";
    e->projected = kz_weights_find(w, projected) != NULL;
    if (e->projected && e->d_text != e->d_model)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "tensor %s: rows of %zu, the talker's are %zu wide", projected,
                       e->d_text, e->d_model);
    KZ_TRY(get_table(&e->text, w, e->projected ? projected : plain, e->text_vocab, e->d_text, err));
    KZ_TRY(get_table(&e->codec, w, "talker.model.codec_embedding.weight", e->vocab, e->d_model, err));
    for (size_t k = 0; k + 1 < e->n_code; k++) {
        kz_name name = kz_namef("talker.code_predictor.model.codec_embedding.%zu.weight", k);
        KZ_TRY(get_table(&e->group[k], w, name.s, e->sub_vocab, e->d_model, err));
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
    if (status >= 0 && !e->projected)
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

static void read_row(const kz_tensor *table, size_t n, size_t i, float *row) {
    kz_stored_to_f32(row, table->data + i * kz_stored_bytes(table->type, n), table->type, n);
}

static void read_text(const kz_embed *e, const int32_t *ids, size_t n, float *rows) {
    for (size_t r = 0; r < n; r++)
        read_row(e->text, e->d_text, (size_t)ids[r], rows + r * e->d_text);
}

/* Text rows are projected in blocks of this many. */
enum { TEXT_BLOCK = 64 };

kztts_status kz_embed_text(const kz_ctx *ctx, const kz_embed *e, const int32_t *ids, size_t n, float *rows,
                           kz_err *err) {
    size_t block = n < TEXT_BLOCK ? n : TEXT_BLOCK, size = block * e->d_text;
    if (e->projected) {
        read_text(e, ids, n, rows);
        return KZTTS_OK;
    }
    float *in = kz_alloc(2 * size + 1, sizeof *in), *mid = in + size;
    if (!in)
        return kz_fail_memory(err, 2 * size * sizeof *in, "text rows");
    for (size_t i = 0; i < n; i += block) {
        size_t m = n - i < block ? n - i : block;
        read_text(e, ids + i, m, in);
        kz_linear_run(ctx, &e->fc1, mid, e->d_text, in, e->d_text, m, NULL);
        ctx->k->silu(mid, mid, m * e->d_text);
        kz_linear_run(ctx, &e->fc2, rows + i * e->d_model, e->d_model, mid, e->d_text, m, NULL);
    }
    kz_free(in);
    return KZTTS_OK;
}

void kz_embed_codec(const kz_embed *e, int32_t id, float *row) { read_row(e->codec, e->d_model, (size_t)id, row); }

void kz_embed_group(const kz_embed *e, size_t k, kz_code code, float *row) {
    read_row(e->group[k], e->d_model, (size_t)code, row);
}

void kz_embed_frame(const kz_embed *e, const kz_code *codes, float *row, float *scratch) {
    kz_embed_codec(e, codes[0], row);
    for (size_t k = 1; k < e->n_code; k++) {
        kz_embed_group(e, k - 1, codes[k], scratch);
        for (size_t i = 0; i < e->d_model; i++)
            row[i] += scratch[i];
    }
}
