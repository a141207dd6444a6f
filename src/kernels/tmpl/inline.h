/* inline.h: how the vector templates are compiled.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_KERNELS_TMPL_INLINE_H
#define KZ_KERNELS_TMPL_INLINE_H

#include <stddef.h>
#include <stdint.h>

/* Inlined whatever the optimiser thinks: tile sizes become constants, arrays of vectors registers. */
#define KZ_INLINE static inline __attribute__((always_inline, unused))

/* Before a loop of a constant count (after inlining): written out. Clang does it unasked. */
#if defined(__clang__)
#define KZ_UNROLL
#else
#define KZ_UNROLL _Pragma("GCC unroll 32")
#endif

/* The compiler forgets where a pointer came from. */
#define KZ_HIDE(pointer) __asm__("" : "+r"(pointer))

#endif
