/* dotprod.c: quantised matmuls for AArch64 CPUs with the dot product of bytes.  SPDX-License-Identifier: Apache-2.0 */
#if !defined(__ARM_FEATURE_DOTPROD)
#error "this file needs +dotprod"
#endif

#include "kernels/arm/int_neon.h"

#include "kernels/tmpl/quantized.h"

KZ_Q_RUN(dotprod)
