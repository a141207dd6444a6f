/* sum.h: XXH64, the checksum of prepared files. Private to weights/.  SPDX-License-Identifier: Apache-2.0
 *
 * It tells damage, not forgery.
 *
 * in         bytes
 * out        64 bits
 * state      none
 * threads    any
 * memory     none */
#ifndef KZ_SUM_H
#define KZ_SUM_H

#include <stddef.h>
#include <stdint.h>

enum { KZ_SUM_DIGITS = 16 };

uint64_t kz_sum(const void *data, size_t n); /* seed 0 */

/* KZ_SUM_DIGITS lower-case hexadecimal digits, no zero behind them. */
void kz_sum_write(char *digits, uint64_t sum);

#endif
