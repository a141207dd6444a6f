/* weights.c: opening, finding and copying tensors.  SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "weights/directory.h"
#include "weights/json.h"
#include "weights/sort.h"

/* ---- opening ----------------------------------------------------------------------------------------------- */

kztts_status kz_weights_new(kz_weights **out, size_t n_shard, kz_err *err) {
    *out = NULL;
    kz_weights *w = kz_alloc(1, sizeof *w);
    if (!w)
        return kz_fail_memory(err, sizeof *w, "weights");
    w->shards = kz_alloc(n_shard, sizeof *w->shards);
    w->packed = kz_alloc(1, sizeof *w->packed);
    if (!w->shards || !w->packed) {
        kz_free(w->shards);
        kz_free(w->packed);
        kz_free(w);
        return kz_fail_memory(err, n_shard * sizeof *w->shards, "weights");
    }
    w->n_shard = n_shard;
    *out = w;
    return KZTTS_OK;
}

static kztts_status set_label(kz_shard *shard, const char *name, kz_err *err) {
    kz_shown shown = kz_show_path(name);
    shard->label = kz_strndup(shown.s, sizeof shown.s);
    return shard->label ? KZTTS_OK : kz_fail_memory(err, sizeof shown.s, "a file's name");
}

kztts_status kz_weights_map_shard(kz_weights *w, size_t i, const char *path, kz_err *err) {
    kz_shard *shard = &w->shards[i];
    KZ_TRY(set_label(shard, path, err));
    KZ_TRY(kz_file_map(&shard->file, path, err));
    shard->mapped = true;
    return kz_directory_read(shard, err);
}

static int by_name(const void *a, const void *b) {
    const kz_tensor *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static kztts_status check_names(const kz_weights *w, kz_err *err) {
    for (size_t i = 1; i < w->n_tensor; i++) {
        const kz_tensor *a = &w->tensors[i - 1], *b = &w->tensors[i];
        if (strcmp(a->name, b->name) != 0)
            continue;
        const char *file_a = kz_weights_shard_of(w, a)->label, *file_b = kz_weights_shard_of(w, b)->label;
        if (file_a == file_b)
            return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: tensor \"%s\" is there twice", file_a, kz_show(a->name).s);
        return kz_fail(err, KZTTS_ERROR_FORMAT, "tensor \"%s\" is in two files, %s and %s", kz_show(a->name).s, file_a,
                       file_b);
    }
    return KZTTS_OK;
}

/* The shards' lists become one, sorted by name. */
kztts_status kz_weights_merge(kz_weights *w, kz_err *err) {
    size_t n_tensor = 0;
    for (size_t i = 0; i < w->n_shard; i++) {
        n_tensor += w->shards[i].n_tensor; /* all are in memory already: no overflow */
        if (!kz_add(w->n_byte, w->shards[i].file.size, &w->n_byte))
            return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: the files together are too large", w->shards[i].label);
    }
    w->tensors = kz_alloc(n_tensor + 1, sizeof *w->tensors);
    if (!w->tensors)
        return kz_fail_memory(err, n_tensor * sizeof *w->tensors, "the list of tensors");
    for (size_t i = 0; i < w->n_shard; i++) {
        kz_shard *shard = &w->shards[i];
        if (shard->n_tensor)
            memcpy(w->tensors + w->n_tensor, shard->tensors, shard->n_tensor * sizeof *w->tensors);
        w->n_tensor += shard->n_tensor;
        kz_free(shard->tensors);
        shard->tensors = NULL;
    }
    kz_sort(w->tensors, w->n_tensor, sizeof *w->tensors, by_name);
    return check_names(w, err);
}

/* Ends an opening: on failure nothing is left. */
static kztts_status finish(kz_weights **out, kz_weights *w, kztts_status status) {
    if (status < 0) {
        kz_weights_close(w);
        w = NULL;
    }
    *out = w;
    return status;
}

static kztts_status map_single(kz_weights *w, const char *path, kz_err *err) {
    KZ_TRY(kz_weights_map_shard(w, 0, path, err));
    return kz_weights_merge(w, err);
}

