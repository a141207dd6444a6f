/* int_avx512.h: products of signed bytes in 512 bits.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_KERNELS_INT_AVX512_H
#define KZ_KERNELS_INT_AVX512_H

#include "kernels/x86/vec_avx512.h"

#define KZ_Q_ROWS 6
#define KZ_Q_PANELS_1 1
#define KZ_Q_PANELS_N 2
#define KZ_Q_STEP 4
#define KZ_Q_AHEAD 2560

typedef __m512i vi, vx, vt;

KZ_INLINE vx vx_load(const int8_t *p) {
    int32_t x;
    memcpy(&x, p, sizeof x);
    return _mm512_set1_epi32(x);
}
KZ_INLINE v16 v_from_int(vi x) { return _mm512_cvtepi32_ps(x); }

#ifdef __AVX512VNNI__
/* Weights plus 128 times inputs; the offset of the row takes the excess away. */
typedef __m512i vw;

KZ_INLINE vi vi_start(int32_t offset) { return _mm512_set1_epi32(offset); }
KZ_INLINE vt vt_load(const int8_t value[16]) {
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)value);
    return _mm512_broadcast_i32x4(_mm_xor_si128(v, _mm_set1_epi8(-128)));
}
KZ_INLINE vw vw_load(const int8_t *p) {
    return _mm512_xor_si512(_mm512_load_si512((const void *)p), _mm512_set1_epi8(-128));
}
KZ_INLINE vw vw_values(__m512i w, vt table) { return _mm512_shuffle_epi8(table, w); }
KZ_INLINE vi vi_dot(vi sum, vw w, vx x) { return _mm512_dpbusd_epi32(sum, w, x); }
#else
/* Magnitudes of weights times inputs with the weights' signs: a pair of products is at most 2 * 128 * 127 and fits 16
 * bits. */
typedef struct vw {
    __m512i abs;
    __mmask64 negative;
} vw;

KZ_INLINE vi vi_start(int32_t offset) {
    (void)offset;
    return _mm512_setzero_si512();
}
KZ_INLINE vt vt_load(const int8_t value[16]) {
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)value));
}
KZ_INLINE vw vw_of(__m512i w) { return (vw){_mm512_abs_epi8(w), _mm512_movepi8_mask(w)}; }
KZ_INLINE vw vw_load(const int8_t *p) { return vw_of(_mm512_load_si512((const void *)p)); }
KZ_INLINE vw vw_values(__m512i w, vt table) { return vw_of(_mm512_shuffle_epi8(table, w)); }
KZ_INLINE vi vi_dot(vi sum, vw w, vx x) {
    __m512i signed_x = _mm512_mask_sub_epi8(x, w.negative, _mm512_setzero_si512(), x);
    __m512i pairs = _mm512_maddubs_epi16(w.abs, signed_x);
    return _mm512_add_epi32(sum, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
}
#endif

KZ_INLINE void vw_load_q4(vw *lo, vw *hi, const uint8_t *p, vt table) {
    __m512i w = _mm512_load_si512((const void *)p), mask = _mm512_set1_epi8(15);
    *lo = vw_values(_mm512_and_si512(w, mask), table);
    *hi = vw_values(_mm512_and_si512(_mm512_srli_epi16(w, 4), mask), table);
}

#endif
