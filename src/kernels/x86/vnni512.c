/* vnni512.c: quantised matmuls for AVX-512 and its VNNI.  SPDX-License-Identifier: Apache-2.0 */
#if !defined(__AVX512VNNI__)
#error "this file needs -mavx512vnni"
#endif

#include "kernels/x86/int_avx512.h"

#include "kernels/tmpl/quantized.h"

KZ_Q_RUN(avx512vnni)
