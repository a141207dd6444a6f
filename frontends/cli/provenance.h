/* provenance.h: what sound files say about where they come from.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_PROVENANCE_H
#define KZ_PROVENANCE_H

#include <stddef.h>

typedef struct kz_provenance {
    char comment[600], software[80]; /* "" = not said */
} kz_provenance;

/* Reads the INFO list of a WAV file; other kinds of files say nothing here. */
void kz_provenance_read(kz_provenance *p, const unsigned char *data, size_t n);

#endif
