/* tensors.c: the files' tensors under a checkpoint's names.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "gguf/source.h"

enum { MAX_PAGES = KZ_MAX_CODE };

const kz_tensor *kz_gg_tensor_named(const kz_gg_source *s, const char *name) {
    for (size_t i = 0; i < s->n_tensor; i++)
        if (strcmp(s->tensors[i].name, name) == 0)
            return &s->tensors[i].t;
    return NULL;
}

/* ---- list -------------------------------------------------------------------------------------------------- */

static kztts_status add(kz_gg_source *s, const char *name, const kz_tensor *t) {
    if (s->n_tensor == s->cap) {
        size_t cap = s->cap ? 2 * s->cap : 1024;
        kz_gg_named *list = kz_alloc(cap, sizeof *list);
        if (!list)
            return kz_fail_memory(s->err, cap * sizeof *list, "the list of tensors");
        if (s->n_tensor)
            memcpy(list, s->tensors, s->n_tensor * sizeof *list);
        kz_free(s->tensors);
        s->tensors = list;
        s->cap = cap;
    }
    kz_gg_named *named = &s->tensors[s->n_tensor++];
    named->t = *t;
    (void)snprintf(named->name, sizeof named->name, "%s", name);
    return KZTTS_OK;
}

static kz_tensor view_of(const kz_gg_tensor *g) {
    kz_tensor t = {.type = g->type, .n_dim = g->n_dim, .n_elem = g->n_elem, .n_byte = g->n_byte, .data = g->data};
    memcpy(t.shape, g->shape, sizeof t.shape);
    return t;
}

/* Rows [begin, end) of the outermost dimension. */
static kz_tensor rows_of(const kz_tensor *t, size_t begin, size_t end) {
    kz_tensor part = *t;
    size_t row_bytes = t->n_byte / t->shape[0], row = t->n_elem / t->shape[0];
    part.shape[0] = end - begin;
    part.n_elem = (end - begin) * row;
    part.n_byte = (end - begin) * row_bytes;
    part.data = t->data + begin * row_bytes;
    return part;
}

/* A stack becomes its pages. */
static kztts_status add_pages(kz_gg_source *s, const kz_gg_file *f, const char *name, const kz_gg_tensor *g) {
    const char *page = strchr(name, '%');
    kz_tensor t = view_of(g);
    if (t.n_dim == 2) { /* a stack of one: its dimension of 1 isn't written */
        memmove(t.shape + 1, t.shape, 2 * sizeof *t.shape);
        t.shape[0] = 1;
        t.n_dim = 3;
    }
    if (t.n_dim != 3 || t.shape[0] > MAX_PAGES)
        return kz_fail(s->err, KZTTS_ERROR_FORMAT, "%s: tensor \"%s\": expected a stack of at most %d matrices",
                       f->label, kz_gg_show(g->name).s, MAX_PAGES);
    for (size_t i = 0; i < t.shape[0]; i++) {
        char full[2 * KZ_GG_NAME];
        kz_tensor part = rows_of(&t, i, i + 1);
        part.n_dim = 2;
        memmove(part.shape, part.shape + 1, 2 * sizeof *part.shape);
        (void)snprintf(full, sizeof full, "%.*s%zu%s", (int)(page - name), name, i, page + 1);
        KZ_TRY(add(s, full, &part));
    }
    return KZTTS_OK;
}

