/* internal.h: what the readers and writers share. Private to voice/.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_VOICE_INTERNAL_H
#define KZ_VOICE_INTERNAL_H

#include "voice/voice.h"

/* ---- keys and values while a file is read ---------------------------------------------------------------------- */

typedef struct kz_voice_fields {
    const char *value[KZ_VOICE_KEYS]; /* in the reader's memory */
    const char *label;                /* the file, for messages */
    kz_err *err;
} kz_voice_fields;

/* Keeps a value that passes the check of its key. Unknown keys are skipped. FORMAT; also for a key that came before. */
kztts_status kz_voice_fields_put(kz_voice_fields *fields, const char *key, const char *value);

/* Texts are copied, numbers are read: x_vector_only stays behind in fields->value. */
kztts_status kz_voice_fields_finish(kz_voice_file *f, const kz_voice_fields *fields);

/* Whether the parts belong together and every number is usable: FORMAT otherwise. */
kztts_status kz_voice_file_check(const kz_voice_file *f, const char *label, kz_err *err);

/* ---- bytes while a file is written ----------------------------------------------------------------------------- */

/* Starts as all zero; once memory is short it stays `failed` and takes nothing more. */
typedef struct kz_voice_buf {
    char *data;
    size_t n, cap;
    bool failed;
} kz_voice_buf;

void kz_voice_buf_put(kz_voice_buf *b, const void *data, size_t n);
void kz_voice_buf_text(kz_voice_buf *b, const char *text);
void kz_voice_buf_number(kz_voice_buf *b, uint64_t value);
void kz_voice_buf_little(kz_voice_buf *b, uint64_t value, int n_byte); /* lowest byte first */
void kz_voice_buf_quoted(kz_voice_buf *b, const char *text);           /* as a JSON string */

/* Hands the bytes over, or frees them: MEMORY. */
kztts_status kz_voice_buf_finish(kz_voice_buf *b, char **out, size_t *n, kz_err *err);

/* The value of a key as text, numbers included; NULL when there is nothing to say. room: for numbers. */
enum { KZ_VOICE_NUMBER_ROOM = 24 };
const char *kz_voice_value(const kz_voice_file *f, kz_voice_key key, char room[KZ_VOICE_NUMBER_ROOM]);

#endif
