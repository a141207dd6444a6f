/* directory.c: the header of a safetensors file, every number checked.  SPDX-License-Identifier: Apache-2.0
 *
 * A file is: length of the header (8 bytes, little endian), the header (a JSON object), the data. Tensors must fill
 * the data from the first byte to the last without overlaps or holes, as the official reader demands: a hole is room
 * for something that nobody checks, and in practice the mark of a damaged or badly edited file. */
#include <stdio.h>
#include <string.h>

#include "weights/directory.h"
#include "weights/json.h"
#include "weights/sort.h"

enum { HEADER_LIMIT = 100000000 }; /* the official reader's */

static const struct {
    char name[8];
    int type;
    size_t size;
} type_table[] = {
    {"F32", KZ_F32, 4},       {"BF16", KZ_BF16, 2}, {"F16", KZ_F16, 2},       {"I64", KZ_I64, 8},
    {"I32", KZ_I32, 4},       {"U8", KZ_U8, 1},     {"F64", KZ_OTHER, 8},     {"U64", KZ_OTHER, 8},
    {"U32", KZ_OTHER, 4},     {"I16", KZ_OTHER, 2}, {"U16", KZ_OTHER, 2},     {"I8", KZ_OTHER, 1},
    {"BOOL", KZ_OTHER, 1},    {"C64", KZ_OTHER, 8}, {"F8_E5M2", KZ_OTHER, 1}, {"F8_E4M3", KZ_OTHER, 1},
    {"F8_E8M0", KZ_OTHER, 1},
};

const char *kz_type_name(int type) {
    for (size_t i = 0; i < sizeof type_table / sizeof *type_table; i++)
        if (type_table[i].type == type && type != KZ_OTHER)
            return type_table[i].name;
    if (type == KZ_Q8 || type == KZ_Q4 || type == KZ_Q4_0)
        return type == KZ_Q8 ? "Q8_0" : type == KZ_Q4 ? "IQ4_NL" : "Q4_0";
    return kz_is_block(type) ? kz_block_name(type) : "another type";
}

kz_shape_text kz_shape_show(int n_dim, const size_t *shape) {
    kz_shape_text text = {"["};
    for (int i = 0; i < n_dim; i++) {
        size_t n = strlen(text.s);
        (void)snprintf(text.s + n, sizeof text.s - n, "%s%zu", i ? ", " : "", shape[i]);
    }
    size_t n = strlen(text.s);
    (void)snprintf(text.s + n, sizeof text.s - n, "]");
    return text;
}

/* What the readers below share. */
typedef struct entry {
    const kz_shard *shard;
    const cJSON *json; /* name: {dtype, shape, data_offsets} */
    const unsigned char *data;
    size_t n_data;
    kz_err *err;
} entry;

/* FORMAT with "file: tensor "name": key: expected ..., found ...". */
static kztts_status fail_entry(const entry *e, const char *key, const char *expected, const cJSON *found) {
    return kz_fail(e->err, KZTTS_ERROR_FORMAT, "%s: tensor \"%s\": %s: expected %s, found %s", e->shard->label,
                   kz_show(e->json->string).s, key, expected, kz_show_json(found).s);
}

static kztts_status find_key(const entry *e, const char *key, const cJSON **out) {
    if (!kz_json_item(out, e->json, key))
        return kz_fail(e->err, KZTTS_ERROR_FORMAT, "%s: tensor \"%s\": %s is there twice", e->shard->label,
                       kz_show(e->json->string).s, key);
    return KZTTS_OK;
}

static kztts_status read_dtype(const entry *e, kz_tensor *t, size_t *size) {
    const cJSON *dtype;
    KZ_TRY(find_key(e, "dtype", &dtype));
    for (size_t i = 0; cJSON_IsString(dtype) && i < sizeof type_table / sizeof *type_table; i++) {
        if (strcmp(dtype->valuestring, type_table[i].name) == 0) {
            t->type = type_table[i].type;
            *size = type_table[i].size;
            return KZTTS_OK;
        }
    }
    return fail_entry(e, "dtype", "a known type such as \"BF16\"", dtype);
}

