/* container.h: one GGUF file. For gguf/, and for voice packs in voice/.  SPDX-License-Identifier: Apache-2.0
 *
 * in         a mapped file of unknown origin
 * out        its keys and tensors, every count, length, type and offset checked
 * state      none
 * threads    read-only after reading
 * memory     lists of views; bytes stay in the file */
#ifndef KZ_GGUF_CONTAINER_H
#define KZ_GGUF_CONTAINER_H

#include "weights/json.h"
#include "weights/weights.h"

/* Bytes of the file, not terminated. */
typedef struct kz_gg_string {
    const char *s;
    size_t n;
} kz_gg_string;

/* Types of values, as in the file. */
typedef enum kz_gg_type {
    KZ_GG_U8,
    KZ_GG_I8,
    KZ_GG_U16,
    KZ_GG_I16,
    KZ_GG_U32,
    KZ_GG_I32,
    KZ_GG_F32,
    KZ_GG_BOOL,
    KZ_GG_STRING,
    KZ_GG_ARRAY,
    KZ_GG_U64,
    KZ_GG_I64,
    KZ_GG_F64,
    KZ_GG_TYPES
} kz_gg_type;

typedef struct kz_gg_value {
    kz_gg_string key;
    kz_gg_type type, item; /* item: of an array's elements */
    uint64_t n;            /* elements of an array, else 1 */
    const unsigned char *data;
} kz_gg_value;

typedef struct kz_gg_tensor {
    kz_gg_string name;
    int type, n_dim;
    size_t shape[KZ_MAX_DIM]; /* outermost first, as in a checkpoint */
    size_t n_elem, n_byte;
    const unsigned char *data;
} kz_gg_tensor;

typedef struct kz_gg_file {
    char *label, *path;
    kz_file file;
    bool mapped;
    uint32_t version;
    kz_gg_value *values; /* sorted by key */
    size_t n_value;
    kz_gg_tensor *tensors; /* in the file's order */
    size_t n_tensor;
} kz_gg_file;

/* Maps and reads. On failure nothing is left. */
kztts_status kz_gg_file_open(kz_gg_file *f, const char *path, kz_err *err);
kztts_status kz_gg_file_memory(kz_gg_file *f, const void *data, size_t n, const char *label, kz_err *err);
void kz_gg_file_close(kz_gg_file *f);

/* ---- values ------------------------------------------------------------------------------------------------ */

const kz_gg_value *kz_gg_find(const kz_gg_file *f, const char *key); /* or NULL */

/* Single values; false when the type is another (or the number doesn't fit). */
bool kz_gg_int(const kz_gg_value *v, int64_t *out);
bool kz_gg_number(const kz_gg_value *v, double *out); /* of any type of number */
bool kz_gg_bool(const kz_gg_value *v, bool *out);
bool kz_gg_text(const kz_gg_value *v, kz_gg_string *out);

bool kz_gg_is(kz_gg_string s, const char *text);
kz_shown kz_gg_show(kz_gg_string s);
const char *kz_gg_type_name(kz_gg_type type);

/* Element i of an array of integers. */
bool kz_gg_int_at(const kz_gg_value *v, uint64_t i, int64_t *out);

/* Walks an array of strings; begins as zeros. False at the end, or when it is no such array. */
typedef struct kz_gg_walk {
    uint64_t i;
    size_t at;
} kz_gg_walk;
bool kz_gg_next(const kz_gg_value *v, kz_gg_walk *walk, kz_gg_string *out);

/* The file's name of a tensor type of ggml, or NULL; ours, or -1 when it can't be read. */
const char *kz_gg_tensor_type_name(uint32_t ggml_type);
int kz_gg_tensor_type(uint32_t ggml_type);
int kz_gg_tensor_type_of(int type); /* the way back, -1: none */

#endif
