/* provenance.h: what sound files say about where they come from.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_PROVENANCE_H
#define KZ_PROVENANCE_H

#include <stdbool.h>
#include <stddef.h>

/* UTF-8 without control characters; "" = not said. */
typedef struct kz_provenance {
    char comment[600], software[80];
} kz_provenance;

/* Reads a WAV file's INFO list, the comments of FLAC, Opus and Vorbis, the ID3 tag before MP3 and AAC, the tags of MP4.
 * Any bytes may come; other kinds of files say nothing here. */
void kz_provenance_read(kz_provenance *p, const unsigned char *data, size_t n);

/* "AI-generated speech" is said. */
bool kz_provenance_generated(const kz_provenance *p);

/* AAC, which no library here decodes: what can be told all the same. */
typedef struct kz_aac_info {
    const char *format; /* for people */
    int rate, channels;
    double seconds;
} kz_aac_info;

bool kz_aac_inspect(const unsigned char *data, size_t n, kz_aac_info *info);

#endif
