/* limits.h: what this machine can do at most.  SPDX-License-Identifier: Apache-2.0
 *
 * in         a number of threads; sizes, CPU levels
 * out        the best of a quarter of a second of tries
 * threads    one user at a time
 *
 * Instructions of CPUs belong to src/kernels; these loops compute nothing and belong to no stage, so they are here. Linked
 * into programs, never installed. */
#ifndef KZ_LIMITS_H
#define KZ_LIMITS_H

#include <stddef.h>

typedef struct kz_limits kz_limits;

kz_limits *kz_limits_open(int threads); /* 0 = one per usable core; NULL: no memory or no threads */
void kz_limits_close(kz_limits *limits);
int kz_limits_threads(const kz_limits *limits);

/* GB/s of reading n_byte bytes again and again, a part for each thread. 0: no memory. */
double kz_limits_read(kz_limits *limits, size_t n_byte);

/* Seconds of reading n_once bytes, then n_byte bytes `times` times, after n_other other bytes have gone through the caches:
 * these take what is repeated in only step by step. 0: no memory. */
double kz_limits_repeat(kz_limits *limits, size_t n_other, size_t n_byte, size_t n_once, int times);

/* 10^9 operations a second with the instructions of a CPU level that is usable here, two a multiply-add; 0 where there is
 * no loop for it ("c"). */
double kz_limits_fma(kz_limits *limits, const char *level);
double kz_limits_int8(kz_limits *limits, const char *level);

#endif