/* Layout D: text rows (projected already), then as many codec rows as the head has. */
static kztts_status add_token_rows(kz_gg_source *s, const kz_gg_file *f, const kz_gg_tensor *g) {
    size_t n_codec = 0;
    for (size_t i = 0; i < f->n_tensor; i++)
        if (kz_gg_is(f->tensors[i].name, "output.weight"))
            n_codec = f->tensors[i].shape[0];
    if (!n_codec || g->n_dim != 2 || g->shape[0] <= n_codec)
        return kz_fail(
            s->err, KZTTS_ERROR_FORMAT,
            "%s: tensor \"token_embd.weight\": expected text rows and behind them a row for each of the %zu of "
            "\"output.weight\", found %zu rows",
            f->label, n_codec, g->n_dim == 2 ? g->shape[0] : 0);
    kz_tensor all = view_of(g), text = rows_of(&all, 0, g->shape[0] - n_codec),
              codec = rows_of(&all, g->shape[0] - n_codec, g->shape[0]);
    s->n_text_token = text.shape[0];
    KZ_TRY(add(s, "talker.model.projected_text_embedding.weight", &text));
    return add(s, "talker.model.codec_embedding.weight", &codec);
}

static kztts_status add_tensor(kz_gg_source *s, const kz_gg_half *half, const kz_gg_file *f, const kz_gg_tensor *g) {
    char name[KZ_GG_NAME];
    if (!kz_gg_to_ours(name, half->names, g->name))
        return KZTTS_OK; /* what no stage uses */
    if (strchr(name, '%'))
        return add_pages(s, f, name, g);
    if (half->scheme == &kz_gg_d && kz_gg_is(g->name, "token_embd.weight"))
        return add_token_rows(s, f, g);
    kz_tensor t = view_of(g);
    return add(s, name, &t);
}

/* ---- codebooks --------------------------------------------------------------------------------------------- */

/* Where the name of a codebook's sum ends and that of its usage would go on, or NULL. */
static const char *sum_suffix(const char *name) {
    static const char *const suffix[] = {".embed_sum", ".embedding_sum"};
    size_t n = strlen(name);
    for (size_t i = 0; i < 2; i++) {
        size_t m = strlen(suffix[i]);
        if (n > m && strcmp(name + n - m, suffix[i]) == 0)
            return name + n - m;
    }
    return NULL;
}

/* A table without usage is divided already, and gets another name therefore. */
static void mark_divided(kz_gg_source *s) {
    for (size_t i = 0; i < s->n_tensor; i++) {
        char *name = s->tensors[i].name, usage[2 * KZ_GG_NAME];
        const char *suffix = sum_suffix(name);
        if (!suffix)
            continue;
        size_t n = (size_t)(suffix - name);
        (void)snprintf(usage, sizeof usage, "%.*s.cluster_usage", (int)n, name);
        if (!kz_gg_tensor_named(s, usage))
            (void)snprintf(name + n, KZ_GG_NAME - n, ".divided");
    }
}

/* ---- all --------------------------------------------------------------------------------------------------- */

/* Residual units 0 to 2 or 2 to 4: the first numbers can't be in the other way of counting. */
static bool counts_from_two(const kz_gg_half *half) {
    static const char begin[] = "tok_dec.dec.1.res.";
    enum { N = sizeof begin - 1 };
    for (size_t i = 0; i < half->n_file; i++)
        for (size_t k = 0; k < half->files[i].n_tensor; k++) {
            kz_gg_string name = half->files[i].tensors[k].name;
            if (name.n > N && !memcmp(name.s, begin, N) && (name.s[N] == '0' || name.s[N] == '1'))
                return false;
        }
    return true;
}

static void choose_names(kz_gg_half *half) {
    half->names = half->scheme->names;
    if ((half->scheme == &kz_gg_a_codec || half->scheme == &kz_gg_b_codec) && counts_from_two(half))
        half->names = kz_gg_raw_codec_names;
}

kztts_status kz_gg_map_tensors(kz_gg_source *s) {
    for (int h = 0; h < 2; h++) {
        kz_gg_half *half = &s->half[h];
        if (!half->scheme)
            continue;
        choose_names(half);
        for (size_t i = 0; i < half->n_file; i++)
            for (size_t k = 0; k < half->files[i].n_tensor; k++)
                KZ_TRY(add_tensor(s, half, &half->files[i], &half->files[i].tensors[k]));
    }
    mark_divided(s);
    return KZTTS_OK;
}
