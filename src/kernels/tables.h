/* tables.h: the tables a build may hold.  SPDX-License-Identifier: Apache-2.0
 *
 * The build system defines KZ_HAVE_AVX2, KZ_HAVE_NEON, ... for every source of the library when the table's file is part
 * of it. A level that only adds instructions for whole numbers has its quantised matmuls in a file of its own; its table,
 * beside that of the level below, shares all else with it. */
#ifndef KZ_KERNELS_TABLES_H
#define KZ_KERNELS_TABLES_H

#include "kernels/kernels.h"

extern const kz_kernels kz_kernels_c;
extern const kz_kernels kz_kernels_avx2;
extern const kz_kernels kz_kernels_avx2vnni;
extern const kz_kernels kz_kernels_avx512;
extern const kz_kernels kz_kernels_avx512vnni;
extern const kz_kernels kz_kernels_amx;
extern const kz_kernels kz_kernels_neon;
extern const kz_kernels kz_kernels_dotprod;
extern const kz_kernels kz_kernels_i8mm;

#define KZ_QUANTIZED_MATMULS(isa)                                                                                      \
    void kz_mm_q8_##isa(const kz_mm *mm, size_t p0, size_t p1, size_t r0, size_t r1);                                  \
    void kz_mm_q4_##isa(const kz_mm *mm, size_t p0, size_t p1, size_t r0, size_t r1);                                  \
    void kz_mm_q4_0_##isa(const kz_mm *mm, size_t p0, size_t p1, size_t r0, size_t r1);
KZ_QUANTIZED_MATMULS(avx2)
KZ_QUANTIZED_MATMULS(avx2vnni)
KZ_QUANTIZED_MATMULS(avx512)
KZ_QUANTIZED_MATMULS(avx512vnni)
KZ_QUANTIZED_MATMULS(amx)
KZ_QUANTIZED_MATMULS(neon)
KZ_QUANTIZED_MATMULS(dotprod)
KZ_QUANTIZED_MATMULS(i8mm)

#endif
