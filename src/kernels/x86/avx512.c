/* avx512.c: kernels for AVX-512 F, BW, DQ, VL.  SPDX-License-Identifier: Apache-2.0 */
#include "kernels/x86/int_avx512.h"

#include "kernels/tmpl/table.h"

KZ_Q_RUN(avx512)

const kz_kernels kz_kernels_avx512 = KZ_TABLE("avx512", avx512);
#ifdef KZ_HAVE_AVX512VNNI
const kz_kernels kz_kernels_avx512vnni = KZ_TABLE("avx512vnni", avx512vnni);
#endif
#ifdef KZ_HAVE_AMX
const kz_kernels kz_kernels_amx = KZ_TABLE("amx", amx);
#endif
