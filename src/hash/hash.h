/* hash.h: SHA-256 (FIPS 180-4), and XXH64 as a checksum.  SPDX-License-Identifier: Apache-2.0
 *
 * in         bytes
 * out        64 and 16 hexadecimal digits in lower case
 * state      a kz_sha256 while bytes are added
 * threads    any; an object by one at a time
 * memory     the caller's
 *
 * The one header of src/ that frontends may include: plain arithmetic, without types or errors of ours. */
#ifndef KZ_HASH_H
#define KZ_HASH_H

#include <stddef.h>
#include <stdint.h>

enum { KZ_HASH_TEXT = 65 }; /* the digits with their zero */

typedef struct kz_sha256 {
    uint32_t h[8];
    uint64_t n_byte;
    unsigned char block[64];
} kz_sha256;

void kz_sha256_init(kz_sha256 *s);
void kz_sha256_add(kz_sha256 *s, const void *data, size_t n);
void kz_sha256_end(kz_sha256 *s, char hex[KZ_HASH_TEXT]);

/* All at once. */
void kz_sha256_hex(const void *data, size_t n, char hex[KZ_HASH_TEXT]);

/* XXH64 with the seed 0, of prepared files and snapshots: it tells damage, not forgery. */
enum { KZ_SUM_DIGITS = 16 };
uint64_t kz_sum(const void *data, size_t n);
void kz_sum_write(char *digits, uint64_t sum); /* KZ_SUM_DIGITS digits, no zero behind them */

#endif
