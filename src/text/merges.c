/* merges.c: merges.txt, a hash table from pairs of ids to ranks.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "text/internal.h"

/* Mixes both ids over the whole word (the finalizer idea of splitmix: multiply, fold the high half down). */
static size_t hash_pair(int32_t left, int32_t right) {
    uint64_t h = ((uint64_t)(uint32_t)left << 32 | (uint32_t)right) * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ h >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return (size_t)(h ^ h >> 32);
}

/* The slot that holds the pair, or the free one where it belongs. */
static kz_merge_slot *find_slot(const kz_merges *merges, int32_t left, int32_t right) {
    for (size_t i = hash_pair(left, right) & merges->mask;; i = (i + 1) & merges->mask) {
        kz_merge_slot *slot = &merges->slot[i];
        if (slot->rank == KZ_NO_RANK || (slot->left == left && slot->right == right))
            return slot;
    }
}

uint32_t kz_merges_rank(const kz_merges *merges, int32_t left, int32_t right) {
    return find_slot(merges, left, right)->rank;
}

typedef struct reader {
    const char *path, *text;
    size_t n, at, line;
} reader;

/* The next rule line without its end; false at the end of the file. */
static bool next_line(reader *r, const char **begin, size_t *n) {
    while (r->at < r->n) {
        const char *s = r->text + r->at, *end = memchr(s, '\n', r->n - r->at);
        size_t length = end ? (size_t)(end - s) : r->n - r->at;
        r->at += length + (end != NULL);
        r->line++;
        if (length && s[length - 1] == '\r')
            length--;
        bool version = r->line == 1 && length >= 8 && !memcmp(s, "#version", 8);
        if (length && !version) {
            *begin = s;
            *n = length;
            return true;
        }
    }
    return false;
}

static kztts_status add_rule(kz_merges *merges, const kz_vocab *vocab, const reader *r, const char *s, size_t n,
                             kz_err *err) {
    char quote[KZ_QUOTE];
    const char *space = memchr(s, ' ', n);
    size_t n_left = space ? (size_t)(space - s) : 0, n_right = space ? n - n_left - 1 : 0;
    if (!n_left || !n_right || memchr(space + 1, ' ', n_right))
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: line %zu, \"%s\", isn't two tokens with a space between", r->path,
                       r->line, kz_text_quote(quote, s, n));
    int32_t left = kz_vocab_find(vocab, s, n_left, "", 0), right = kz_vocab_find(vocab, space + 1, n_right, "", 0);
    int32_t merged = kz_vocab_find(vocab, s, n_left, space + 1, n_right);
    if (left < 0 || right < 0 || merged < 0)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: line %zu, \"%s\": %s isn't in vocab.json", r->path, r->line,
                       kz_text_quote(quote, s, n),
                       left < 0    ? "the first token"
                       : right < 0 ? "the second token"
                                   : "what they become");
    kz_merge_slot *slot = find_slot(merges, left, right);
    if (slot->rank != KZ_NO_RANK)
        return KZTTS_OK; /* said twice: the first rank counts */
    *slot = (kz_merge_slot){.left = left, .right = right, .rank = (uint32_t)merges->n};
    merges->merged[merges->n++] = merged;
    return KZTTS_OK;
}

static kztts_status reserve(kz_merges *merges, size_t n_rule, const char *path, kz_err *err) {
    size_t n_slot = 64;
    while (n_slot / 2 < n_rule)
        n_slot *= 2;
    merges->slot = kz_alloc(n_slot, sizeof *merges->slot);
    merges->merged = kz_alloc(n_rule + 1, sizeof *merges->merged);
    if (!merges->slot || !merges->merged)
        return kz_fail_memory(err, n_slot * sizeof *merges->slot, path);
    merges->mask = n_slot - 1;
    for (size_t i = 0; i < n_slot; i++)
        merges->slot[i].rank = KZ_NO_RANK;
    return KZTTS_OK;
}

static kztts_status parse(kz_merges *merges, const kz_vocab *vocab, reader r, kz_err *err) {
    const char *s;
    size_t n, n_rule = 0;
    for (reader count = r; next_line(&count, &s, &n);)
        n_rule++;
    KZ_TRY(reserve(merges, n_rule, r.path, err));
    while (next_line(&r, &s, &n))
        KZ_TRY(add_rule(merges, vocab, &r, s, n, err));
    return KZTTS_OK;
}

kztts_status kz_merges_load(kz_merges *merges, const kz_vocab *vocab, const kz_text_source *source, kz_err *err) {
    char *text;
    size_t n;
    *merges = (kz_merges){0};
    KZ_TRY(kz_text_read(&text, &n, source, err));
    kztts_status status = parse(merges, vocab, (reader){.path = source->path, .text = text, .n = n}, err);
    kz_free(text);
    if (status < 0)
        kz_merges_free(merges);
    return status;
}

void kz_merges_free(kz_merges *merges) {
    kz_free(merges->slot);
    kz_free(merges->merged);
    *merges = (kz_merges){0};
}
