/* tokens.c: a file's lists of tokens and merges as the text of a tokenizer's files.  SPDX-License-Identifier: Apache-2.0
 *
 * Ids are places in the list. Fillers, which only make the list as long as the text table, are no tokens. */
#include <stdio.h>
#include <string.h>

#include "gguf/buffer.h"
#include "gguf/source.h"

/* Types of tokens. */
enum { NORMAL = 1, CONTROL = 3, USER = 4, UNUSED = 5 };

enum { TEXT_LIMIT = 16 << 20 }; /* of a text: what the tokenizer takes */

/* ---- texts ------------------------------------------------------------------------------------------------- */

static void put_json(kz_gg_buffer *b, kz_gg_string text) {
    kz_gg_put_text(b, "\"");
    for (size_t i = 0, begin = 0; i <= text.n; i++) {
        unsigned char c = i < text.n ? (unsigned char)text.s[i] : 0;
        if (i < text.n && c >= 0x20 && c != '"' && c != '\\')
            continue;
        kz_gg_put(b, text.s + begin, i - begin);
        begin = i + 1;
        if (i == text.n)
            break;
        char escape[8];
        (void)snprintf(escape, sizeof escape, c < 0x20 ? "\\u%04x" : "\\%c", c);
        kz_gg_put_text(b, escape);
    }
    kz_gg_put_text(b, "\"");
}

static kztts_status take(kz_gg_buffer *b, kz_gguf_model *out, kz_gguf_text which, kz_err *err) {
    if (b->failed) {
        kz_free(b->s);
        return b->no_memory ? kz_fail_memory(err, b->cap, "the tokenizer")
                            : kz_fail(err, KZTTS_ERROR_FORMAT, "%s: the tokenizer is larger than %d bytes", out->label,
                                      TEXT_LIMIT);
    }
    out->texts[which] = b->s;
    out->n_text[which] = b->n;
    return KZTTS_OK;
}

/* ---- lists ------------------------------------------------------------------------------------------------- */

static const kz_gg_value *list_of(const kz_gg_source *s, const char *key, kz_gg_type item, const kz_gg_file **f) {
    const kz_gg_value *v = kz_gg_find_key(s, key, f);
    return v && v->type == KZ_GG_ARRAY && v->item == item ? v : NULL;
}

static const kz_gg_value *tokens_of(const kz_gg_source *s) {
    const kz_gg_file *f;
    return list_of(s, "tokenizer.ggml.tokens", KZ_GG_STRING, &f);
}

int64_t kz_gg_token_id(const kz_gg_source *s, const char *text, size_t n) {
    const kz_gg_value *tokens = tokens_of(s);
    kz_gg_walk walk = {0};
    kz_gg_string token;
    while (tokens && kz_gg_next(tokens, &walk, &token))
        if (token.n == n && !memcmp(token.s, text, n)) {
            uint64_t id = walk.i - 1, behind = s->n_text_token;
            return (int64_t)(behind && id >= behind ? id - behind : id);
        }
    return -1;
}

kztts_status kz_gg_codec_tokens(const kz_gg_source *s, kz_gg_token_fn fn, void *user) {
    const kz_gg_value *tokens = tokens_of(s);
    kz_gg_walk walk = {0};
    kz_gg_string token;
    while (tokens && s->n_text_token && kz_gg_next(tokens, &walk, &token))
        if (walk.i > s->n_text_token)
            KZ_TRY(fn(user, token, (int64_t)(walk.i - 1 - s->n_text_token)));
    return KZTTS_OK;
}

/* "[PAD151650]": how some converters fill up. */
static bool is_filler(kz_gg_string token) {
    if (token.n < 6 || memcmp(token.s, "[PAD", 4) != 0 || token.s[token.n - 1] != ']')
        return false;
    for (size_t i = 4; i + 1 < token.n; i++)
        if (token.s[i] < '0' || token.s[i] > '9')
            return false;
    return true;
}

typedef struct lists {
    const kz_gg_file *f;
    const kz_gg_value *tokens, *types, *merges;
} lists;

static kztts_status fail_list(const kz_gg_source *s, const char *key, const char *expected) {
    return kz_fail(s->err, KZTTS_ERROR_FORMAT, "%s: layout %c: key \"%s\": expected %s", s->half[0].files[0].label,
                   s->half[0].scheme->name, key, expected);
}

