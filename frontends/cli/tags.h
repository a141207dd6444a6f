/* tags.h: readers of the tags of sound files, for provenance.c.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_TAGS_H
#define KZ_TAGS_H

#include <stdint.h>

#include "provenance.h"

/* Any bytes of a file, and how many. */
typedef struct kz_bytes {
    const unsigned char *data;
    size_t n;
} kz_bytes;

typedef enum kz_tag { KZ_TAG_COMMENT, KZ_TAG_SOFTWARE } kz_tag;

/* Takes n bytes of UTF-8, or of what should be. The first comment is kept, but one that tells of generated speech goes
 * before. */
void kz_tag_take(kz_provenance *p, kz_tag tag, const unsigned char *text, size_t n);

uint32_t kz_tag_be32(const unsigned char *p);
uint32_t kz_tag_le32(const unsigned char *p);

/* Each takes a file (Ogg, FLAC, MP4) or what begins with a tag (ID3), and may find nothing. */
void kz_tags_ogg(kz_provenance *p, kz_bytes file);
void kz_tags_flac(kz_provenance *p, kz_bytes file);
void kz_tags_mp4(kz_provenance *p, kz_bytes file);
void kz_tags_id3(kz_provenance *p, kz_bytes file);

/* Bytes of the ID3 tags at the beginning. */
size_t kz_id3_size(kz_bytes file);

bool kz_mp4_info(kz_bytes file, kz_aac_info *info);

#endif
