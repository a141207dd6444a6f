/* codes.h: reading the text form of codes.  SPDX-License-Identifier: Apache-2.0
 *
 * One line a frame, n_code whole numbers from 0 to codebook_size - 1, separated by blanks or tabs. Lines of blanks only
 * are skipped; lines may end in CRLF; the last one need not end at all. */
#ifndef KZ_CODES_H
#define KZ_CODES_H

#include <stddef.h>
#include <stdint.h>

enum { KZ_CODES_MAX_BYTES = 64 << 20 };

typedef struct kz_codes {
    int32_t *code; /* [n_frame, n_code], free() */
    size_t n_frame;
} kz_codes;

/* Returns 0 or the exit code of the failure, with a sentence that names line and column (both from 1) in `message`; then
 * out->code is NULL. */
int kz_codes_parse(kz_codes *out, const char *data, size_t n, int n_code, int codebook_size, char *message,
                   size_t message_size);

#endif
