/* write_keys.c: settings and tokenizer as keys of layout A.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gguf/derive.h"
#include "gguf/write.h"

/* ---- single ones ------------------------------------------------------------------------------------------- */

static void put_string(kz_gg_buffer *b, const char *s, size_t n) {
    kz_gg_put_number(b, n, 8);
    kz_gg_put(b, s, n);
}

static void begin_key(kz_gg_keys *k, const char *key, kz_gg_type type) {
    put_string(&k->bytes, key, strlen(key));
    kz_gg_put_number(&k->bytes, type, 4);
    k->n++;
}

static void begin_list(kz_gg_keys *k, const char *key, kz_gg_type item, uint64_t n) {
    begin_key(k, key, KZ_GG_ARRAY);
    kz_gg_put_number(&k->bytes, item, 4);
    kz_gg_put_number(&k->bytes, n, 8);
}

void kz_gg_key_text(kz_gg_keys *k, const char *key, const char *value) {
    begin_key(k, key, KZ_GG_STRING);
    put_string(&k->bytes, value, strlen(value));
}

void kz_gg_key_number(kz_gg_keys *k, const char *key, uint32_t value) {
    begin_key(k, key, KZ_GG_U32);
    kz_gg_put_number(&k->bytes, value, 4);
}

static void put_float(kz_gg_buffer *b, double x) {
    float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    kz_gg_put_number(b, bits, 4);
}

static bool is_whole(const cJSON *v, double most) {
    return cJSON_IsNumber(v) && v->valuedouble >= 0 && v->valuedouble <= most &&
           v->valuedouble == (double)(uint32_t)v->valuedouble;
}

static bool put_list(kz_gg_keys *k, const char *key, const cJSON *list) {
    if (!cJSON_IsArray(list))
        return false;
    begin_list(k, key, KZ_GG_I32, (uint64_t)cJSON_GetArraySize(list));
    for (const cJSON *v = list->child; v; v = v->next) {
        if (!is_whole(v, INT32_MAX))
            return false;
        kz_gg_put_number(&k->bytes, (uint64_t)v->valuedouble, 4);
    }
    return true;
}

static bool put_value(kz_gg_keys *k, const char *key, char kind, const cJSON *v) {
    if (kind == 'I')
        return put_list(k, key, v);
    bool fits = kind == 'i'   ? is_whole(v, UINT32_MAX)
                : kind == 'f' ? cJSON_IsNumber(v)
                : kind == 'b' ? cJSON_IsBool(v)
                              : cJSON_IsString(v);
    if (!fits)
        return false;
    if (kind == 's') {
        kz_gg_key_text(k, key, v->valuestring);
        return true;
    }
    begin_key(k, key, kind == 'i' ? KZ_GG_U32 : kind == 'f' ? KZ_GG_F32 : KZ_GG_BOOL);
    if (kind == 'f')
        put_float(&k->bytes, v->valuedouble);
    else
        kz_gg_put_number(&k->bytes, kind == 'b' ? cJSON_IsTrue(v) != 0 : (uint64_t)v->valuedouble, kind == 'b' ? 1 : 4);
    return true;
}

kztts_status kz_gg_put_keys(kz_gg_keys *k, const kz_gg_key *rows, const cJSON *tree, kz_err *err) {
    for (; rows->path; rows++) {
        const cJSON *v = rows->key ? kz_gg_get(tree, rows->path) : NULL;
        if (v && !cJSON_IsNull(v) && !put_value(k, rows->key, rows->kind, v))
            return kz_fail(err, KZTTS_ERROR_FORMAT, "setting %s: %s can't be written as key %s", rows->path,
                           kz_show_json(v).s, rows->key);
    }
    return KZTTS_OK;
}

/* ---- names ------------------------------------------------------------------------------------------------- */

static void put_names(kz_gg_keys *k, const char *names, const char *ids, const cJSON *object) {
    uint64_t n = (uint64_t)cJSON_GetArraySize(object);
    begin_list(k, names, KZ_GG_STRING, n);
    for (const cJSON *v = object->child; v; v = v->next)
        put_string(&k->bytes, v->string, strlen(v->string));
    begin_list(k, ids, KZ_GG_I32, n);
    for (const cJSON *v = object->child; v; v = v->next)
        kz_gg_put_number(&k->bytes, (uint64_t)(uint32_t)v->valueint, 4);
}

kztts_status kz_gg_put_lists(kz_gg_keys *k, const kz_gg_lists *lists, const cJSON *config, kz_err *err) {
    const cJSON *languages = kz_gg_get(config, "talker_config.codec_language_id"),
                *speakers = kz_gg_get(config, "talker_config.spk_id"),
                *dialects = kz_gg_get(config, "talker_config.spk_is_dialect");
    if (!cJSON_IsObject(languages))
        return kz_fail(err, KZTTS_ERROR_FORMAT, "setting talker_config.codec_language_id is missing");
    put_names(k, lists->language_names, lists->language_ids, languages);
    if (!cJSON_IsObject(speakers) || !speakers->child)
        return KZTTS_OK;
    put_names(k, lists->speaker_names, lists->speaker_ids, speakers);
    begin_list(k, lists->speaker_dialects, KZ_GG_STRING, (uint64_t)cJSON_GetArraySize(speakers));
    for (const cJSON *v = speakers->child; v; v = v->next) {
        const cJSON *dialect = cJSON_GetObjectItemCaseSensitive(dialects, v->string);
        const char *name = cJSON_IsString(dialect) ? dialect->valuestring : "";
        put_string(&k->bytes, name, strlen(name));
    }
    return KZTTS_OK;
}

