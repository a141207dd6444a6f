/* manifest_json.c: an item of a manifest from a line of JSON: a flat object.  SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "manifest.h"

static void skip_blanks(const char **p, const char *end) {
    while (*p < end && (**p == ' ' || **p == '\t' || **p == '\r'))
        (*p)++;
}

/* Length of the string with its quotes that begins at p, 0 when it has no end. */
static size_t string_length(const char *p, const char *end) {
    for (const char *q = p + 1; q < end; q++) {
        if (*q == '\\')
            q++;
        else if (*q == '"')
            return (size_t)(q + 1 - p);
    }
    return 0;
}

/* The string at *p, decoded into fresh memory. */
static const char *take_string(const char **p, const char *end, char **out, size_t *n_out) {
    size_t n = *p < end && **p == '"' ? string_length(*p, end) : 0;
    if (!n)
        return "a string in quotes was expected";
    *out = malloc(n + 1);
    if (!*out)
        return "there is no memory for it";
    const char *wrong = kz_cli_json_string(*p, n, *out, n_out);
    if (!wrong && memchr(*out, 0, *n_out))
        wrong = "a text can't hold U+0000";
    if (!wrong)
        (*out)[*n_out] = '\0';
    *p += n;
    return wrong;
}

/* A number or null at *p, as it is written. */
static const char *take_word(const char **p, const char *end, char **out, size_t *n_out) {
    const char *from = *p;
    while (*p < end && strchr("+-.0123456789eEnul", **p) && **p)
        (*p)++;
    size_t n = (size_t)(*p - from);
    bool null = n == 4 && memcmp(from, "null", 4) == 0;
    if (!n || (!null && strchr("nul", *from)))
        return "values are strings, numbers or null";
    *out = malloc(n + 1);
    if (!*out)
        return "there is no memory for it";
    *n_out = null ? 0 : n;
    memcpy(*out, from, *n_out);
    (*out)[*n_out] = '\0';
    return NULL;
}

static const char *take_pair(kz_item *item, const char **p, const char *end, char message[KZ_MANIFEST_WRONG]) {
    char *name = NULL, *value = NULL;
    size_t n_name = 0, n = 0;
    const char *wrong = take_string(p, end, &name, &n_name);
    skip_blanks(p, end);
    if (!wrong && (*p == end || *(*p)++ != ':'))
        wrong = "':' was expected behind a name";
    skip_blanks(p, end);
    if (!wrong)
        wrong = *p < end && **p == '"' ? take_string(p, end, &value, &n) : take_word(p, end, &value, &n);
    if (!wrong)
        wrong = kz_manifest_set(item, name, n_name, value, n, message);
    free(name);
    free(value);
    return wrong;
}

const char *kz_manifest_json(kz_item *item, const char *line, size_t n, char message[KZ_MANIFEST_WRONG]) {
    const char *p = line, *end = line + n, *wrong = NULL;
    skip_blanks(&p, end);
    if (p == end || *p++ != '{')
        return "an object in braces was expected";
    skip_blanks(&p, end);
    bool empty = p < end && *p == '}';
    for (bool more = !empty; more && !wrong; more = p < end && *p == ',' && ++p) {
        skip_blanks(&p, end);
        wrong = take_pair(item, &p, end, message);
        skip_blanks(&p, end);
    }
    if (wrong)
        return wrong;
    if (p == end || *p++ != '}')
        return "',' or '}' was expected";
    skip_blanks(&p, end);
    return p == end ? NULL : "there is something behind the object";
}
