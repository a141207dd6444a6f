/* peak.h: the most multiply-adds this machine does.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_BENCH_PEAK_H
#define KZ_BENCH_PEAK_H

#include "base/base.h"

/* Independent multiply-adds in the registers of a CPU level ("avx2", "avx512vnni", "neon", ...) on all threads of the pool,
 * in 10^9 operations a second, two a product; 0 where there is no such loop. f32: fused ones. int8: bytes into sums, with
 * the level's own instructions (without VNNI into sums of 16 bits, the widening left out). The CPU must have the level. */
double bench_peak(kz_pool *pool, const char *level);
double bench_peak_int8(kz_pool *pool, const char *level);

#endif
