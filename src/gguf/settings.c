/* settings.c: a file's keys as the text of a checkpoint's settings.  SPDX-License-Identifier: Apache-2.0
 *
 * A tree is made after the layout's table, then completed by what tensors tell, and printed. Bounds are checked where
 * every checkpoint's are: by the reader of that text. */
#include <stdlib.h>
#include <string.h>

#include "gguf/derive.h"

/* ---- the tree ---------------------------------------------------------------------------------------------- */

/* The value of "a.b.c", or NULL. */
cJSON *kz_gg_get(const cJSON *tree, const char *path) {
    char part[64];
    const cJSON *at = tree;
    while (at) {
        size_t n = strcspn(path, ".");
        if (n >= sizeof part)
            return NULL;
        memcpy(part, path, n);
        part[n] = '\0';
        at = cJSON_GetObjectItemCaseSensitive(at, part);
        if (!path[n])
            break;
        path += n + 1;
    }
    return (cJSON *)(uintptr_t)at;
}

kztts_status kz_gg_set(kz_gg_source *s, cJSON *tree, const char *path, cJSON *value) {
    char part[64];
    cJSON *at = tree;
    for (size_t n; value && (n = strcspn(path, ".")) < sizeof part; path += n + 1) {
        memcpy(part, path, n);
        part[n] = '\0';
        if (!path[n]) {
            if (cJSON_AddItemToObject(at, part, value))
                return KZTTS_OK;
            break;
        }
        cJSON *child = cJSON_GetObjectItemCaseSensitive(at, part);
        at = child ? child : cJSON_AddObjectToObject(at, part);
        if (!at)
            break;
    }
    cJSON_Delete(value);
    return kz_fail_memory(s->err, 64, "settings");
}

/* ---- keys -------------------------------------------------------------------------------------------------- */

const kz_gg_value *kz_gg_find_key(const kz_gg_source *s, const char *key, const kz_gg_file **file) {
    for (int h = 0; h < 2; h++)
        if (s->half[h].scheme) {
            const kz_gg_value *v = kz_gg_find(&s->half[h].files[0], key);
            *file = &s->half[h].files[0];
            if (v)
                return v;
        }
    return NULL;
}

/* The first of the row's keys that is there. */
static const kz_gg_value *find_alternative(const kz_gg_source *s, const char *keys, const kz_gg_file **file) {
    char key[128];
    while (keys && *keys) {
        size_t n = strcspn(keys, "|");
        if (n < sizeof key) {
            memcpy(key, keys, n);
            key[n] = '\0';
            const kz_gg_value *v = kz_gg_find_key(s, key, file);
            if (v)
                return v;
        }
        keys += n + (keys[n] == '|');
    }
    return NULL;
}

static kztts_status wrong_type(const kz_gg_source *s, const kz_gg_file *f, const kz_gg_value *v, const char *expected) {
    return kz_fail(s->err, KZTTS_ERROR_FORMAT, "%s: key \"%s\": expected %s, found %s%s", f->label,
                   kz_gg_show(v->key).s, expected, v->type == KZ_GG_ARRAY ? "an array of " : "type ",
                   kz_gg_type_name(v->item));
}

static cJSON *text_value(kz_gg_string text) {
    char *copy = memchr(text.s, '\0', text.n) ? NULL : kz_strndup(text.s, text.n);
    cJSON *value = copy ? cJSON_CreateString(copy) : NULL;
    kz_free(copy);
    return value;
}

static cJSON *list_value(const kz_gg_value *v) {
    int64_t x;
    cJSON *list = v->n <= KZ_MAX_LIST ? cJSON_CreateArray() : NULL;
    for (uint64_t i = 0; list && i < v->n; i++) {
        cJSON *item = kz_gg_int_at(v, i, &x) ? cJSON_CreateNumber((double)x) : NULL;
        if (!item || !cJSON_AddItemToArray(list, item)) {
            cJSON_Delete(item);
            cJSON_Delete(list);
            return NULL;
        }
    }
    return list;
}

static kztts_status convert(const kz_gg_source *s, const kz_gg_key *row, const kz_gg_file *f, const kz_gg_value *v,
                            cJSON **out) {
    int64_t whole;
    double x;
    bool truth;
    kz_gg_string text;
    const char *expected = NULL;
    if (row->kind == 'i')
        expected = kz_gg_int(v, &whole) ? NULL : "a whole number";
    else if (row->kind == 'f')
        expected = kz_gg_number(v, &x) && x > -1e300 && x < 1e300 ? NULL : "a number";
    else if (row->kind == 'b')
        expected = kz_gg_bool(v, &truth) ? NULL : "true or false";
    else if (row->kind == 's')
        expected = kz_gg_text(v, &text) ? NULL : "a string";
    else if (v->type != KZ_GG_ARRAY)
        expected = "a list";
    if (expected)
        return wrong_type(s, f, v, expected);
    *out = row->kind == 'i'   ? cJSON_CreateNumber((double)whole)
           : row->kind == 'f' ? cJSON_CreateNumber(x)
           : row->kind == 'b' ? cJSON_CreateBool(truth)
           : row->kind == 's' ? text_value(text)
                              : list_value(v);
    return *out ? KZTTS_OK : wrong_type(s, f, v, "a short list of whole numbers or readable text");
}

