/* prepare.c: writing prepared files.  SPDX-License-Identifier: Apache-2.0
 *
 * Header first: it holds a checksum of every tensor, so all data are read twice, from memory or from a mapping. */
#include <stdio.h>
#include <string.h>

#include "hash/hash.h"
#include "weights/directory.h"
#include "weights/json.h"
#include "weights/sort.h"

enum { PAGE = 4096 };

static const unsigned char zeros[KZ_ALIGN] = {0};

/* The tensors with what fills gaps before panels, in the order of the file. */
typedef struct layout {
    kz_tensor *tensors; /* data NULL: a gap's zeros */
    size_t n, n_pad, n_byte;
    char (*pad_names)[24];
} layout;

static void layout_free(layout *l) {
    kz_free(l->tensors);
    kz_free(l->pad_names);
}

static void add_gap(layout *l, size_t n) {
    char *name = l->pad_names[l->n_pad];
    (void)snprintf(name, sizeof l->pad_names[0], "pad.%zu", l->n_pad++);
    l->tensors[l->n++] =
        (kz_tensor){.name = name, .type = KZ_U8, .n_dim = 1, .shape = {n}, .n_elem = n, .n_byte = n, .data = zeros};
    l->n_byte += n;
}

static kztts_status layout_make(layout *l, const kz_prepared *p, kz_err *err) {
    *l = (layout){.tensors = kz_alloc(2 * p->n_tensor + 1, sizeof *l->tensors),
                  .pad_names = kz_alloc(p->n_tensor + 1, sizeof *l->pad_names)};
    if (!l->tensors || !l->pad_names)
        return kz_fail_memory(err, 2 * p->n_tensor * sizeof *l->tensors, "the list of tensors");
    for (size_t i = 0; i < p->n_tensor; i++) {
        const kz_tensor *t = &p->tensors[i];
        size_t over = l->n_byte % KZ_ALIGN;
        if (kz_is_panels(t) && over)
            add_gap(l, KZ_ALIGN - over);
        l->tensors[l->n++] = *t;
        l->n_byte += t->n_byte;
    }
    return KZTTS_OK;
}

/* ---- header ------------------------------------------------------------------------------------------------ */

static int by_name(const void *a, const void *b) {
    const kz_tensor *x = a, *y = b;
    return strcmp(x->name, y->name);
}

/* The checksums of all tensors in the order of their names, in fresh memory. */
static kztts_status make_sums(char **out, const layout *l, kz_pool *pool, const kz_progress *progress, kz_err *err) {
    kz_tensor *sorted = kz_alloc(l->n + 1, sizeof *sorted);
    uint64_t *sum = kz_alloc(l->n + 1, sizeof *sum);
    char *digits = kz_alloc(l->n + 1, KZ_SUM_DIGITS);
    kztts_status status = KZTTS_OK;
    if (!sorted || !sum || !digits) {
        status = kz_fail_memory(err, l->n * sizeof *sorted, "checksums");
    } else {
        memcpy(sorted, l->tensors, l->n * sizeof *sorted);
        kz_sort(sorted, l->n, sizeof *sorted, by_name);
        status = kz_sum_tensors(sum, sorted, l->n, pool, progress);
        for (size_t i = 0; i < l->n && status == KZTTS_OK; i++)
            kz_sum_write(digits + i * KZ_SUM_DIGITS, sum[i]);
    }
    kz_free(sum);
    kz_free(sorted);
    if (status != KZTTS_OK) {
        kz_free(digits);
        digits = NULL;
    }
    *out = digits;
    return status;
}

static bool add_meta(cJSON *header, const kz_prepared *p, const char *sums) {
    cJSON *meta = cJSON_AddObjectToObject(header, "__metadata__");
    bool ok = cJSON_AddStringToObject(meta, "format", "kztts/2") &&
              cJSON_AddStringToObject(meta, "header_sum", "0000000000000000");
    for (size_t i = 0; i < p->n_meta && ok; i++)
        ok = cJSON_AddStringToObject(meta, p->meta[i].key, p->meta[i].value) != NULL;
    return ok && cJSON_AddStringToObject(meta, "sums", sums);
}

static bool add_numbers(cJSON *entry, const char *key, const size_t *values, int n) {
    cJSON *list = cJSON_AddArrayToObject(entry, key);
    for (int i = 0; i < n; i++) {
        cJSON *number = cJSON_CreateNumber((double)values[i]);
        if (!cJSON_AddItemToArray(list, number)) {
            cJSON_Delete(number);
            return false;
        }
    }
    return list != NULL;
}