/* ---- tokenizer --------------------------------------------------------------------------------------------- */

enum { MAX_TOKEN = 1 << 21, MAX_VALUE = 1 << 22, NORMAL = 1, ADDED = 4, UNUSED = 5 };

typedef struct token {
    const char *text;
    int type;
} token;

static kztts_status count_tokens(const cJSON *vocab, const cJSON *added, size_t *n, kz_err *err) {
    *n = 0;
    for (const cJSON *v = vocab->child; v; v = v->next) {
        if (!is_whole(v, MAX_TOKEN - 1))
            return kz_fail(err, KZTTS_ERROR_FORMAT, "vocab.json: \"%s\" has no id from 0 to %d", kz_show(v->string).s,
                           MAX_TOKEN - 1);
        *n = (size_t)v->valuedouble + 1 > *n ? (size_t)v->valuedouble + 1 : *n;
    }
    for (const cJSON *v = added ? added->child : NULL; v; v = v->next) {
        size_t id = (size_t)strtoul(v->string, NULL, 10);
        if (id >= MAX_TOKEN || !cJSON_IsString(cJSON_GetObjectItemCaseSensitive(v, "content")))
            return kz_fail(err, KZTTS_ERROR_FORMAT,
                           "tokenizer_config.json: added token %s is out of range or without text",
                           kz_show(v->string).s);
        *n = id + 1 > *n ? id + 1 : *n;
    }
    return KZTTS_OK;
}

static void put_tokens(kz_gg_keys *k, const token *tokens, size_t n) {
    begin_list(k, "tokenizer.ggml.tokens", KZ_GG_STRING, n);
    for (size_t i = 0; i < n; i++) {
        char filler[40];
        (void)snprintf(filler, sizeof filler, "<|unused-%zu|>", i);
        const char *text = tokens[i].text ? tokens[i].text : filler;
        put_string(&k->bytes, text, strlen(text));
    }
    begin_list(k, "tokenizer.ggml.token_type", KZ_GG_I32, n);
    for (size_t i = 0; i < n; i++)
        kz_gg_put_number(&k->bytes, (uint64_t)(tokens[i].text ? tokens[i].type : UNUSED), 4);
}

static kztts_status put_vocabulary(kz_gg_keys *k, const cJSON *vocab, const cJSON *added, kz_err *err) {
    size_t n;
    KZ_TRY(count_tokens(vocab, added, &n, err));
    token *tokens = kz_alloc(n + 1, sizeof *tokens);
    if (!tokens)
        return kz_fail_memory(err, n * sizeof *tokens, "tokens");
    for (const cJSON *v = vocab->child; v; v = v->next)
        tokens[(size_t)v->valuedouble] = (token){v->string, NORMAL};
    for (const cJSON *v = added ? added->child : NULL; v; v = v->next)
        tokens[strtoul(v->string, NULL, 10)] =
            (token){cJSON_GetObjectItemCaseSensitive(v, "content")->valuestring, ADDED};
    put_tokens(k, tokens, n);
    for (size_t i = 0; i < n; i++)
        if (tokens[i].text && strcmp(tokens[i].text, "<|endoftext|>") == 0) {
            begin_key(k, "tokenizer.ggml.eos_token_id", KZ_GG_U32);
            kz_gg_put_number(&k->bytes, i, 4);
        }
    kz_free(tokens);
    return KZTTS_OK;
}

/* The next rule of merges.txt, without its end. */
static bool next_rule(const char *text, size_t n, size_t *at, const char **rule, size_t *n_rule) {
    while (*at < n) {
        const char *s = text + *at, *end = memchr(s, '\n', n - *at);
        size_t length = end ? (size_t)(end - s) : n - *at;
        bool first = *at == 0;
        *at += length + (end != NULL);
        if (length && s[length - 1] == '\r')
            length--;
        if (length && !(first && length >= 8 && !memcmp(s, "#version", 8))) {
            *rule = s;
            *n_rule = length;
            return true;
        }
    }
    return false;
}

static void put_merges(kz_gg_keys *k, const char *text, size_t n) {
    const char *rule;
    size_t n_rule, at = 0, count = 0;
    while (next_rule(text, n, &at, &rule, &n_rule))
        count++;
    begin_list(k, "tokenizer.ggml.merges", KZ_GG_STRING, count);
    at = 0;
    while (next_rule(text, n, &at, &rule, &n_rule))
        put_string(&k->bytes, rule, n_rule);
}

kztts_status kz_gg_put_tokenizer(kz_gg_keys *k, const kz_gguf_contents *c, kz_err *err) {
    cJSON *vocab = NULL, *config = NULL;
    kztts_status status =
        kz_json_parse(&vocab, c->texts[KZ_GGUF_VOCAB], c->n_text[KZ_GGUF_VOCAB], MAX_VALUE, "vocab.json", err);
    if (status >= 0)
        status = kz_json_parse(&config, c->texts[KZ_GGUF_TOKENIZER], c->n_text[KZ_GGUF_TOKENIZER], MAX_VALUE,
                               "tokenizer_config.json", err);
    if (status >= 0) {
        kz_gg_key_text(k, "tokenizer.ggml.model", "gpt2");
        status = put_vocabulary(k, vocab, cJSON_GetObjectItemCaseSensitive(config, "added_tokens_decoder"), err);
        put_merges(k, c->texts[KZ_GGUF_MERGES], c->n_text[KZ_GGUF_MERGES]);
    }
    cJSON_Delete(vocab);
    cJSON_Delete(config);
    return status;
}