/* ---- settings without a key -------------------------------------------------------------------------------- */

/* "#tensor:i" or "#tensor:i/path" */
static cJSON *size_of(const kz_gg_source *s, const cJSON *tree, const char *text) {
    char name[KZ_GG_NAME];
    const char *colon = strrchr(text, ':'), *by = strchr(text, '/');
    size_t n = (size_t)(colon - text - 1), i = (size_t)(colon[1] - '0');
    memcpy(name, text + 1, n);
    name[n] = '\0';
    const kz_tensor *t = kz_gg_tensor_named(s, name);
    if (!t || i >= (size_t)t->n_dim)
        return NULL;
    double divisor = 1;
    if (by) {
        const cJSON *other = kz_gg_get(tree, by + 1);
        divisor = cJSON_IsNumber(other) && other->valuedouble >= 1 ? other->valuedouble : 0;
    }
    return divisor > 0 ? cJSON_CreateNumber((double)(size_t)((double)t->shape[i] / divisor)) : NULL;
}

/* "?text:id" */
static cJSON *token_of(const kz_gg_source *s, const char *text) {
    const char *colon = strrchr(text, ':');
    int64_t id = kz_gg_token_id(s, text + 1, (size_t)(colon - text - 1));
    return cJSON_CreateNumber(id >= 0 ? (double)id : strtod(colon + 1, NULL));
}

static cJSON *other_value(const kz_gg_source *s, const cJSON *tree, const kz_gg_key *row) {
    const char *text = row->otherwise;
    if (text[0] == '#')
        return size_of(s, tree, text);
    if (text[0] == '?')
        return token_of(s, text);
    if (text[0] == '!')
        return kz_gg_special(s, tree, row->path);
    if (text[0] == '@') {
        const cJSON *other = kz_gg_get(tree, text + 1);
        return other ? cJSON_Duplicate(other, 1) : NULL;
    }
    return cJSON_Parse(text);
}

static kztts_status missing(const kz_gg_source *s, const kz_gg_scheme *scheme, const kz_gg_key *row) {
    const kz_gg_file *f = &s->half[scheme->is_codec].files[0];
    if (row->key && *row->key)
        return kz_fail(s->err, KZTTS_ERROR_FORMAT, "%s: layout %c: key \"%.*s\" is missing", f->label, scheme->name,
                       (int)strcspn(row->key, "|"), row->key);
    return kz_fail(s->err, KZTTS_ERROR_FORMAT,
                   "%s: layout %c: nothing tells %s: a tensor that would is missing or of another shape", f->label,
                   scheme->name, row->path);
}

static kztts_status add_row(kz_gg_source *s, const kz_gg_scheme *scheme, cJSON *tree, const kz_gg_key *row) {
    const kz_gg_file *f = NULL;
    const kz_gg_value *v = find_alternative(s, row->key, &f);
    cJSON *value = NULL;
    if (v)
        KZ_TRY(convert(s, row, f, v, &value));
    else if (row->otherwise && !*row->otherwise)
        return KZTTS_OK;
    else if (row->otherwise)
        value = other_value(s, tree, row);
    if (!value && row->otherwise && row->otherwise[0] == '@')
        return KZTTS_OK; /* the other one is left out too */
    return value ? kz_gg_set(s, tree, row->path, value) : missing(s, scheme, row);
}

/* ---- texts ------------------------------------------------------------------------------------------------- */

static kztts_status fill(kz_gg_source *s, kz_gguf_text which, cJSON *tree) {
    const kz_gg_scheme *scheme = s->half[which == KZ_GGUF_CODEC].scheme;
    const kz_gg_key *row = which == KZ_GGUF_CODEC        ? scheme->codec
                           : which == KZ_GGUF_GENERATION ? scheme->generation
                                                         : scheme->config;
    for (; row && row->path; row++)
        KZ_TRY(add_row(s, scheme, tree, row));
    if (which == KZ_GGUF_CODEC)
        return kz_gg_derive_codec(s, tree);
    if (which == KZ_GGUF_GENERATION)
        return KZTTS_OK;
    KZ_TRY(kz_gg_lists_add(s, tree));
    return kz_gg_derive_speaker(s, tree);
}

kztts_status kz_gg_settings(kz_gg_source *s, kz_gguf_text which, char **text, size_t *n) {
    cJSON *tree = cJSON_CreateObject();
    kztts_status status = tree ? fill(s, which, tree) : KZTTS_ERROR_MEMORY;
    char *printed = status >= 0 ? cJSON_PrintUnformatted(tree) : NULL;
    *text = printed ? kz_strndup(printed, strlen(printed)) : NULL;
    *n = *text ? strlen(*text) : 0;
    cJSON_free(printed);
    cJSON_Delete(tree);
    if (status == KZTTS_ERROR_MEMORY || (status >= 0 && !*text))
        return kz_fail_memory(s->err, 1 << 12, "settings");
    return status;
}
