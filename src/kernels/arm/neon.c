/* neon.c: kernels for every AArch64.  SPDX-License-Identifier: Apache-2.0 */
#include "kernels/arm/vec_neon.h"

#include "kernels/tmpl/table.h"

const kz_kernels kz_kernels_neon = KZ_TABLE("neon");
