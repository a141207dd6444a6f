/* json.c: parsing, lookup, and showing what was found.  SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "weights/json.h"

enum { SHOW_NAME = 96, SHOW_PATH = 150 };

/* Length of the longest prefix of at most n bytes that doesn't cut a UTF-8 character. */
static size_t cut_at(const char *s, size_t n) {
    while (n && ((unsigned char)s[n] & 0xC0) == 0x80)
        n--;
    return n;
}

static void blot_controls(char *s) {
    for (; *s; s++)
        if ((unsigned char)*s < 0x20 || (unsigned char)*s == 0x7F)
            *s = '?';
}

kz_shown kz_show(const char *s) {
    kz_shown shown;
    size_t n = strlen(s);
    bool cut = n > SHOW_NAME;
    if (cut)
        n = cut_at(s, SHOW_NAME);
    (void)snprintf(shown.s, sizeof shown.s, "%.*s%s", (int)n, s, cut ? "..." : "");
    blot_controls(shown.s);
    return shown;
}

kz_shown kz_show_path(const char *path) {
    kz_shown shown;
    size_t n = strlen(path), skip = n > SHOW_PATH ? n - SHOW_PATH : 0;
    while (skip && ((unsigned char)path[skip] & 0xC0) == 0x80)
        skip++;
    (void)snprintf(shown.s, sizeof shown.s, "%s%s", skip ? "..." : "", path + skip);
    blot_controls(shown.s);
    return shown;
}

kz_shown kz_show_json(const cJSON *value) {
    kz_shown shown;
    const char *word = !value                  ? "nothing"
                       : cJSON_IsNull(value)   ? "null"
                       : cJSON_IsTrue(value)   ? "true"
                       : cJSON_IsFalse(value)  ? "false"
                       : cJSON_IsArray(value)  ? "a list"
                       : cJSON_IsObject(value) ? "an object"
                                               : NULL;
    if (word)
        (void)snprintf(shown.s, sizeof shown.s, "%s", word);
    else if (cJSON_IsString(value))
        (void)snprintf(shown.s, sizeof shown.s, "\"%.120s\"", kz_show(value->valuestring).s);
    else
        (void)snprintf(shown.s, sizeof shown.s, "%.17g", value->valuedouble);
    return shown;
}

kztts_status kz_json_parse(cJSON **out, const char *text, size_t n, size_t max_value, const char *label, kz_err *err) {
    size_t at;
    const char *what;
    *out = NULL;
    if (!kz_json_check(text, n, max_value, &at, &what))
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: not usable JSON at byte %zu: %s", label, at, what);
    cJSON *json = cJSON_ParseWithLengthOpts(text, n, NULL, 0);
    if (!json)
        return kz_fail_memory(err, n, label);
    if (!cJSON_IsObject(json)) {
        kz_shown found = kz_show_json(json);
        cJSON_Delete(json);
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: expected a JSON object, found %s", label, found.s);
    }
    *out = json;
    return KZTTS_OK;
}

bool kz_json_item(const cJSON **out, const cJSON *object, const char *key) {
    *out = NULL;
    for (const cJSON *item = object->child; item; item = item->next) {
        if (strcmp(item->string, key) != 0)
            continue;
        if (*out)
            return false;
        *out = item;
    }
    return true;
}

bool kz_json_size(const cJSON *value, size_t *out) {
    if (!cJSON_IsNumber(value))
        return false;
    double x = value->valuedouble;
    if (!(x >= 0 && x <= 9007199254740992.0) || x != floor(x) || x > (double)(SIZE_MAX / 2))
        return false;
    *out = (size_t)x;
    return true;
}
