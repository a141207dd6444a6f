/* hash.c: which weights a voice was made with.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "voice/sha256.h"
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

bool kz_voice_hash_tensors(char hex[KZ_HASH_TEXT], const kz_weights *w, const char *prefix) {
    size_t n_prefix = strlen(prefix), n_found = 0;
    kz_sha256 s;
    hex[0] = 0;
    kz_sha256_init(&s);
    for (size_t i = 0; i < kz_weights_count(w); i++) {
        const kz_tensor *t = kz_weights_at(w, i);
        if (strncmp(t->name, prefix, n_prefix) != 0)
            continue;
        add_word(&s, t->name);
        add_word(&s, type_word(t->type));
        add_number(&s, (uint64_t)t->n_dim);
        for (int k = 0; k < t->n_dim; k++)
            add_number(&s, t->shape[k]);
        kz_sha256_add(&s, t->data, t->n_byte);
        kz_file_drop(t->data, t->n_byte);
        n_found++;
    }
    if (n_found)
        kz_sha256_end(&s, hex);
    return n_found > 0;
}
