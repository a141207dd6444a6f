/* zip.h: uncompressed members of a zip file in memory. Private to voice/.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_VOICE_ZIP_H
#define KZ_VOICE_ZIP_H

#include "base/base.h"

/* Points into the file's bytes. */
typedef struct kz_zip {
    const unsigned char *data;
    size_t n;
    size_t directory, directory_end; /* of the central directory */
    const char *label;
    kz_err *err;
} kz_zip;

typedef struct kz_zip_member {
    const char *name; /* n_name bytes, no zero */
    size_t n_name;
    const unsigned char *data;
    size_t n;
} kz_zip_member;

bool kz_zip_is(const void *data, size_t n); /* by its first bytes */

/* FORMAT: no directory in it. */
kztts_status kz_zip_open(kz_zip *z, const void *data, size_t n, const char *label, kz_err *err);

/* The first member of this name, or (any_folder) of this name in any folder: NULL data where there is none. FORMAT when
 * it is compressed, encrypted or doesn't lie within the file. */
kztts_status kz_zip_find(const kz_zip *z, const char *name, size_t n_name, bool any_folder, kz_zip_member *out);

#endif
