/* avx2.c: kernels for AVX2, FMA and F16C.  SPDX-License-Identifier: Apache-2.0 */
#include "kernels/x86/vec_avx2.h"

#include "kernels/tmpl/table.h"

const kz_kernels kz_kernels_avx2 = KZ_TABLE("avx2");
