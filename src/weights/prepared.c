/* prepared.c: reading prepared files, and telling of matrices while they are made.  SPDX-License-Identifier: Apache-2.0
 *
 * A prepared file is a safetensors file whose header begins in one fixed way, so that its checksum can be found before
 * anything else is believed. */
#include <stdio.h>
#include <string.h>

#include "hash/hash.h"
#include "weights/directory.h"
#include "weights/json.h"

enum { FILE_LIMIT = 16 << 20 }; /* of the texts: as the tokenizer takes */

static const char head_family[] = KZ_PREPARED_FAMILY, head[] = KZ_PREPARED_BEGIN;
enum { N_FAMILY = sizeof head_family - 1, N_BEGIN = sizeof head - 1 };

/* ---- opening ----------------------------------------------------------------------------------------------- */

kztts_status kz_prepared_header(const char *header, size_t n, const char *label, kz_err *err) {
    char digits[KZ_SUM_DIGITS], found[KZ_SUM_DIGITS + 1] = "";
    if (n < N_FAMILY || memcmp(header, head_family, N_FAMILY) != 0)
        return KZTTS_OK;
    if (n < N_BEGIN + KZ_SUM_DIGITS || memcmp(header, head, N_BEGIN) != 0)
        return kz_fail(err, KZTTS_ERROR_FORMAT,
                       "%s: a prepared file of another version than kztts/2; make it again from its source with kztts "
                       "convert, or take a newer kztts",
                       label);
    const char *behind = header + N_BEGIN + KZ_SUM_DIGITS;
    kz_sum_write(digits, kz_sum(behind, n - N_BEGIN - KZ_SUM_DIGITS));
    memcpy(found, header + N_BEGIN, KZ_SUM_DIGITS);
    if (memcmp(digits, found, KZ_SUM_DIGITS) != 0)
        return kz_fail(err, KZTTS_ERROR_FORMAT,
                       "%s: damaged: the header's checksum is %.16s, the file says %s; get it again, or make it again "
                       "from its source",
                       label, digits, kz_show(found).s);
    return KZTTS_OK;
}

bool kz_weights_prepared(const kz_weights *w) {
    const kz_shard *first = &w->shards[0];
    return first->file.size > 8 + N_BEGIN && memcmp(first->file.data + 8, head, N_BEGIN) == 0;
}

static kztts_status check_whole(const kz_weights *w, kz_err *err) {
    const char *label = w->shards[0].label, *sums = kz_weights_meta(w, "sums");
    if (!kz_weights_prepared(w))
        return kz_fail(err, KZTTS_ERROR_FORMAT,
                       "%s: no prepared file (those begin with \"format\": \"kztts/2\"); make one with kztts convert",
                       label);
    if (!sums || strlen(sums) != w->n_tensor * KZ_SUM_DIGITS)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: __metadata__: sums: expected %d digits for each of %zu tensors",
                       label, KZ_SUM_DIGITS, w->n_tensor);
    return KZTTS_OK;
}

kztts_status kz_prepared_open(kz_weights **out, const char *path, kz_err *err) {
    KZ_TRY(kz_weights_open_file(out, path, err));
    kz_file *file = &(*out)->shards[0].file;
    kz_advise_huge((void *)(uintptr_t)file->data, file->size); /* file systems with large folios can do it */
    kztts_status status = check_whole(*out, err);
    if (status < 0) {
        kz_weights_close(*out);
        *out = NULL;
    }
    return status;
}

bool kz_prepared_is(const char *path) {
    kz_file file;
    if (kz_file_is_dir(path) || kz_file_map(&file, path, NULL) < 0)
        return false;
    bool is = file.size > 8 + N_FAMILY && memcmp(file.data + 8, head_family, N_FAMILY) == 0;
    kz_file_unmap(&file);
    return is;
}

kztts_status kz_prepared_text(char **text, size_t *n, const kz_weights *w, const char *name, kz_err *err) {
    char full[96];
    *text = NULL;
    *n = 0;
    (void)snprintf(full, sizeof full, KZ_PREPARED_FILE "%s", name);
    const kz_tensor *t = kz_weights_find(w, full);
    if (!t)
        return KZTTS_OK;
    if (t->type != KZ_U8 || t->n_byte > FILE_LIMIT)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: \"%s\": expected at most %d bytes of U8, found %zu of %s",
                       kz_weights_shard_of(w, t)->label, full, FILE_LIMIT, t->n_byte, kz_type_name(t->type));
    if (!(*text = kz_alloc(t->n_byte + 1, 1)))
        return kz_fail_memory(err, t->n_byte, full);
    memcpy(*text, t->data, t->n_byte);
    *n = t->n_byte;
    return KZTTS_OK;
}

/* ---- checksums of the data --------------------------------------------------------------------------------- */

typedef struct sum_job {
    uint64_t *sum;
    const kz_tensor *tensors;
} sum_job;

static void sum_some(void *arg, size_t begin, size_t end, int worker) {
    const sum_job *job = arg;
    (void)worker;
    for (size_t i = begin; i < end; i++)
        job->sum[i] = kz_sum(job->tensors[i].data, job->tensors[i].n_byte);
}

/* In pieces, between which progress is told. */
kztts_status kz_sum_tensors(uint64_t *sum, const kz_tensor *tensors, size_t n, kz_pool *pool,
                            const kz_progress *progress) {
    enum { PIECE = 64 << 20 };
    uint64_t done = 0, total = 0;
    for (size_t i = 0; i < n; i++)
        total += tensors[i].n_byte;
    for (size_t i = 0, end = 0; i < n; i = end) {
        uint64_t piece = 0;
        for (; end < n && piece < PIECE; end++)
            piece += tensors[end].n_byte;
        kz_pool_run(pool, end - i, 1, sum_some, &(sum_job){sum + i, tensors + i});
        done += piece;
        if (!kz_progress_tell(progress, done, total))
            return KZTTS_END;
    }
    return KZTTS_OK;
}

