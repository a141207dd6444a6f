/* hash.c: which weights a voice was made with.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "voice/voice.h"

static const char *type_word(int type) {
    switch (type) {
    case KZ_F32:
        return "F32";
    case KZ_BF16:
        return "BF16";
    case KZ_F16:
        return "F16";
    case KZ_I64:
        return "I64";
    case KZ_I32:
        return "I32";
    case KZ_U8:
        return "U8";
    default:
        return "other";
    }
}

static void add_number(kz_sha256 *s, uint64_t value) {
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(value >> (8 * i));
    kz_sha256_add(s, bytes, sizeof bytes);
}

static void add_word(kz_sha256 *s, const char *word) { kz_sha256_add(s, word, strlen(word) + 1); }

typedef struct item {
    const kz_tensor *tensor;
    char hex[KZ_HASH_TEXT]; /* of its bytes */
} item;

static void hash_some(void *arg, size_t begin, size_t end, int worker) {
    item *items = arg;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const kz_tensor *t = items[i].tensor;
        kz_sha256 s;
        kz_sha256_init(&s);
        kz_sha256_add(&s, t->data, t->n_byte);
        kz_sha256_end(&s, items[i].hex);
        kz_file_drop(t->data, t->n_byte);
    }
}

static size_t find_items(item *items, const kz_weights *w, const char *prefix) {
    size_t n_prefix = strlen(prefix), n = 0;
    for (size_t i = 0; i < kz_weights_count(w); i++) {
        const kz_tensor *t = kz_weights_at(w, i);
        if (strncmp(t->name, prefix, n_prefix) != 0)
            continue;
        if (items)
            items[n].tensor = t;
        n++;
    }
    return n;
}

static void hash_items(char hex[KZ_HASH_TEXT], const item *items, size_t n) {
    kz_sha256 s;
    kz_sha256_init(&s);
    for (size_t i = 0; i < n; i++) {
        const kz_tensor *t = items[i].tensor;
        add_word(&s, t->name);
        add_word(&s, type_word(t->type));
        add_number(&s, (uint64_t)t->n_dim);
        for (int k = 0; k < t->n_dim; k++)
            add_number(&s, t->shape[k]);
        add_word(&s, items[i].hex);
    }
    kz_sha256_end(&s, hex);
}

kztts_status kz_voice_hash_tensors(char hex[KZ_HASH_TEXT], const kz_weights *w, const char *prefix, kz_pool *pool,
                                   kz_err *err) {
    size_t n = find_items(NULL, w, prefix);
    hex[0] = 0;
    if (!n)
        return KZTTS_OK;
    item *items = kz_alloc(n, sizeof *items);
    if (!items)
        return kz_fail_memory(err, n * sizeof *items, "hashes");
    find_items(items, w, prefix);
    kz_pool_run(pool, n, 1, hash_some, items);
    hash_items(hex, items, n);
    kz_free(items);
    return KZTTS_OK;
}
