/* peak.h: the most f32 multiply-adds this machine does.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_BENCH_PEAK_H
#define KZ_BENCH_PEAK_H

#include "base/base.h"

/* GFLOP/s of independent fused multiply-adds in the registers of a CPU level ("avx2", "avx512", "neon"), on all threads of
 * the pool; 0 where there is no such loop. */
double bench_peak(kz_pool *pool, const char *level);

#endif
