/* json.h: JSON text of unknown origin in, a checked tree out. Private to weights/.  SPDX-License-Identifier: Apache-2.0
 *
 * in         bytes
 * out        a cJSON tree that is strict JSON within limits
 * state      none
 * threads    any
 * memory     the tree, freed with cJSON_Delete */
#ifndef KZ_JSON_H
#define KZ_JSON_H

#include <cjson/cJSON.h>

#include "base/base.h"

enum {
    KZ_JSON_DEPTH = 64,         /* objects and lists within each other */
    KZ_JSON_DIGITS = 60,        /* characters of a number; cJSON stops at 63 */
    KZ_JSON_SETTINGS = 1 << 16, /* values in a file of settings */
    KZ_JSON_DIRECTORY = 1 << 20 /* values in a directory of tensors: about 10 a tensor */
};

/* A string made fit for a message: shortened, and without what could upset a terminal. */
typedef struct kz_shown {
    char s[160];
} kz_shown;

kz_shown kz_show(const char *s);           /* at most 96 bytes of a name, "..." where it was cut */
kz_shown kz_show_path(const char *path);   /* at most 150 bytes of a path, its end */
kz_shown kz_show_json(const cJSON *value); /* "found" part of a message; NULL: "nothing" */

/* Whether the text is strict JSON (RFC 8259, UTF-8) within the limits above and of at most max_value values. If not,
 * *at is the offset and *what the reason. cJSON alone would take more than JSON, and needs 80 bytes of memory for two
 * of text; what passes here it can only refuse for want of memory. */
bool kz_json_check(const char *text, size_t n, size_t max_value, size_t *at, const char **what);

/* Checks and parses an object. label: the file, for messages. */
kztts_status kz_json_parse(cJSON **out, const char *text, size_t n, size_t max_value, const char *label, kz_err *err);

/* The value of a key, NULL when there is none. False when the key is there twice: cJSON would take the first, the
 * official program takes the last, so a file with two must not be read at all. */
bool kz_json_item(const cJSON **out, const cJSON *object, const char *key);

/* Whether the value is an integer from 0 to 2^53 (where doubles are exact) that fits in size_t. */
bool kz_json_size(const cJSON *value, size_t *out);

#endif
