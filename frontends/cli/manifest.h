/* manifest.h: the list of texts that `kztts batch` speaks.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_MANIFEST_H
#define KZ_MANIFEST_H

#include "cli.h"

/* What an item may say; the order is that of kz_manifest_fields. */
typedef enum kz_field {
    KZ_FIELD_ID,
    KZ_FIELD_TEXT,
    KZ_FIELD_TEXT_FILE,
    KZ_FIELD_VOICE,
    KZ_FIELD_LANGUAGE,
    KZ_FIELD_INSTRUCT,
    KZ_FIELD_SEED,
    KZ_FIELD_OUT,
    KZ_FIELD_FORMAT,
    KZ_FIELD_SPEED,
    KZ_FIELD_SRT,
    KZ_FIELDS
} kz_field;

extern const char *const kz_manifest_fields[KZ_FIELDS];
extern const char *const kz_manifest_help[KZ_FIELDS]; /* a line about each */

/* Room for what is wrong with an item, where that isn't the same every time. */
enum { KZ_MANIFEST_WRONG = 256 };

typedef struct kz_item {
    int line;               /* of the manifest, from 1 */
    char *field[KZ_FIELDS]; /* or NULL */
} kz_item;

typedef struct kz_manifest {
    kz_item *items;
    int n, cap;
} kz_manifest;

/* By its ending: .jsonl (an object a line), .csv, .tsv (names of the fields in the first line). A byte order mark is
 * dropped. Every item is checked
 * before any is spoken: exit code 3 with the line. */
int kz_manifest_read(kz_manifest *manifest, const char *path);
void kz_manifest_free(kz_manifest *manifest);

/* manifest_json.c: one line of JSON into the item; NULL or what is wrong. */
const char *kz_manifest_json(kz_item *item, const char *line, size_t n, char message[KZ_MANIFEST_WRONG]);

/* Sets a field from n bytes; NULL or what is wrong. */
const char *kz_manifest_set(kz_item *item, const char *name, size_t n_name, const char *value, size_t n,
                            char message[KZ_MANIFEST_WRONG]);

#endif
