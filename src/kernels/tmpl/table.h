/* tmpl/table.h: all templates, and the table made of them.  SPDX-License-Identifier: Apache-2.0
 *
 * Included once, last, by the file of an instruction set, after its vec_<isa>.h. */
#ifndef KZ_KERNELS_TMPL_TABLE_H
#define KZ_KERNELS_TMPL_TABLE_H

#include "kernels/tables.h"

#include "kernels/tmpl/math.h"

#include "kernels/tmpl/elements.h"
#include "kernels/tmpl/mm.h"
#include "kernels/tmpl/quantize.h"
#include "kernels/tmpl/quantized.h"
#include "kernels/tmpl/rows.h"
#include "kernels/tmpl/tiles.h"

#include "kernels/tmpl/attend.h"

#define KZ_TABLE(title, isa)                                                                                           \
    {.name = title,                                                                                                    \
     .mm = {mm_f32, mm_bf16, mm_f16, kz_mm_q8_##isa, kz_mm_q4_##isa, kz_mm_q4_0_##isa},                                \
     .quantize = quantize,                                                                                             \
     .dwconv = dwconv,                                                                                                 \
     .tile_in = tile_in,                                                                                               \
     .tile_out = tile_out,                                                                                             \
     .rmsnorm = rmsnorm,                                                                                               \
     .layernorm = layernorm,                                                                                           \
     .rope = rope,                                                                                                     \
     .attend = attend,                                                                                                 \
     .add = add,                                                                                                       \
     .silu = silu,                                                                                                     \
     .silu_mul = silu_mul,                                                                                             \
     .gelu = gelu,                                                                                                     \
     .snake = snake,                                                                                                   \
     .softmax_exp = softmax_exp,                                                                                       \
     .exp = exp_all}

#endif
