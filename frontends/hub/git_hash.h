/* git_hash.h: SHA-1 (FIPS 180-4), for the names git gives to files; no protection against forgery.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_GIT_HASH_H
#define KZ_GIT_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct kz_git_hash {
    uint32_t h[5];
    uint64_t n_byte;
    unsigned char block[64];
} kz_git_hash;

/* The hash of "blob SIZE\0" and the bytes. */
void kz_git_hash_init(kz_git_hash *s, uint64_t size);
void kz_git_hash_add(kz_git_hash *s, const void *data, size_t n);
void kz_git_hash_end(kz_git_hash *s, char hex[41]);

#endif
