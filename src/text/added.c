/* added.c: the added tokens of tokenizer_config.json and where they stand in text.  SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>

#include "text/internal.h"

/* The id in a key of added_tokens_decoder, or -1. */
static int32_t parse_id(const char *key) {
    int32_t id = 0;
    size_t n = strlen(key);
    if (n < 1 || n > 8)
        return -1;
    for (size_t i = 0; i < n; i++) {
        if (key[i] < '0' || key[i] > '9')
            return -1;
        id = id * 10 + (key[i] - '0');
    }
    return id <= KZ_TOKEN_ID_MAX ? id : -1;
}

/* Ways of matching that no Qwen tokenizer uses; silently wrong ids would be worse than a refusal. */
static const char *unsupported_flag(const cJSON *item) {
    static const char *const flag[] = {"lstrip", "rstrip", "single_word", "normalized"};
    for (size_t i = 0; i < sizeof flag / sizeof *flag; i++)
        if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(item, flag[i])))
            return flag[i];
    return NULL;
}

static kztts_status add_token(kz_added *added, kz_vocab *vocab, const cJSON *item, const char *path, kz_err *err) {
    char quote[KZ_QUOTE];
    const char *key = kz_text_quote(quote, item->string, strlen(item->string));
    int32_t id = parse_id(item->string);
    if (id < 0)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: added_tokens_decoder has the key \"%s\", not an id from 0 to %d",
                       path, key, KZ_TOKEN_ID_MAX);
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "content"));
    size_t n = text ? strlen(text) : 0;
    if (n < 1 || n > KZ_ADDED_LENGTH_MAX)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: added token %s needs a \"content\" of 1 to %d bytes", path, key,
                       KZ_ADDED_LENGTH_MAX);
    const char *flag = unsupported_flag(item);
    if (flag)
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: added token %s sets \"%s\", which isn't supported", path, key,
                       flag);
    int32_t same = kz_vocab_find(vocab, text, n, "", 0); /* may be listed in the vocabulary too */
    if (same != id && (same >= 0 || !kz_vocab_use(vocab, id)))
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: added token %s contradicts vocab.json, or has another one's id",
                       path, key);
    kz_added_token *token = &added->token[added->n];
    *token = (kz_added_token){.text = kz_strndup(text, n), .n = n, .id = id};
    if (!token->text)
        return kz_fail_memory(err, n, path);
    added->n++;
    added->starts[(unsigned char)text[0]] = true;
    return KZTTS_OK;
}

static int compare(const void *a, const void *b) {
    const kz_added_token *x = a, *y = b;
    int order = memcmp(x->text, y->text, x->n < y->n ? x->n : y->n);
    return order ? order : (x->n > y->n) - (x->n < y->n);
}

static kztts_status fill(kz_added *added, kz_vocab *vocab, const cJSON *tree, const char *path, kz_err *err) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(tree, "added_tokens_decoder");
    size_t n = 0;
    char quote[KZ_QUOTE];
    if (!cJSON_IsObject(list))
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: added_tokens_decoder is missing or not an object", path);
    for (const cJSON *item = list->child; item; item = item->next)
        n++;
    added->token = kz_alloc(n + 1, sizeof *added->token);
    if (!added->token)
        return kz_fail_memory(err, n * sizeof *added->token, path);
    for (const cJSON *item = list->child; item; item = item->next)
        KZ_TRY(add_token(added, vocab, item, path, err));
    qsort(added->token, added->n, sizeof *added->token, compare);
    for (size_t i = 1; i < added->n; i++)
        if (!compare(&added->token[i - 1], &added->token[i]))
            return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: added token \"%s\" is there twice", path,
                           kz_text_quote(quote, added->token[i].text, added->token[i].n));
    return KZTTS_OK;
}

kztts_status kz_added_load(kz_added *added, kz_vocab *vocab, const kz_text_source *source, kz_err *err) {
    cJSON *tree;
    *added = (kz_added){0};
    KZ_TRY(kz_text_read_json(&tree, source, err));
    kztts_status status = fill(added, vocab, tree, source->path, err);
    cJSON_Delete(tree);
    if (status < 0)
        kz_added_free(added);
    return status;
}

void kz_added_free(kz_added *added) {
    for (size_t i = 0; i < added->n; i++)
        kz_free(added->token[i].text);
    kz_free(added->token);
    *added = (kz_added){0};
}

/* The first of token[lo .. hi) whose byte at `depth` is at least `byte` (256: hi). All are longer than depth and agree
 * before it. */
static size_t first_from(const kz_added *added, size_t lo, size_t hi, size_t depth, unsigned byte) {
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if ((unsigned char)added->token[mid].text[depth] < byte)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

const kz_added_token *kz_added_match(const kz_added *added, const char *text, size_t n, size_t at) {
    const kz_added_token *longest = NULL;
    size_t lo = 0, hi = added->n;
    if (!added->starts[(unsigned char)text[at]])
        return NULL;
    /* token[lo .. hi) are those that agree with the text so far; the shortest is the first */
    for (size_t depth = 0; lo < hi; depth++) {
        if (added->token[lo].n == depth)
            longest = &added->token[lo++];
        if (at + depth == n)
            break;
        unsigned byte = (unsigned char)text[at + depth];
        lo = first_from(added, lo, hi, depth, byte);
        hi = first_from(added, lo, hi, depth, byte + 1);
    }
    return longest;
}