static kztts_status read_shape(const entry *e, kz_tensor *t) {
    const cJSON *shape;
    int n_dim = 0;
    KZ_TRY(find_key(e, "shape", &shape));
    if (!cJSON_IsArray(shape))
        return fail_entry(e, "shape", "a list", shape);
    t->n_elem = 1;
    for (const cJSON *dim = shape->child; dim; dim = dim->next, n_dim++) {
        size_t n;
        if (!kz_json_size(dim, &n))
            return fail_entry(e, "shape", "integers of at least 0", dim);
        if (!kz_mul(t->n_elem, n, &t->n_elem))
            return kz_fail(e->err, KZTTS_ERROR_FORMAT, "%s: tensor \"%s\": the product of its shape is too large",
                           e->shard->label, kz_show(e->json->string).s);
        if (n_dim < KZ_MAX_DIM)
            t->shape[n_dim] = n;
    }
    t->n_dim = n_dim;
    if (n_dim > KZ_MAX_DIM) {
        t->type = KZ_OTHER;
        t->n_dim = 0;
    }
    return KZTTS_OK;
}

static kztts_status read_offsets(const entry *e, kz_tensor *t) {
    const cJSON *list;
    size_t begin, end;
    KZ_TRY(find_key(e, "data_offsets", &list));
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != 2)
        return fail_entry(e, "data_offsets", "a list of two integers", list);
    if (!kz_json_size(list->child, &begin))
        return fail_entry(e, "data_offsets", "integers of at least 0", list->child);
    if (!kz_json_size(list->child->next, &end))
        return fail_entry(e, "data_offsets", "integers of at least 0", list->child->next);
    const char *problem = begin > end       ? "the end lies before the beginning"
                          : end > e->n_data ? "the file is too short (truncated?)"
                                            : NULL;
    if (problem)
        return kz_fail(e->err, KZTTS_ERROR_FORMAT,
                       "%s: tensor \"%s\": data_offsets [%zu, %zu] of %zu bytes of data: %s", e->shard->label,
                       kz_show(e->json->string).s, begin, end, e->n_data, problem);
    t->data = e->data + begin;
    t->n_byte = end - begin;
    return KZTTS_OK;
}

static kztts_status read_tensor(const entry *e, kz_tensor *t) {
    size_t size = 0, n_byte;
    if (!cJSON_IsObject(e->json))
        return fail_entry(e, "entry", "an object", e->json);
    KZ_TRY(read_dtype(e, t, &size));
    KZ_TRY(read_shape(e, t));
    KZ_TRY(read_offsets(e, t));
    if (!kz_mul(t->n_elem, size, &n_byte) || n_byte != t->n_byte)
        return kz_fail(e->err, KZTTS_ERROR_FORMAT, "%s: tensor \"%s\": %zu bytes of data for %zu elements of %zu bytes",
                       e->shard->label, kz_show(e->json->string).s, t->n_byte, t->n_elem, size);
    return KZTTS_OK;
}

/* By place; an empty tensor comes before the one that begins at the same place. */
static int by_place(const void *a, const void *b) {
    const kz_tensor *x = a, *y = b;
    if (x->data != y->data)
        return x->data < y->data ? -1 : 1;
    if (x->n_byte != y->n_byte)
        return x->n_byte < y->n_byte ? -1 : 1;
    return strcmp(x->name, y->name);
}

static kztts_status check_places(const entry *e, kz_shard *shard) {
    const char *last = "";
    size_t at = 0; /* end of `last` */
    kz_sort(shard->tensors, shard->n_tensor, sizeof *shard->tensors, by_place);
    for (size_t i = 0; i < shard->n_tensor; i++) {
        const kz_tensor *t = &shard->tensors[i];
        size_t begin = (size_t)(t->data - e->data);
        if (begin < at)
            return kz_fail(e->err, KZTTS_ERROR_FORMAT,
                           "%s: tensors \"%s\" and \"%s\" overlap: one ends at byte %zu, "
                           "the other begins at byte %zu",
                           shard->label, kz_show(last).s, kz_show(t->name).s, at, begin);
        if (begin > at)
            return kz_fail(e->err, KZTTS_ERROR_FORMAT,
                           "%s: bytes %zu to %zu, before tensor \"%s\", belong to no tensor", shard->label, at, begin,
                           kz_show(t->name).s);
        at = begin + t->n_byte;
        last = t->name;
    }
    if (at != e->n_data)
        return kz_fail(e->err, KZTTS_ERROR_FORMAT, "%s: %zu bytes follow the last tensor's data: the file is too long",
                       shard->label, e->n_data - at);
    return KZTTS_OK;
}

