/* avx2.c: kernels for AVX2, FMA and F16C.  SPDX-License-Identifier: Apache-2.0 */
#include "kernels/x86/int_avx2.h"

#include "kernels/tmpl/table.h"

KZ_Q_RUN(avx2)

const kz_kernels kz_kernels_avx2 = KZ_TABLE("avx2", avx2);
#ifdef KZ_HAVE_AVX2VNNI
const kz_kernels kz_kernels_avx2vnni = KZ_TABLE("avx2vnni", avx2vnni);
#endif
