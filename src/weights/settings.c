/* settings.c: single values of JSON settings.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "weights/settings.h"

kztts_status kz_settings_fail(const kz_settings *s, const char *key, const char *expected, const cJSON *found) {
    if (!found)
        (void)kz_json_item(&found, s->json, key); /* tells null from missing */
    return kz_fail(s->err, KZTTS_ERROR_FORMAT, "%s: %s%s: expected %s, found %s", s->file, s->path, kz_show(key).s,
                   expected, kz_show_json(found).s);
}

kztts_status kz_settings_find(const kz_settings *s, const char *key, const cJSON **out) {
    if (!kz_json_item(out, s->json, key))
        return kz_fail(s->err, KZTTS_ERROR_FORMAT, "%s: %s%s is there twice", s->file, s->path, key);
    if (cJSON_IsNull(*out))
        *out = NULL;
    return KZTTS_OK;
}

kztts_status kz_settings_child(kz_settings *child, const kz_settings *s, const char *key, const char *path,
                               kz_presence presence) {
    const cJSON *v;
    KZ_TRY(kz_settings_find(s, key, &v));
    if (v ? !cJSON_IsObject(v) : presence == KZ_REQUIRED)
        return kz_settings_fail(s, key, "an object", v);
    *child = (kz_settings){.json = v, .file = s->file, .path = path, .err = s->err};
    return KZTTS_OK;
}

static kztts_status fail_range(const kz_settings *s, const char *key, size_t min, size_t max, const cJSON *found) {
    char expected[80];
    (void)snprintf(expected, sizeof expected, "an integer from %zu to %zu", min, max);
    return kz_settings_fail(s, key, expected, found);
}

kztts_status kz_settings_size(const kz_settings *s, const char *key, size_t min, size_t max, kz_presence presence,
                              size_t *out) {
    const cJSON *v;
    size_t n;
    KZ_TRY(kz_settings_find(s, key, &v));
    if (!v && presence == KZ_OPTIONAL)
        return KZTTS_OK;
    if (!v || !kz_json_size(v, &n) || n < min || n > max)
        return fail_range(s, key, min, max, v);
    *out = n;
    return KZTTS_OK;
}

kztts_status kz_settings_int(const kz_settings *s, const char *key, int min, int max, kz_presence presence, int *out) {
    size_t n = (size_t)*out;
    KZ_TRY(kz_settings_size(s, key, (size_t)min, (size_t)max, presence, &n));
    *out = (int)n;
    return KZTTS_OK;
}

kztts_status kz_settings_float(const kz_settings *s, const char *key, double min, double max, kz_presence presence,
                               float *out) {
    const cJSON *v;
    KZ_TRY(kz_settings_find(s, key, &v));
    if (!v && presence == KZ_OPTIONAL)
        return KZTTS_OK;
    if (!cJSON_IsNumber(v) || !(v->valuedouble >= min && v->valuedouble <= max)) {
        char expected[80];
        (void)snprintf(expected, sizeof expected, "a number from %g to %g", min, max);
        return kz_settings_fail(s, key, expected, v);
    }
    *out = (float)v->valuedouble;
    return KZTTS_OK;
}

kztts_status kz_settings_bool(const kz_settings *s, const char *key, kz_presence presence, bool *out) {
    const cJSON *v;
    KZ_TRY(kz_settings_find(s, key, &v));
    if (!v && presence == KZ_OPTIONAL)
        return KZTTS_OK;
    if (!cJSON_IsBool(v))
        return kz_settings_fail(s, key, "true or false", v);
    *out = cJSON_IsTrue(v) != 0;
    return KZTTS_OK;
}

kztts_status kz_settings_string(const kz_settings *s, const char *key, const char **out) {
    const cJSON *v;
    KZ_TRY(kz_settings_find(s, key, &v));
    if (!cJSON_IsString(v))
        return kz_settings_fail(s, key, "a string", v);
    *out = v->valuestring;
    return KZTTS_OK;
}

kztts_status kz_settings_sizes(const kz_settings *s, const char *key, size_t min, size_t max, size_t max_n, size_t *out,
                               size_t *n) {
    const cJSON *list;
    char expected[80];
    KZ_TRY(kz_settings_find(s, key, &list));
    *n = 0;
    (void)snprintf(expected, sizeof expected, "a list of 1 to %zu integers", max_n);
    if (!cJSON_IsArray(list) || !list->child)
        return kz_settings_fail(s, key, expected, list);
    for (const cJSON *v = list->child; v; v = v->next) {
        if (*n == max_n)
            return kz_settings_fail(s, key, expected, list);
        if (!kz_json_size(v, &out[*n]) || out[*n] < min || out[*n] > max)
            return fail_range(s, key, min, max, v);
        ++*n;
    }
    return KZTTS_OK;
}

kztts_status kz_settings_expect(const kz_settings *s, const char *key, kz_presence presence, const char *word) {
    const cJSON *v;
    KZ_TRY(kz_settings_find(s, key, &v));
    if (!v && presence == KZ_OPTIONAL)
        return KZTTS_OK;
    if (!cJSON_IsString(v) || strcmp(v->valuestring, word) != 0) {
        char expected[80];
        (void)snprintf(expected, sizeof expected, "\"%s\"", word);
        return kz_settings_fail(s, key, expected, v);
    }
    return KZTTS_OK;
}

kztts_status kz_settings_expect_size(const kz_settings *s, const char *key, kz_presence presence, size_t value,
                                     const char *why) {
    const cJSON *v;
    size_t n;
    KZ_TRY(kz_settings_find(s, key, &v));
    if (!v && presence == KZ_OPTIONAL)
        return KZTTS_OK;
    if (!kz_json_size(v, &n) || n != value) {
        char expected[160];
        (void)snprintf(expected, sizeof expected, "%zu (%s)", value, why);
        return kz_settings_fail(s, key, expected, v);
    }
    return KZTTS_OK;
}

kztts_status kz_settings_expect_false(const kz_settings *s, const char *key) {
    const cJSON *v;
    KZ_TRY(kz_settings_find(s, key, &v));
    return v && !cJSON_IsFalse(v) ? kz_settings_fail(s, key, "false", v) : KZTTS_OK;
}

kztts_status kz_settings_expect_absent(const kz_settings *s, const char *key) {
    const cJSON *v;
    KZ_TRY(kz_settings_find(s, key, &v));
    return v ? kz_settings_fail(s, key, "null", v) : KZTTS_OK;
}
