/* container.c: reads the header of a GGUF file.  SPDX-License-Identifier: Apache-2.0
 *
 * Little endian: "GGUF", version, number of tensors, number of keys; keys with their values; names, shapes, types and
 * offsets of the tensors; then, aligned, their data. */
#include "gguf/container.h"

#include <string.h>

#include "weights/sort.h"

enum {
    MAX_KEY = 65535,
    MAX_NAME = 255,
    MAX_VALUES = 1 << 16,
    MAX_TENSORS = 1 << 16,
    MAX_ALIGNMENT = 1 << 20,
    ALIGNMENT = 32, /* where no key says another */
    MAX_GGML_DIM = 4
};

typedef struct reader {
    const kz_gg_file *f;
    size_t at;
    kz_err *err;
} reader;

/* ---- bytes ------------------------------------------------------------------------------------------------- */

static kztts_status truncated(const reader *r, const char *what) {
    return kz_fail(r->err, KZTTS_ERROR_FORMAT, "%s: truncated: the file ends at byte %zu, inside %s", r->f->label,
                   r->f->file.size, what);
}

static bool take(reader *r, uint64_t n, const unsigned char **out) {
    *out = r->f->file.data + r->at;
    if (n > r->f->file.size - r->at)
        return false;
    r->at += (size_t)n;
    return true;
}

static kztts_status number(reader *r, size_t n_byte, const char *what, uint64_t *out) {
    const unsigned char *p;
    *out = 0;
    if (!take(r, n_byte, &p))
        return truncated(r, what);
    *out = kz_little(p, n_byte);
    return KZTTS_OK;
}

/* A string of 1 to `most` bytes without control characters. */
static kztts_status name(reader *r, size_t most, const char *what, kz_gg_string *out) {
    uint64_t n;
    const unsigned char *p;
    KZ_TRY(number(r, 8, what, &n));
    if (n < 1 || n > most)
        return kz_fail(r->err, KZTTS_ERROR_FORMAT, "%s: %s at byte %zu: a length of %llu, expected 1 to %zu",
                       r->f->label, what, r->at - 8, (unsigned long long)n, most);
    if (!take(r, n, &p))
        return truncated(r, what);
    *out = (kz_gg_string){(const char *)p, (size_t)n};
    for (size_t i = 0; i < n; i++)
        if (p[i] < 0x20 || p[i] == 0x7F)
            return kz_fail(r->err, KZTTS_ERROR_FORMAT, "%s: %s \"%s\" holds a control character", r->f->label, what,
                           kz_gg_show(*out).s);
    return KZTTS_OK;
}

/* ---- keys -------------------------------------------------------------------------------------------------- */

static const size_t type_bytes[KZ_GG_TYPES] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

static kztts_status read_type(reader *r, const kz_gg_value *v, bool element, kz_gg_type *out) {
    uint64_t type;
    KZ_TRY(number(r, 4, "a key's type", &type));
    if (type >= KZ_GG_TYPES || (element && type == KZ_GG_ARRAY))
        return kz_fail(r->err, KZTTS_ERROR_FORMAT, "%s: key \"%s\": %s %llu isn't one that can be read (0 to %d%s)",
                       r->f->label, kz_gg_show(v->key).s, element ? "an array of type" : "type",
                       (unsigned long long)type, KZ_GG_TYPES - 1, element ? " but 9, arrays in arrays" : "");
    *out = (kz_gg_type)type;
    return KZTTS_OK;
}

static kztts_status too_long(const reader *r, const kz_gg_value *v, const char *what, uint64_t n) {
    return kz_fail(r->err, KZTTS_ERROR_FORMAT,
                   "%s: key \"%s\": %s of %llu %s in a file of %zu bytes: truncated or damaged", r->f->label,
                   kz_gg_show(v->key).s, what, (unsigned long long)n,
                   strcmp(what, "a string") == 0 ? "bytes" : "elements", r->f->file.size);
}

static kztts_status skip_string(reader *r, const kz_gg_value *v) {
    uint64_t n;
    const unsigned char *p;
    KZ_TRY(number(r, 8, "a key's string", &n));
    return take(r, n, &p) ? KZTTS_OK : too_long(r, v, "a string", n);
}