static bool is_meta(const cJSON *item) { return strcmp(item->string, "__metadata__") == 0; }

/* Counts entries and the bytes of all strings; checks what can't be checked entry by entry. */
static kztts_status measure(kz_shard *shard, const cJSON *header, size_t *n_string, size_t *n_meta, size_t *n_tensor,
                            kz_err *err) {
    size_t n_block = 0;
    for (const cJSON *item = header->child; item; item = item->next) {
        if (!is_meta(item)) {
            *n_string += strlen(item->string) + 1;
            ++*n_tensor;
            continue;
        }
        if (n_block++ || !cJSON_IsObject(item))
            return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: __metadata__: expected one object, found %s", shard->label,
                           n_block > 1 ? "two" : kz_show_json(item).s);
        for (const cJSON *m = item->child; m; m = m->next, ++*n_meta) {
            if (!cJSON_IsString(m))
                return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: __metadata__: %s: expected a string, found %s",
                               shard->label, kz_show(m->string).s, kz_show_json(m).s);
            *n_string += strlen(m->string) + strlen(m->valuestring) + 2;
        }
    }
    return KZTTS_OK;
}

static const char *keep(char **at, const char *s) {
    char *copy = *at;
    size_t n = strlen(s) + 1;
    memcpy(copy, s, n);
    *at += n;
    return copy;
}

static kztts_status read_header(kz_shard *shard, entry *e, const cJSON *header) {
    size_t n_string = 0, n_meta = 0, n_tensor = 0;
    KZ_TRY(measure(shard, header, &n_string, &n_meta, &n_tensor, e->err));
    shard->strings = kz_alloc(n_string + 1, 1);
    shard->tensors = kz_alloc(n_tensor + 1, sizeof *shard->tensors);
    shard->meta = kz_alloc(n_meta + 1, sizeof *shard->meta);
    if (!shard->strings || !shard->tensors || !shard->meta)
        return kz_fail_memory(e->err, n_string + n_tensor * sizeof *shard->tensors, shard->label);
    char *at = shard->strings;
    for (const cJSON *item = header->child; item; item = item->next) {
        if (is_meta(item)) {
            for (const cJSON *m = item->child; m; m = m->next, shard->n_meta++) {
                shard->meta[shard->n_meta].key = keep(&at, m->string);
                shard->meta[shard->n_meta].value = keep(&at, m->valuestring);
            }
            continue;
        }
        kz_tensor *t = &shard->tensors[shard->n_tensor++];
        t->name = keep(&at, item->string);
        e->json = item;
        KZ_TRY(read_tensor(e, t));
    }
    return check_places(e, shard);
}

kztts_status kz_directory_read(kz_shard *shard, kz_err *err) {
    const unsigned char *p = shard->file.data;
    if (shard->file.size < 8)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: %zu bytes are too few for a safetensors file", shard->label,
                       shard->file.size);
    uint64_t n_header = kz_little(p, 8);
    if (n_header > HEADER_LIMIT || n_header > shard->file.size - 8)
        return kz_fail(err, KZTTS_ERROR_FORMAT,
                       "%s: not a safetensors file, or truncated: its header would be %llu bytes long, the file is %zu",
                       shard->label, (unsigned long long)n_header, shard->file.size);
    cJSON *header;
    KZ_TRY(kz_prepared_header((const char *)p + 8, (size_t)n_header, shard->label, err));
    KZ_TRY(kz_json_parse(&header, (const char *)p + 8, (size_t)n_header, KZ_JSON_DIRECTORY, shard->label, err));
    entry e = {.shard = shard, .data = p + 8 + n_header, .n_data = shard->file.size - 8 - (size_t)n_header, .err = err};
    kztts_status status = read_header(shard, &e, header);
    cJSON_Delete(header);
    return status;
}
