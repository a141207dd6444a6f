/* importing.h: what the readers of other engines' files share. Private to voice/.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_VOICE_IMPORTING_H
#define KZ_VOICE_IMPORTING_H

#include "voice/internal.h"

enum {
    KZ_IMPORT_TEXTS = 4,
    KZ_QWEN_GROUPS = 16,    /* codes a frame of the released codec, where a form doesn't say */
    KZ_QWEN_CODE_BITS = 11, /* and of how many bits */
};

/* A file that is being read: begin, put what it has, end. Everything put is checked. */
typedef struct kz_importing {
    kz_voice_file *f;
    kz_voice_fields fields; /* label and err inside */
    char hash[KZ_HASH_TEXT];
    char *text[KZ_IMPORT_TEXTS]; /* that fields point into */
    size_t n_text;
} kz_importing;

/* Empties f; family, source and hash are what every import has. data: the bytes that the hash is of. */
void kz_importing_begin(kz_importing *r, kz_voice_file *f, const void *data, size_t n, const char *label, kz_err *err);

/* n bytes as the text of a key; blanks at the end are cut off, nothing is put for an empty one. FORMAT: not UTF-8. */
kztts_status kz_importing_text(kz_importing *r, kz_voice_key key, const void *bytes, size_t n);

/* Room for the vector and for the codes, once the counts are within bounds. */
kztts_status kz_importing_vector(kz_importing *r, size_t n);
kztts_status kz_importing_codes(kz_importing *r, size_t n_frame, size_t n_code);

/* n little-endian floats into the vector. */
kztts_status kz_importing_floats(kz_importing *r, const unsigned char *bytes, size_t n);

/* The outcome of everything put: a whole voice, or an empty one and the failure. */
kztts_status kz_importing_end(kz_importing *r, kztts_status status);

/* A little-endian number at any address. */
float kz_little_float(const unsigned char *p);

#endif
