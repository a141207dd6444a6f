/* i8mm.c: quantised matmuls for AArch64 CPUs with the matrix product of bytes.  SPDX-License-Identifier: Apache-2.0 */
#if !defined(__ARM_FEATURE_MATMUL_INT8)
#error "this file needs +i8mm"
#endif

#include "kernels/arm/int_i8mm.h"

#include "kernels/tmpl/quantized.h"

KZ_Q_RUN(i8mm)
