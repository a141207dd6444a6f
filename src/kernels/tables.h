/* tables.h: the tables a build may hold.  SPDX-License-Identifier: Apache-2.0
 *
 * The build system defines KZ_HAVE_AVX2, KZ_HAVE_AVX512, KZ_HAVE_NEON (1) for every source of the library when the
 * table's file is part of it. */
#ifndef KZ_KERNELS_TABLES_H
#define KZ_KERNELS_TABLES_H

#include "kernels/kernels.h"

extern const kz_kernels kz_kernels_c;
extern const kz_kernels kz_kernels_avx2;
extern const kz_kernels kz_kernels_avx512;
extern const kz_kernels kz_kernels_neon;

/* Kernels that other tables use too. */
#define KZ_MM_DECLARE(name) void name(const kz_mm *mm, size_t p0, size_t p1, size_t r0, size_t r1)
KZ_MM_DECLARE(kz_mm_q8_c);
KZ_MM_DECLARE(kz_mm_q4_c);
KZ_MM_DECLARE(kz_mm_q4_0_c);
void kz_quantize_c(kz_qx *q, const float *x, size_t n);

#endif
