/* vnni256.c: quantised matmuls for AVX2 and AVX-VNNI.  SPDX-License-Identifier: Apache-2.0 */
#if !defined(__AVXVNNI__)
#error "this file needs -mavxvnni"
#endif

#include "kernels/x86/int_avx2.h"

#include "kernels/tmpl/quantized.h"

KZ_Q_RUN(avx2vnni)