static bool add_tensor(cJSON *header, const kz_tensor *t, size_t at) {
    cJSON *entry = cJSON_AddObjectToObject(header, t->name);
    return cJSON_AddStringToObject(entry, "dtype", kz_type_name(t->type)) &&
           add_numbers(entry, "shape", t->shape, t->n_dim) &&
           add_numbers(entry, "data_offsets", (const size_t[]){at, at + t->n_byte}, 2);
}

/* The header's text, or NULL. */
static char *print_header(const layout *l, const kz_prepared *p, const char *sums) {
    cJSON *header = cJSON_CreateObject();
    bool ok = add_meta(header, p, sums);
    size_t at = 0;
    for (size_t i = 0; i < l->n && ok; i++) {
        ok = add_tensor(header, &l->tensors[i], at);
        at += l->tensors[i].n_byte;
    }
    char *text = ok ? cJSON_PrintUnformatted(header) : NULL;
    cJSON_Delete(header);
    return text;
}

/* Length and text, with blanks behind so that the data begin on a page; fresh memory. */
static kztts_status make_header(char **out, size_t *n_out, const layout *l, const kz_prepared *p, const char *sums,
                                kz_err *err) {
    char *text = print_header(l, p, sums);
    size_t n_text = text ? strlen(text) : 0, n = (8 + n_text + PAGE - 1) / PAGE * PAGE, n_begin;
    char *header = text ? kz_alloc(n, 1) : NULL;
    if (header) {
        for (int i = 0; i < 8; i++)
            header[i] = (char)(unsigned char)((uint64_t)(n - 8) >> (8 * i));
        memcpy(header + 8, text, n_text);
        memset(header + 8 + n_text, ' ', n - 8 - n_text);
        n_begin = 8 + sizeof KZ_PREPARED_BEGIN - 1;
        kz_sum_write(header + n_begin, kz_sum(header + n_begin + KZ_SUM_DIGITS, n - n_begin - KZ_SUM_DIGITS));
    }
    cJSON_free(text);
    *out = header;
    *n_out = n;
    return header ? KZTTS_OK : kz_fail_memory(err, n, "a header");
}

/* ---- file -------------------------------------------------------------------------------------------------- */

static kztts_status put_tensor(kz_writer *w, const kz_tensor *t, uint64_t *done, uint64_t total,
                               const kz_progress *progress, kz_err *err) {
    enum { PIECE = 16 << 20 };
    for (size_t at = 0, n = 0; at < t->n_byte; at += n) {
        n = t->n_byte - at < PIECE ? t->n_byte - at : PIECE;
        KZ_TRY(kz_writer_put(w, t->data + at, n, err));
        *done += n;
        if (!kz_progress_tell(progress, *done, total))
            return KZTTS_END;
    }
    return KZTTS_OK;
}

static kztts_status write_file(const char *path, const char *header, size_t n_header, const layout *l, bool overwrite,
                               const kz_progress *progress, kz_err *err) {
    kz_writer *w;
    uint64_t done = 0;
    KZ_TRY(kz_writer_open(&w, path, n_header + l->n_byte, overwrite, err));
    kztts_status status = kz_writer_put(w, header, n_header, err);
    for (size_t i = 0; i < l->n && status == KZTTS_OK; i++)
        status = put_tensor(w, &l->tensors[i], &done, l->n_byte, progress, err);
    if (status == KZTTS_OK)
        return kz_writer_close(w, true, err);
    (void)kz_writer_close(w, false, NULL);
    return status;
}

static kztts_status write_layout(const char *path, const layout *l, const kz_prepared *p, bool overwrite, kz_pool *pool,
                                 const kz_progress *progress, kz_err *err) {
    char *sums, *header;
    size_t n_header;
    kztts_status status = make_sums(&sums, l, pool, progress, err);
    if (status != KZTTS_OK)
        return status;
    status = make_header(&header, &n_header, l, p, sums, err);
    kz_free(sums);
    if (status == KZTTS_OK)
        status = write_file(path, header, n_header, l, overwrite, progress, err);
    kz_free(header);
    return status;
}

kztts_status kz_prepared_write(const char *path, const kz_prepared *p, bool overwrite, kz_pool *pool,
                               const kz_progress *progress, kz_err *err) {
    layout l;
    kztts_status status = layout_make(&l, p, err);
    if (status == KZTTS_OK)
        status = write_layout(path, &l, p, overwrite, pool, progress, err);
    layout_free(&l);
    return status;
}
