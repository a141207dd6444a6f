/* neon.c: kernels for every AArch64.  SPDX-License-Identifier: Apache-2.0 */
#include "kernels/arm/int_neon.h"

#include "kernels/tmpl/table.h"

KZ_Q_RUN(neon)

const kz_kernels kz_kernels_neon = KZ_TABLE("neon", neon);
#ifdef KZ_HAVE_DOTPROD
const kz_kernels kz_kernels_dotprod = KZ_TABLE("dotprod", dotprod);
#endif
#ifdef KZ_HAVE_I8MM
const kz_kernels kz_kernels_i8mm = KZ_TABLE("i8mm", i8mm);
#endif