bool kz_progress_tell(const kz_progress *progress, uint64_t done, uint64_t total) {
    return !progress || !progress->fn || progress->fn(progress->user, done, total);
}

kztts_status kz_prepared_check(const kz_weights *w, kz_pool *pool, const kz_progress *progress, kz_err *err) {
    const char *sums = kz_weights_meta(w, "sums");
    KZ_TRY(check_whole(w, err));
    uint64_t *sum = kz_alloc(w->n_tensor + 1, sizeof *sum);
    if (!sum)
        return kz_fail_memory(err, w->n_tensor * sizeof *sum, "checksums");
    kztts_status status = kz_sum_tensors(sum, w->tensors, w->n_tensor, pool, progress);
    for (size_t i = 0; i < w->n_tensor && status == KZTTS_OK; i++) {
        char digits[KZ_SUM_DIGITS];
        kz_sum_write(digits, sum[i]);
        if (memcmp(digits, sums + i * KZ_SUM_DIGITS, KZ_SUM_DIGITS) != 0)
            status = kz_fail(err, KZTTS_ERROR_FORMAT,
                             "%s: damaged: the data of \"%s\" have another checksum than the header says; get the file "
                             "again, or make it again from its source",
                             w->shards[0].label, kz_show(w->tensors[i].name).s);
    }
    kz_free(sum);
    return status;
}

/* ---- panels ------------------------------------------------------------------------------------------------ */

size_t kz_panels_bytes(kz_dtype type, size_t n_out, size_t n_in) {
    return (n_out + KZ_PANEL - 1) / KZ_PANEL * kz_panel_bytes(type, n_in);
}

bool kz_is_panels(const kz_tensor *t) { return strstr(t->name, ".panels.") != NULL; }

/* Floats are [panel, input, 16 outputs], which any program can read; others are bytes. */
kz_tensor kz_panels_tensor(const kz_panels *p) {
    size_t n_panel = (p->n_out + KZ_PANEL - 1) / KZ_PANEL, n_byte = kz_panels_bytes(p->type, p->n_out, p->n_in);
    bool is_float = p->type <= KZ_F16;
    size_t n_name = strlen(p->names[0]) + sizeof ".panels." + 8;
    char *name = kz_alloc(n_name, 1);
    kz_tensor t = {.name = name, .type = is_float ? (int)p->type : KZ_U8, .n_dim = is_float ? 3 : 2};
    if (name)
        (void)snprintf(name, n_name, "%s.panels.%s", p->names[0], kz_dtype_name(p->type));
    t.shape[0] = n_panel;
    t.shape[1] = is_float ? p->n_in : n_byte / n_panel;
    t.shape[2] = is_float ? KZ_PANEL : 0;
    t.n_byte = n_byte;
    t.n_elem = is_float ? n_panel * p->n_in * KZ_PANEL : n_byte;
    t.data = p->data;
    return t;
}

static bool fits(const kz_tensor *t, const kz_tensor *expected) {
    return t->type == expected->type && t->n_dim == expected->n_dim &&
           memcmp(t->shape, expected->shape, (size_t)t->n_dim * sizeof *t->shape) == 0 &&
           (uintptr_t)t->data % KZ_ALIGN == 0;
}

kztts_status kz_weights_panels(const kz_tensor **out, kz_dtype *type, const kz_weights *w, const char *name,
                               size_t n_out, size_t n_in, kz_err *err) {
    *out = NULL;
    if (!kz_weights_prepared(w))
        return KZTTS_OK;
    for (int i = 0; i < KZ_DTYPES; i++) {
        kz_tensor expected = kz_panels_tensor(
            &(kz_panels){.names = &name, .n_name = 1, .type = (kz_dtype)i, .n_out = n_out, .n_in = n_in});
        if (!expected.name)
            return kz_fail_memory(err, strlen(name), "a name");
        const kz_tensor *t = kz_weights_find(w, expected.name);
        kz_free((void *)(uintptr_t)expected.name);
        if (!t)
            continue;
        if (!fits(t, &expected))
            return kz_fail(err, KZTTS_ERROR_FORMAT,
                           "%s: \"%s\": expected shape %s of %s on a multiple of %d bytes, found %s of %s",
                           w->shards[0].label, kz_show(t->name).s, kz_shape_show(expected.n_dim, expected.shape).s,
                           kz_type_name(expected.type), KZ_ALIGN, kz_shape_show(t->n_dim, t->shape).s,
                           kz_type_name(t->type));
        *type = (kz_dtype)i;
        *out = t;
        return KZTTS_OK;
    }
    return KZTTS_OK;
}

bool kz_weights_have(const kz_weights *w, const char *name) {
    char full[256];
    if (kz_weights_find(w, name))
        return true;
    for (int i = 0; i < KZ_DTYPES && kz_weights_prepared(w); i++) {
        (void)snprintf(full, sizeof full, "%s.panels.%s", name, kz_dtype_name((kz_dtype)i));
        if (kz_weights_find(w, full))
            return true;
    }
    return false;
}

void kz_weights_watch(kz_weights *w, kz_panels_fn fn, void *user) {
    w->watch = fn;
    w->watch_user = user;
}

kztts_status kz_weights_tell(const kz_weights *w, const kz_panels *panels, kz_err *err) {
    return w->watch ? w->watch(w->watch_user, panels, err) : KZTTS_OK;
}
