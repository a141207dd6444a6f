/* write_tensors.c: tensors of a checkpoint as those of layout A.  SPDX-License-Identifier: Apache-2.0
 *
 * What engines of this layout never have in less than 32 bits (vectors, codebooks and their projections, the speaker
 * encoder's last layer) is widened; codebooks are divided by their usage. Everything else stays as it is stored, or
 * becomes blocks where that was asked for. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gguf/write.h"
#include "kernels/quant.h"

enum { ROWS_AT_ONCE = 64 };

/* ---- which ------------------------------------------------------------------------------------------------- */

static bool begins(const char *s, const char *begin) { return strncmp(s, begin, strlen(begin)) == 0; }

static bool ends(const char *s, const char *end) {
    size_t n = strlen(s), m = strlen(end);
    return n >= m && strcmp(s + n - m, end) == 0;
}

static bool is_block_type(int type) { return kz_is_block(type) || type == KZ_Q8 || type == KZ_Q4 || type == KZ_Q4_0; }

/* The matrices that --quant is about. */
static bool may_quantize(const char *ours, kz_quant *quant, const kz_gguf_contents *c) {
    bool predictor = begins(ours, "talker.code_predictor.");
    *quant = predictor ? c->predictor : c->talker;
    return begins(ours, "talker.") && (ends(ours, "_proj.weight") || ends(ours, "codec_head.weight") ||
                                       ends(ours, "small_to_mtp_projection.weight") || strstr(ours, ".lm_head."));
}

static int type_to_write(const kz_gguf_contents *c, const kz_tensor *t, const char *name) {
    static const int types[] = {[KZ_QUANT_Q8] = KZ_Q8, [KZ_QUANT_Q4] = KZ_Q4, [KZ_QUANT_Q4_0] = KZ_Q4_0};
    kz_quant quant;
    if (t->n_dim < 2 || strstr(name, ".vq_") || strcmp(name, "spk_enc.fc.weight") == 0)
        return KZ_F32;
    if (!is_block_type(t->type) && t->shape[t->n_dim - 1] % KZ_BLOCK == 0 && may_quantize(t->name, &quant, c) &&
        (quant == KZ_QUANT_Q8 || quant == KZ_QUANT_Q4 || quant == KZ_QUANT_Q4_0))
        return types[quant];
    return t->type;
}

/* Acoustic codebooks beyond those that are used. */
static bool left_out(const char *name, size_t n_code) {
    static const char begin[] = "tok_enc.vq_acoustic.";
    const char *digits = name + sizeof begin - 1;
    if (!begins(name, begin) || *digits < '0' || *digits > '9')
        return false;
    size_t i = 0;
    for (; *digits >= '0' && *digits <= '9' && i < 1000; digits++)
        i = 10 * i + (size_t)(*digits - '0');
    return i + 1 >= n_code;
}

/* A codebook's usage isn't written: it is divided by it. */
static bool find_usage(const kz_weights *w, const kz_tensor *t, const kz_tensor **usage, kz_err *err) {
    char name[KZ_GG_NAME];
    const char *dot = strrchr(t->name, '.');
    *usage = NULL;
    if (!ends(t->name, ".embed_sum") && !ends(t->name, ".embedding_sum"))
        return true;
    (void)snprintf(name, sizeof name, "%.*s.cluster_usage", (int)(dot - t->name), t->name);
    size_t rows = t->shape[0];
    return t->n_dim == 2 && kz_weights_get(usage, w, name, 1, &rows, err) >= 0;
}

/* The checkpoint's name of what may be called otherwise where it was read. */
static void plain_name(char out[KZ_GG_NAME], const char *ours) {
    size_t n = strlen(ours) - strlen(".divided");
    bool encoder = begins(ours, "encoder.");
    (void)snprintf(out, KZ_GG_NAME, "%s", ours);
    if (ends(ours, ".divided"))
        (void)snprintf(out + n, KZ_GG_NAME - n, encoder ? ".embed_sum" : ".embedding_sum");
}

static kztts_status collect_one(kz_gg_items *items, const kz_gguf_contents *c, const kz_weights *w, const kz_tensor *t,
                                const kz_gg_name *names, size_t n_code, kz_err *err) {
    kz_gg_item *item = &items->item[items->n];
    char ours[KZ_GG_NAME];
    plain_name(ours, t->name);
    if (ends(ours, ".cluster_usage") || !kz_gg_to_file(item->name, names, ours) || left_out(item->name, n_code))
        return KZTTS_OK;
    if (t->type == KZ_I64 || t->type == KZ_I32 || t->type == KZ_U8 || t->type == KZ_OTHER)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "tensor \"%s\": %s isn't a type of weights", kz_show(t->name).s,
                       kz_type_name(t->type));
    if (!find_usage(w, t, &item->usage, err))
        return KZTTS_ERROR_FORMAT;
    item->t = t;
    item->type = type_to_write(c, t, item->name);
    item->n_byte = kz_stored_bytes(item->type, t->n_elem);
    items->n++;
    return KZTTS_OK;
}

static bool of_codec(const char *name) { return begins(name, "decoder.") || begins(name, "encoder."); }