static kztts_status skip_array(reader *r, kz_gg_value *v) {
    const unsigned char *p;
    KZ_TRY(read_type(r, v, true, &v->item));
    KZ_TRY(number(r, 8, "a key's array", &v->n));
    v->data = r->f->file.data + r->at;
    size_t left = r->f->file.size - r->at, least = v->item == KZ_GG_STRING ? 8 : type_bytes[v->item];
    if (v->n > left / least)
        return too_long(r, v, "an array", v->n);
    if (v->item != KZ_GG_STRING)
        return take(r, v->n * type_bytes[v->item], &p) ? KZTTS_OK : too_long(r, v, "an array", v->n);
    for (uint64_t i = 0; i < v->n; i++)
        KZ_TRY(skip_string(r, v));
    return KZTTS_OK;
}

static kztts_status read_value(reader *r, kz_gg_value *v) {
    const unsigned char *p;
    KZ_TRY(name(r, MAX_KEY, "a key", &v->key));
    KZ_TRY(read_type(r, v, false, &v->type));
    v->item = v->type;
    v->n = 1;
    v->data = r->f->file.data + r->at;
    if (v->type == KZ_GG_STRING)
        return skip_string(r, v);
    if (v->type == KZ_GG_ARRAY)
        return skip_array(r, v);
    return take(r, type_bytes[v->type], &p) ? KZTTS_OK : truncated(r, "a key's value");
}

static int compare(kz_gg_string a, kz_gg_string b) {
    int order = memcmp(a.s, b.s, a.n < b.n ? a.n : b.n);
    return order ? order : (a.n > b.n) - (a.n < b.n);
}

static int by_key(const void *a, const void *b) {
    return compare(((const kz_gg_value *)a)->key, ((const kz_gg_value *)b)->key);
}

static kztts_status read_values(reader *r, kz_gg_file *f, uint64_t n) {
    f->values = kz_alloc((size_t)n + 1, sizeof *f->values);
    if (!f->values)
        return kz_fail_memory(r->err, (size_t)n * sizeof *f->values, f->label);
    for (; f->n_value < n; f->n_value++)
        KZ_TRY(read_value(r, &f->values[f->n_value]));
    kz_sort(f->values, f->n_value, sizeof *f->values, by_key);
    for (size_t i = 1; i < f->n_value; i++)
        if (!by_key(&f->values[i - 1], &f->values[i]))
            return kz_fail(r->err, KZTTS_ERROR_FORMAT, "%s: key \"%s\" is there twice", f->label,
                           kz_gg_show(f->values[i].key).s);
    return KZTTS_OK;
}