kztts_status kz_weights_open_file(kz_weights **out, const char *path, kz_err *err) {
    kz_weights *w;
    *out = NULL;
    KZ_TRY(kz_weights_new(&w, 1, err));
    return finish(out, w, map_single(w, path, err));
}

static kztts_status use_memory(kz_weights *w, const void *data, size_t n, const char *label, kz_err *err) {
    KZ_TRY(set_label(&w->shards[0], label, err));
    w->shards[0].file = (kz_file){.data = data, .size = n};
    KZ_TRY(kz_directory_read(&w->shards[0], err));
    return kz_weights_merge(w, err);
}

kztts_status kz_weights_open_memory(kz_weights **out, const void *data, size_t n, const char *label, kz_err *err) {
    kz_weights *w;
    *out = NULL;
    KZ_TRY(kz_weights_new(&w, 1, err));
    return finish(out, w, use_memory(w, data, n, label, err));
}

kztts_status kz_weights_open_dir(kz_weights **out, const char *dir, kz_err *err) {
    kztts_status status;
    *out = NULL;
    char *single = kz_path_join(dir, "model.safetensors"), *index = kz_path_join(dir, "model.safetensors.index.json");
    if (!single || !index)
        status = kz_fail_memory(err, strlen(dir), "a path");
    else if (kz_file_exists(single))
        status = kz_weights_open_file(out, single, err);
    else if (kz_file_exists(index))
        status = kz_shards_open(out, dir, index, err);
    else
        status =
            kz_fail(err, KZTTS_ERROR_NOT_FOUND,
                    "%s: neither model.safetensors nor model.safetensors.index.json is there", kz_show_path(dir).s);
    kz_free(single);
    kz_free(index);
    return status;
}

void kz_weights_close(kz_weights *w) {
    if (!w)
        return;
    for (size_t i = 0; i < w->n_shard; i++) {
        kz_shard *shard = &w->shards[i];
        kz_free(shard->meta);
        kz_free(shard->tensors);
        kz_free(shard->strings);
        if (shard->mapped)
            kz_file_unmap(&shard->file);
        kz_free(shard->label);
    }
    kz_free(w->tensors);
    kz_free(w->shards);
    kz_slab_close(w->packed);
    kz_free(w->packed);
    if (w->adopted.release)
        w->adopted.release(w->adopted.owner);
    kz_free(w);
}

void *kz_weights_room(const kz_weights *w, size_t n_byte) { return kz_slab_take(w->packed, n_byte); }

/* ---- looking up -------------------------------------------------------------------------------------------- */

size_t kz_weights_count(const kz_weights *w) { return w->n_tensor; }
const kz_tensor *kz_weights_at(const kz_weights *w, size_t i) { return &w->tensors[i]; }
size_t kz_weights_bytes(const kz_weights *w) { return w->n_byte; }

