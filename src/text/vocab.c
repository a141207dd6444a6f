/* vocab.c: vocab.json, a hash table from token to id that lives while loading.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "text/internal.h"

/* FNV-1a, continued over both parts. */
static uint64_t hash_bytes(uint64_t h, const char *s, size_t n) {
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)s[i]) * UINT64_C(0x100000001B3);
    return h;
}

static size_t hash_of(const char *a, size_t n_a, const char *b, size_t n_b) {
    uint64_t h = hash_bytes(hash_bytes(UINT64_C(0xCBF29CE484222325), a, n_a), b, n_b);
    return (size_t)(h ^ h >> 32);
}

/* The slot that holds a + b, or the free one where it belongs. */
static kz_vocab_slot *find_slot(const kz_vocab *vocab, const char *a, size_t n_a, const char *b, size_t n_b) {
    for (size_t i = hash_of(a, n_a, b, n_b) & vocab->mask;; i = (i + 1) & vocab->mask) {
        kz_vocab_slot *slot = &vocab->slot[i];
        if (!slot->token)
            return slot;
        if (slot->n == n_a + n_b && !memcmp(slot->token, a, n_a) && !memcmp(slot->token + n_a, b, n_b))
            return slot;
    }
}

int32_t kz_vocab_find(const kz_vocab *vocab, const char *a, size_t n_a, const char *b, size_t n_b) {
    const kz_vocab_slot *slot = find_slot(vocab, a, n_a, b, n_b);
    return slot->token ? slot->id : -1;
}

bool kz_vocab_use(kz_vocab *vocab, int32_t id) {
    unsigned char *byte = &vocab->used[id / 8], bit = (unsigned char)(1u << id % 8);
    if (*byte & bit)
        return false;
    *byte |= bit;
    if (id > vocab->id_max)
        vocab->id_max = id;
    return true;
}

static kztts_status add_token(kz_vocab *vocab, const cJSON *item, kz_err *err) {
    char quote[KZ_QUOTE];
    const char *token = item->string;
    size_t n = strlen(token);
    double value = item->valuedouble;
    if (!cJSON_IsNumber(item) || !(value >= 0 && value <= (double)KZ_TOKEN_ID_MAX) || value != (double)(int32_t)value)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: token \"%s\" has no whole number from 0 to %d as its id",
                       vocab->path, kz_text_quote(quote, token, n), KZ_TOKEN_ID_MAX);
    kz_vocab_slot *slot = find_slot(vocab, token, n, "", 0);
    if (slot->token)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: token \"%s\" is there twice", vocab->path,
                       kz_text_quote(quote, token, n));
    *slot = (kz_vocab_slot){.token = token, .n = (uint32_t)n, .id = (int32_t)value};
    if (!kz_vocab_use(vocab, slot->id))
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: token \"%s\" has id %d, which another token has already",
                       vocab->path, kz_text_quote(quote, token, n), (int)slot->id);
    return KZTTS_OK;
}

static kztts_status fill(kz_vocab *vocab, kz_err *err) {
    size_t n_slot = 64;
    for (const cJSON *item = vocab->tree->child; item; item = item->next)
        vocab->n_token++;
    while (n_slot / 2 < vocab->n_token)
        n_slot *= 2;
    vocab->slot = kz_alloc(n_slot, sizeof *vocab->slot);
    vocab->used = kz_alloc(KZ_TOKEN_ID_MAX / 8 + 1, 1);
    if (!vocab->slot || !vocab->used)
        return kz_fail_memory(err, n_slot * sizeof *vocab->slot, vocab->path);
    vocab->mask = n_slot - 1;
    vocab->id_max = -1;
    for (const cJSON *item = vocab->tree->child; item; item = item->next)
        KZ_TRY(add_token(vocab, item, err));
    return KZTTS_OK;
}

kztts_status kz_vocab_load(kz_vocab *vocab, const kz_text_source *source, kz_err *err) {
    *vocab = (kz_vocab){.path = source->path};
    KZ_TRY(kz_text_read_json(&vocab->tree, source, err));
    kztts_status status = fill(vocab, err);
    if (status < 0)
        kz_vocab_free(vocab);
    return status;
}

void kz_vocab_free(kz_vocab *vocab) {
    cJSON_Delete(vocab->tree);
    kz_free(vocab->slot);
    kz_free(vocab->used);
    *vocab = (kz_vocab){0};
}
