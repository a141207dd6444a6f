/* sha256.h: SHA-256 (FIPS 180-4) of a file's bytes.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_CLI_SHA256_H
#define KZ_CLI_SHA256_H

#include <stddef.h>

/* 64 lower-case hexadecimal digits and a NUL. */
void kz_cli_sha256(const void *data, size_t n, char hex[65]);

#endif