const kz_tensor *kz_weights_find(const kz_weights *w, const char *name) {
    size_t low = 0, high = w->n_tensor;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int order = strcmp(name, w->tensors[mid].name);
        if (order == 0)
            return &w->tensors[mid];
        if (order < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return NULL;
}

const char *kz_weights_meta(const kz_weights *w, const char *key) {
    const kz_shard *first = &w->shards[0];
    for (size_t i = 0; i < first->n_meta; i++)
        if (strcmp(first->meta[i].key, key) == 0)
            return first->meta[i].value;
    return NULL;
}

bool kz_weights_meta_at(const kz_weights *w, size_t i, const char **key, const char **value) {
    const kz_shard *first = &w->shards[0];
    if (i >= first->n_meta)
        return false;
    *key = first->meta[i].key;
    *value = first->meta[i].value;
    return true;
}

/* By the place of the data, compared as numbers: the shards are different arrays. Data always lie behind a header, so
 * the end of one mapping (an empty tensor may be there) is told from the beginning of the next. */
const kz_shard *kz_weights_shard_of(const kz_weights *w, const kz_tensor *tensor) {
    uintptr_t p = (uintptr_t)tensor->data;
    for (size_t i = 0; i < w->n_shard; i++) {
        uintptr_t begin = (uintptr_t)w->shards[i].file.data;
        if (p > begin && p - begin <= w->shards[i].file.size)
            return &w->shards[i];
    }
    return &w->shards[0];
}

/* The next size that isn't 1 from i on, or n_dim. */
static int next_size(int n_dim, const size_t *shape, int i) {
    while (i < n_dim && shape[i] == 1)
        i++;
    return i;
}

static bool same_but_ones(const kz_tensor *t, int n_dim, const size_t *shape) {
    int i = next_size(t->n_dim, t->shape, 0), k = next_size(n_dim, shape, 0);
    while (i < t->n_dim && k < n_dim && t->shape[i] == shape[k]) {
        i = next_size(t->n_dim, t->shape, i + 1);
        k = next_size(n_dim, shape, k + 1);
    }
    return i == t->n_dim && k == n_dim;
}

static bool same_shape(const kz_tensor *t, int n_dim, const size_t *shape) {
    if (t->loose)
        return same_but_ones(t, n_dim, shape);
    if (t->n_dim != n_dim)
        return false;
    for (int i = 0; i < n_dim; i++)
        if (t->shape[i] != shape[i])
            return false;
    return true;
}

/* "tensor "name"", as the file calls it. */
static kz_shown show_tensor(const kz_weights *w, const char *name) {
    kz_shown shown;
    if (w->adopted.name_in_file)
        w->adopted.name_in_file(w->adopted.owner, kz_show(name).s, shown.s, sizeof shown.s);
    else
        (void)snprintf(shown.s, sizeof shown.s, "tensor \"%.100s\"", kz_show(name).s);
    return shown;
}

static kztts_status get(const kz_tensor **out, const kz_weights *w, const char *name, int n_dim, const size_t *shape,
                        bool stored, kz_err *err) {
    const kz_tensor *t = kz_weights_find(w, name);
    *out = NULL;
    if (!t)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: %s is missing; expected shape %s", w->shards[0].label,
                       show_tensor(w, name).s, kz_shape_show(n_dim, shape).s);
    bool plain = t->type == KZ_F32 || t->type == KZ_BF16 || t->type == KZ_F16;
    bool blocks = kz_is_block(t->type) || t->type == KZ_Q8 || t->type == KZ_Q4 || t->type == KZ_Q4_0;
    if (!(plain || (stored && blocks)) || !same_shape(t, n_dim, shape))
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: %s: expected shape %s of F32, BF16 or F16%s, found %s of %s",
                       kz_weights_shard_of(w, t)->label, show_tensor(w, name).s, kz_shape_show(n_dim, shape).s,
                       w->adopted.release && stored ? ", or quantised" : "", kz_shape_show(t->n_dim, t->shape).s,
                       kz_type_name(t->type));
    *out = t;
    return KZTTS_OK;
}

kztts_status kz_weights_get(const kz_tensor **out, const kz_weights *w, const char *name, int n_dim,
                            const size_t *shape, kz_err *err) {
    return get(out, w, name, n_dim, shape, false, err);
}

kztts_status kz_weights_get_stored(const kz_tensor **out, const kz_weights *w, const char *name, int n_dim,
                                   const size_t *shape, kz_err *err) {
    return get(out, w, name, n_dim, shape, true, err);
}

kztts_status kz_weights_copy(float **out, const kz_weights *w, const char *name, int n_dim, const size_t *shape,
                             kz_err *err) {
    const kz_tensor *t;
    *out = NULL;
    KZ_TRY(kz_weights_get_stored(&t, w, name, n_dim, shape, err));
    float *copy = t->n_elem < SIZE_MAX ? kz_alloc(t->n_elem + 1, sizeof *copy) : NULL;
    if (!copy)
        return kz_fail_memory(err, t->n_elem, kz_show(name).s);
    kz_stored_to_f32(copy, t->data, t->type, t->n_elem);
    for (size_t i = 0; i < t->n_elem; i++) {
        if (!isfinite(copy[i])) {
            kz_fail(err, KZTTS_ERROR_FORMAT, "%s: %s: value %zu is not a finite number",
                    kz_weights_shard_of(w, t)->label, show_tensor(w, name).s, i);
            kz_free(copy);
            return KZTTS_ERROR_FORMAT;
        }
    }
    *out = copy;
    return KZTTS_OK;
}
