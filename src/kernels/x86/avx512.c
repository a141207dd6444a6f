/* avx512.c: kernels for AVX-512 F, BW, DQ, VL.  SPDX-License-Identifier: Apache-2.0 */
#include "kernels/x86/vec_avx512.h"

#include "kernels/tmpl/table.h"

const kz_kernels kz_kernels_avx512 = KZ_TABLE("avx512");
