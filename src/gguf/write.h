/* write.h: a file in layout A, put together. Private to gguf/.  SPDX-License-Identifier: Apache-2.0
 *
 * in         settings as JSON trees, tensors
 * out        the bytes of a header; data piece by piece
 * state      what was put so far
 * threads    one; data are made on the pool
 * memory     the header; a block of rows */
#ifndef KZ_GGUF_WRITE_H
#define KZ_GGUF_WRITE_H

#include "gguf/buffer.h"
#include "gguf/gguf.h"
#include "gguf/scheme.h"

/* ---- keys (write_keys.c) ---- */

typedef struct kz_gg_keys {
    kz_gg_buffer bytes;
    uint64_t n;
} kz_gg_keys;

void kz_gg_key_text(kz_gg_keys *k, const char *key, const char *value);
void kz_gg_key_number(kz_gg_keys *k, const char *key, uint32_t value);

/* All rows of the table whose setting is there. FORMAT when a value is of another kind. */
kztts_status kz_gg_put_keys(kz_gg_keys *k, const kz_gg_key *rows, const cJSON *tree, kz_err *err);

/* Languages and speakers; tokens and merges. */
kztts_status kz_gg_put_lists(kz_gg_keys *k, const kz_gg_lists *lists, const cJSON *config, kz_err *err);
kztts_status kz_gg_put_tokenizer(kz_gg_keys *k, const kz_gguf_contents *c, kz_err *err);

/* ---- tensors (write_tensors.c) ---- */

/* One tensor of the file. */
typedef struct kz_gg_item {
    const kz_tensor *t;
    const kz_tensor *usage; /* of a codebook that is to be divided, or NULL */
    char name[KZ_GG_NAME];
    int type; /* as it is written */
    uint64_t n_byte;
} kz_gg_item;

typedef struct kz_gg_items {
    kz_gg_item *item;
    size_t n;
} kz_gg_items;

/* Those of one half; freed with kz_free(items->item). */
kztts_status kz_gg_collect(kz_gg_items *items, const kz_gguf_contents *c, bool codec, size_t n_code, kz_err *err);

/* Their bytes, aligned. */
kztts_status kz_gg_write_items(kz_writer *w, const kz_gg_items *items, const kz_gguf_contents *c, uint64_t *done,
                               uint64_t total, kz_err *err);

enum { KZ_GG_ALIGNMENT = 32 };

#endif
