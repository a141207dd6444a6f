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

#endif
