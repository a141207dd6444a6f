/* settings.h: values out of JSON settings, by path and within bounds. Private to weights/.
 * SPDX-License-Identifier: Apache-2.0
 *
 * in         an object of a parsed file
 * out        numbers, words and lists; FORMAT with "file: path.key: expected ..., found ..." otherwise
 * state      none
 * threads    any
 * memory     strings belong to the tree */
#ifndef KZ_SETTINGS_H
#define KZ_SETTINGS_H

#include "weights/json.h"
#include "weights/weights.h"

typedef struct kz_settings {
    const cJSON *json;
    const char *file; /* for messages */
    const char *path; /* of this object, with a dot at the end; "" for the whole file */
    kz_err *err;
} kz_settings;

/* A missing or null value: FORMAT, or *out stays as it is. */
typedef enum kz_presence { KZ_REQUIRED, KZ_OPTIONAL } kz_presence;

/* "file: path.key: expected <expected>, found <value>" */
kztts_status kz_settings_fail(const kz_settings *s, const char *key, const char *expected, const cJSON *found);

/* *out: the value, NULL when it is missing or null. FORMAT when the key is there twice. */
kztts_status kz_settings_find(const kz_settings *s, const char *key, const cJSON **out);

/* path: of the child. An absent optional child has json NULL; it must not be read from. */
kztts_status kz_settings_child(kz_settings *child, const kz_settings *s, const char *key, const char *path,
                               kz_presence presence);

kztts_status kz_settings_size(const kz_settings *s, const char *key, size_t min, size_t max, kz_presence presence,
                              size_t *out);
kztts_status kz_settings_int(const kz_settings *s, const char *key, int min, int max, kz_presence presence, int *out);
kztts_status kz_settings_float(const kz_settings *s, const char *key, double min, double max, kz_presence presence,
                               float *out);
kztts_status kz_settings_bool(const kz_settings *s, const char *key, kz_presence presence, bool *out);
kztts_status kz_settings_string(const kz_settings *s, const char *key, const char **out); /* required */

/* A list of 1 to max_n integers, each min to max. */
kztts_status kz_settings_sizes(const kz_settings *s, const char *key, size_t min, size_t max, size_t max_n, size_t *out,
                               size_t *n);

/* Values that must be what the engine does. */
kztts_status kz_settings_expect(const kz_settings *s, const char *key, kz_presence presence, const char *word);
kztts_status kz_settings_expect_size(const kz_settings *s, const char *key, kz_presence presence, size_t value,
                                     const char *why);
kztts_status kz_settings_expect_false(const kz_settings *s, const char *key);  /* or absent */
kztts_status kz_settings_expect_absent(const kz_settings *s, const char *key); /* or null */

/* What the three transformers' settings have in common: sizes, activation, rotation. */
kztts_status kz_settings_stack(const kz_settings *s, kz_stack_config *out);

#endif