kztts_status kz_gg_collect(kz_gg_items *items, const kz_gguf_contents *c, bool codec, size_t n_code, kz_err *err) {
    const kz_weights *w = codec ? c->codec : c->weights;
    const kz_gg_name *names = codec ? kz_gg_a_codec.names : kz_gg_a.names;
    *items = (kz_gg_items){.item = kz_alloc(kz_weights_count(w) + 1, sizeof *items->item)};
    if (!items->item)
        return kz_fail_memory(err, kz_weights_count(w) * sizeof *items->item, "the list of tensors");
    for (size_t i = 0; i < kz_weights_count(w); i++) {
        const kz_tensor *t = kz_weights_at(w, i);
        if (ends(t->name, ".exp_alpha") || strstr(t->name, "projected_text_embedding"))
            return kz_fail(
                err, KZTTS_ERROR_FORMAT,
                "the source is in layout D, whose text table and snake parameters can't be turned back; convert "
                "the released checkpoint");
        if (of_codec(t->name) == codec)
            KZ_TRY(collect_one(items, c, w, t, names, n_code, err));
    }
    return items->n ? KZTTS_OK : kz_fail(err, KZTTS_ERROR_FORMAT, "the source holds no tensor of a checkpoint");
}

/* ---- data -------------------------------------------------------------------------------------------------- */

typedef struct job {
    const kz_gg_item *item;
    size_t row, first; /* numbers a row; the block's first row */
    float *values;     /* [ROWS_AT_ONCE, row] */
    float *usage;      /* of all rows, or NULL */
    unsigned char *out;
    bool *bad; /* a flag a worker */
} job;

static bool quantize(unsigned char *out, const float *x, int type) {
    if (type == KZ_Q8)
        return kz_quantize_q8((kz_q8_block *)(void *)out, x);
    return type == KZ_Q4 ? kz_quantize_q4((kz_q4_block *)(void *)out, x)
                         : kz_quantize_q4_0((kz_q4_block *)(void *)out, x);
}

static void make_rows(void *arg, size_t begin, size_t end, int worker) {
    const job *j = arg;
    const kz_tensor *t = j->item->t;
    for (size_t r = begin; r < end; r++) {
        float *x = j->values + r * j->row;
        unsigned char *out = j->out + r * kz_stored_bytes(j->item->type, j->row);
        kz_stored_to_f32(x, t->data + kz_stored_bytes(t->type, (j->first + r) * j->row), t->type, j->row);
        if (j->usage)
            for (size_t k = 0; k < j->row; k++)
                x[k] /= fmaxf(j->usage[j->first + r], 1e-5F);
        if (j->item->type == KZ_F32) {
            memcpy(out, x, j->row * sizeof *x);
            continue;
        }
        for (size_t k = 0; k < j->row; k += KZ_BLOCK)
            if (!quantize(out + kz_stored_bytes(j->item->type, k), x + k, j->item->type))
                j->bad[worker] = true;
    }
}

static kztts_status write_made(kz_writer *w, job *j, kz_pool *pool, kz_err *err) {
    const kz_tensor *t = j->item->t;
    bool bad[256] = {false};
    size_t n_row = t->n_elem / j->row;
    j->bad = bad;
    for (size_t n; j->first < n_row; j->first += n) {
        n = n_row - j->first < ROWS_AT_ONCE ? n_row - j->first : ROWS_AT_ONCE;
        kz_pool_run(pool, n, 4, make_rows, j);
        KZ_TRY(kz_writer_put(w, j->out, n * kz_stored_bytes(j->item->type, j->row), err));
    }
    for (int i = 0; i < kz_pool_threads(pool); i++)
        if (bad[i])
            return kz_fail(err, KZTTS_ERROR_FORMAT,
                           "tensor %s holds a value that is not a finite number; the file is damaged", t->name);
    return KZTTS_OK;
}

static kztts_status write_turned(kz_writer *w, const kz_gg_item *item, kz_pool *pool, kz_err *err) {
    const kz_tensor *t = item->t;
    job j = {.item = item, .row = t->n_dim < 2 ? t->n_elem : t->shape[t->n_dim - 1]};
    if (t->n_dim >= 2 && j.row < KZ_BLOCK) /* kernels of convolutions are short rows */
        j.row = t->n_elem / t->shape[0];
    kztts_status status = KZTTS_OK;
    j.values = kz_alloc(ROWS_AT_ONCE, j.row * sizeof *j.values);
    j.out = kz_alloc(ROWS_AT_ONCE, kz_stored_bytes(item->type, j.row));
    if (item->usage && !(j.usage = kz_alloc(item->usage->n_elem + 1, sizeof *j.usage)))
        status = KZTTS_ERROR_MEMORY;
    if (!j.values || !j.out || status < 0)
        status = kz_fail_memory(err, ROWS_AT_ONCE * j.row * sizeof *j.values, t->name);
    else if (item->usage)
        kz_stored_to_f32(j.usage, item->usage->data, item->usage->type, item->usage->n_elem);
    if (status >= 0)
        status = write_made(w, &j, pool, err);
    kz_free(j.values);
    kz_free(j.out);
    kz_free(j.usage);
    return status;
}

kztts_status kz_gg_write_items(kz_writer *w, const kz_gg_items *items, const kz_gguf_contents *c, uint64_t *done,
                               uint64_t total, kz_err *err) {
    static const char zeros[KZ_GG_ALIGNMENT];
    for (size_t i = 0; i < items->n; i++) {
        const kz_gg_item *item = &items->item[i];
        if (item->type == item->t->type && !item->usage)
            KZ_TRY(kz_writer_put(w, item->t->data, item->t->n_byte, err));
        else
            KZ_TRY(write_turned(w, item, c->pool, err));
        KZ_TRY(kz_writer_put(w, zeros, (size_t)(-item->n_byte % KZ_GG_ALIGNMENT), err));
        kz_file_drop(item->t->data, item->t->n_byte);
        *done += item->n_byte;
        if (c->progress && !c->progress(c->progress_user, *done, total))
            return KZTTS_END;
    }
    return KZTTS_OK;
}