const kz_gg_value *kz_gg_find(const kz_gg_file *f, const char *key) {
    kz_gg_string wanted = {key, strlen(key)};
    size_t low = 0, high = f->n_value;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int order = compare(wanted, f->values[mid].key);
        if (!order)
            return &f->values[mid];
        if (order < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return NULL;
}

/* ---- tensors ----------------------------------------------------------------------------------------------- */

static kztts_status fail_tensor(const reader *r, const kz_gg_tensor *t, const char *what) {
    return kz_fail(r->err, KZTTS_ERROR_FORMAT, "%s: tensor \"%s\": %s", r->f->label, kz_gg_show(t->name).s, what);
}

/* The file has the innermost dimension first. */
static kztts_status read_shape(reader *r, kz_gg_tensor *t) {
    uint64_t n_dim, n;
    KZ_TRY(number(r, 4, "a tensor's shape", &n_dim));
    if (n_dim < 1 || n_dim > MAX_GGML_DIM)
        return kz_fail(r->err, KZTTS_ERROR_FORMAT, "%s: tensor \"%s\": %llu dimensions, expected 1 to %d", r->f->label,
                       kz_gg_show(t->name).s, (unsigned long long)n_dim, MAX_GGML_DIM);
    t->n_dim = (int)n_dim;
    t->n_elem = 1;
    for (int i = t->n_dim - 1; i >= 0; i--) {
        KZ_TRY(number(r, 8, "a tensor's shape", &n));
        if (n < 1 || n > SIZE_MAX || !kz_mul(t->n_elem, (size_t)n, &t->n_elem))
            return fail_tensor(r, t, n ? "the product of its shape is too large" : "a dimension of 0");
        t->shape[i] = (size_t)n;
    }
    return KZTTS_OK;
}

static kztts_status read_tensor_type(reader *r, kz_gg_tensor *t) {
    uint64_t type;
    KZ_TRY(number(r, 4, "a tensor's type", &type));
    const char *known = kz_gg_tensor_type_name((uint32_t)type);
    t->type = kz_gg_tensor_type((uint32_t)type);
    if (t->type < 0)
        return kz_fail(r->err, KZTTS_ERROR_FORMAT,
                       "%s: tensor \"%s\": type %s (%llu); these can be read: F32, F16, BF16, Q8_0, Q6_K, Q5_K, Q5_1, "
                       "Q5_0, Q4_K, Q4_1, Q4_0, IQ4_NL, MXFP4, Q3_K, Q2_K",
                       r->f->label, kz_gg_show(t->name).s, known ? known : "unknown", (unsigned long long)type);
    size_t group = t->type >= KZ_I64 && t->type <= KZ_OTHER ? 1 : kz_stored_group(t->type),
           row = t->shape[t->n_dim - 1];
    if (row % group)
        return kz_fail(r->err, KZTTS_ERROR_FORMAT, "%s: tensor \"%s\": rows of %zu aren't whole blocks of %zu (%s)",
                       r->f->label, kz_gg_show(t->name).s, row, group, known);
    size_t limit;
    if (!kz_mul(t->n_elem, 8, &limit)) /* no type needs more bytes a weight: the size fits */
        return fail_tensor(r, t, "the product of its shape is too large");
    t->n_byte = t->type == KZ_I64     ? t->n_elem * 8
                : t->type == KZ_I32   ? t->n_elem * 4
                : t->type == KZ_OTHER ? t->n_elem
                                      : kz_stored_bytes(t->type, t->n_elem);
    return KZTTS_OK;
}

/* Offsets are kept in data until the place of the data is known. */
static kztts_status read_tensor(reader *r, kz_gg_tensor *t, uint64_t *offset) {
    KZ_TRY(name(r, MAX_NAME, "a tensor's name", &t->name));
    KZ_TRY(read_shape(r, t));
    KZ_TRY(read_tensor_type(r, t));
    return number(r, 8, "a tensor's offset", offset);
}

typedef struct place {
    uint64_t offset;
    size_t i;
} place;

static int by_offset(const void *a, const void *b) {
    const place *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return (x->i > y->i) - (x->i < y->i);
}

static kztts_status check_overlaps(const reader *r, kz_gg_file *f, place *places) {
    kz_sort(places, f->n_tensor, sizeof *places, by_offset);
    for (size_t i = 1; i < f->n_tensor; i++) {
        const kz_gg_tensor *a = &f->tensors[places[i - 1].i], *b = &f->tensors[places[i].i];
        if (places[i].offset - places[i - 1].offset < a->n_byte)
            return kz_fail(r->err, KZTTS_ERROR_FORMAT, "%s: tensors \"%s\" and \"%s\" overlap", f->label,
                           kz_gg_show(a->name).s, kz_gg_show(b->name).s);
    }
    return KZTTS_OK;
}

static kztts_status place_tensors(const reader *r, kz_gg_file *f, const place *places, size_t alignment) {
    size_t begin = (r->at + alignment - 1) / alignment * alignment, size = f->file.size;
    size_t n_data = begin < size ? size - begin : 0;
    for (size_t i = 0; i < f->n_tensor; i++) {
        kz_gg_tensor *t = &f->tensors[i];
        uint64_t offset = places[i].offset;
        if (offset % alignment)
            return kz_fail(r->err, KZTTS_ERROR_FORMAT,
                           "%s: tensor \"%s\": offset %llu is no multiple of the alignment %zu", f->label,
                           kz_gg_show(t->name).s, (unsigned long long)offset, alignment);
        if (offset > n_data || t->n_byte > n_data - (size_t)offset)
            return kz_fail(r->err, KZTTS_ERROR_FORMAT,
                           "%s: tensor \"%s\": %zu bytes at offset %llu of %zu bytes of data: truncated?", f->label,
                           kz_gg_show(t->name).s, t->n_byte, (unsigned long long)offset, n_data);
        t->data = f->file.data + begin + (size_t)offset;
    }
    return KZTTS_OK;
}

static kztts_status read_alignment(const reader *r, size_t *out) {
    int64_t n = ALIGNMENT;
    const kz_gg_value *v = kz_gg_find(r->f, "general.alignment");
    if (v && (!kz_gg_int(v, &n) || n < 1 || n > MAX_ALIGNMENT || (n & (n - 1))))
        return kz_fail(r->err, KZTTS_ERROR_FORMAT,
                       "%s: key \"general.alignment\": expected a power of two from 1 to %d, found %lld of type %s",
                       r->f->label, MAX_ALIGNMENT, (long long)n, kz_gg_type_name(v->type));
    *out = (size_t)n;
    return KZTTS_OK;
}

static kztts_status read_tensors(reader *r, kz_gg_file *f, uint64_t n) {
    size_t alignment = 0;
    f->tensors = kz_alloc((size_t)n + 1, sizeof *f->tensors);
    place *places = kz_alloc((size_t)n + 1, sizeof *places);
    kztts_status status = f->tensors && places ? read_alignment(r, &alignment)
                                               : kz_fail_memory(r->err, (size_t)n * sizeof *f->tensors, f->label);
    for (; status >= 0 && f->n_tensor < n; f->n_tensor++) {
        places[f->n_tensor].i = f->n_tensor;
        status = read_tensor(r, &f->tensors[f->n_tensor], &places[f->n_tensor].offset);
    }
    if (status >= 0)
        status = place_tensors(r, f, places, alignment);
    if (status >= 0)
        status = check_overlaps(r, f, places);
    kz_free(places);
    return status;
}

/* ---- the file ---------------------------------------------------------------------------------------------- */

static kztts_status check_version(const reader *r, uint32_t version) {
    if (version == 2 || version == 3)
        return KZTTS_OK;
    if (version && !(version & 0xFFFF))
        return kz_fail(r->err, KZTTS_ERROR_FORMAT, "%s: a big-endian GGUF file; only little-endian ones can be read",
                       r->f->label);
    return kz_fail(r->err, KZTTS_ERROR_FORMAT, "%s: GGUF version %lu; versions 2 and 3 can be read", r->f->label,
                   (unsigned long)version);
}

static kztts_status check_count(const reader *r, const char *what, uint64_t n, size_t least, uint64_t most) {
    size_t room = (r->f->file.size - r->at) / least;
    if (n <= room && n <= most)
        return KZTTS_OK;
    return kz_fail(r->err, KZTTS_ERROR_FORMAT, "%s: %llu %s in a file of %zu bytes; at most %llu can be read",
                   r->f->label, (unsigned long long)n, what, r->f->file.size, (unsigned long long)most);
}

static kztts_status read_file(kz_gg_file *f, kz_err *err) {
    reader r = {.f = f, .err = err};
    uint64_t version, n_tensor, n_value;
    const unsigned char *magic;
    if (!take(&r, 4, &magic) || memcmp(magic, "GGUF", 4) != 0)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: not a GGUF file: it doesn't begin with \"GGUF\"", f->label);
    KZ_TRY(number(&r, 4, "the header", &version));
    f->version = (uint32_t)version;
    KZ_TRY(check_version(&r, f->version));
    KZ_TRY(number(&r, 8, "the header", &n_tensor));
    KZ_TRY(number(&r, 8, "the header", &n_value));
    KZ_TRY(check_count(&r, "tensors", n_tensor, 8 + 1 + 4 + 8 + 4 + 8, MAX_TENSORS));
    KZ_TRY(check_count(&r, "keys", n_value, 8 + 1 + 4 + 1, MAX_VALUES));
    KZ_TRY(read_values(&r, f, n_value));
    return read_tensors(&r, f, n_tensor);
}

static kztts_status finish(kz_gg_file *f, kztts_status status, kz_err *err) {
    if (status >= 0)
        status = read_file(f, err);
    if (status < 0)
        kz_gg_file_close(f);
    return status;
}

static kztts_status set_label(kz_gg_file *f, const char *path, kz_err *err) {
    kz_shown shown = kz_show_path(path);
    f->label = kz_strndup(shown.s, sizeof shown.s);
    f->path = kz_strndup(path, strlen(path));
    return f->label && f->path ? KZTTS_OK : kz_fail_memory(err, sizeof shown.s, "a file's name");
}

kztts_status kz_gg_file_open(kz_gg_file *f, const char *path, kz_err *err) {
    *f = (kz_gg_file){0};
    kztts_status status = set_label(f, path, err);
    if (status >= 0)
        status = kz_file_map(&f->file, path, err);
    f->mapped = status >= 0;
    return finish(f, status, err);
}

kztts_status kz_gg_file_memory(kz_gg_file *f, const void *data, size_t n, const char *label, kz_err *err) {
    *f = (kz_gg_file){.file = {.data = data, .size = n}};
    return finish(f, set_label(f, label, err), err);
}

void kz_gg_file_close(kz_gg_file *f) {
    kz_free(f->values);
    kz_free(f->tensors);
    kz_free(f->label);
    kz_free(f->path);
    if (f->mapped)
        kz_file_unmap(&f->file);
    *f = (kz_gg_file){0};
}