static kztts_status find_lists(const kz_gg_source *s, lists *l) {
    const kz_gg_file *f;
    kz_gg_string text;
    const kz_gg_value *model = kz_gg_find_key(s, "tokenizer.ggml.model", &f),
                      *pre = kz_gg_find_key(s, "tokenizer.ggml.pre", &f),
                      *types = kz_gg_find_key(s, "tokenizer.ggml.token_type", &f);
    if (model && (!kz_gg_text(model, &text) || !kz_gg_is(text, "gpt2")))
        return fail_list(s, "tokenizer.ggml.model", "\"gpt2\" (byte-level BPE)");
    if (pre && (!kz_gg_text(pre, &text) || !kz_gg_is(text, "qwen2")))
        return fail_list(s, "tokenizer.ggml.pre", "\"qwen2\", or no such key");
    l->tokens = list_of(s, "tokenizer.ggml.tokens", KZ_GG_STRING, &l->f);
    if (!l->tokens || !l->tokens->n)
        return fail_list(s, "tokenizer.ggml.tokens", "a list of strings");
    l->merges = list_of(s, "tokenizer.ggml.merges", KZ_GG_STRING, &l->f);
    if (!l->merges || !l->merges->n)
        return fail_list(s, "tokenizer.ggml.merges", "a list of strings");
    int64_t first;
    if (types && (!kz_gg_int_at(types, 0, &first) || types->n != l->tokens->n))
        return fail_list(s, "tokenizer.ggml.token_type", "a list of whole numbers, one for each token");
    l->types = types;
    return KZTTS_OK;
}

/* ---- files ------------------------------------------------------------------------------------------------- */

static int64_t type_of(const lists *l, uint64_t i, kz_gg_string token) {
    int64_t type = NORMAL;
    if (l->types)
        (void)kz_gg_int_at(l->types, i, &type);
    return is_filler(token) ? UNUSED : type;
}

/* Normal tokens into one text, those that stand in texts as they are written into the other. */
static kztts_status put_tokens(const kz_gg_source *s, const lists *l, kz_gg_buffer *vocab, kz_gg_buffer *added) {
    kz_gg_walk walk = {0};
    kz_gg_string token;
    size_t n_vocab = 0, n_added = 0, limit = s->n_text_token ? s->n_text_token : SIZE_MAX;
    kz_gg_put_text(vocab, "{");
    kz_gg_put_text(added, "{\"added_tokens_decoder\":{");
    while (walk.i < limit && kz_gg_next(l->tokens, &walk, &token)) {
        char id[32];
        int64_t type = type_of(l, walk.i - 1, token);
        if (type == UNUSED)
            continue;
        if (!token.n || memchr(token.s, '\0', token.n))
            return kz_fail(s->err, KZTTS_ERROR_FORMAT, "%s: key \"tokenizer.ggml.tokens\": token %llu is %s",
                           l->f->label, (unsigned long long)(walk.i - 1), token.n ? "cut by a zero byte" : "empty");
        if (type == CONTROL || type == USER) {
            (void)snprintf(id, sizeof id, "%s\"%llu\":{\"content\":", n_added++ ? "," : "",
                           (unsigned long long)(walk.i - 1));
            kz_gg_put_text(added, id);
            put_json(added, token);
            kz_gg_put_text(added, "}");
            continue;
        }
        kz_gg_put_text(vocab, n_vocab++ ? "," : "");
        put_json(vocab, token);
        (void)snprintf(id, sizeof id, ":%llu", (unsigned long long)(walk.i - 1));
        kz_gg_put_text(vocab, id);
    }
    kz_gg_put_text(vocab, "}");
    kz_gg_put_text(added, "}}");
    return KZTTS_OK;
}

static kztts_status put_merges(const kz_gg_source *s, const lists *l, kz_gg_buffer *b) {
    kz_gg_walk walk = {0};
    kz_gg_string rule;
    while (kz_gg_next(l->merges, &walk, &rule)) {
        if (!rule.n || memchr(rule.s, '\n', rule.n) || memchr(rule.s, '\0', rule.n))
            return kz_fail(s->err, KZTTS_ERROR_FORMAT, "%s: key \"tokenizer.ggml.merges\": rule %llu is %s",
                           l->f->label, (unsigned long long)(walk.i - 1), rule.n ? "not one line" : "empty");
        kz_gg_put(b, rule.s, rule.n);
        kz_gg_put_text(b, "\n");
    }
    return KZTTS_OK;
}

kztts_status kz_gg_tokenizer(kz_gg_source *s, kz_gguf_model *out) {
    lists l = {0};
    kz_gg_buffer vocab = {.limit = TEXT_LIMIT}, merges = {.limit = TEXT_LIMIT}, added = {.limit = TEXT_LIMIT};
    KZ_TRY(find_lists(s, &l));
    kztts_status status = put_tokens(s, &l, &vocab, &added);
    if (status >= 0)
        status = put_merges(s, &l, &merges);
    if (status < 0) {
        kz_free(vocab.s);
        kz_free(merges.s);
        kz_free(added.s);
        return status;
    }
    status = take(&vocab, out, KZ_GGUF_VOCAB, s->err);
    kztts_status second = take(&merges, out, KZ_GGUF_MERGES, s->err),
                 third = take(&added, out, KZ_GGUF_TOKENIZER, s->err);
    return status < 0 ? status : second < 0 ? second : third;
}
