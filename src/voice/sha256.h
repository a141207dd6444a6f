/* sha256.h: SHA-256 (FIPS 180-4). Private to voice/.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_SHA256_H
#define KZ_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct kz_sha256 {
    uint32_t h[8];
    uint64_t n_byte;
    unsigned char block[64];
} kz_sha256;

void kz_sha256_init(kz_sha256 *s);
void kz_sha256_add(kz_sha256 *s, const void *data, size_t n);
void kz_sha256_end(kz_sha256 *s, char hex[65]); /* lower case */

#endif
