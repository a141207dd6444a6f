/* int_avx2.h: products of signed bytes in 256 bits.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_KERNELS_INT_AVX2_H
#define KZ_KERNELS_INT_AVX2_H

#include "kernels/x86/vec_avx2.h"

#define KZ_Q_ROWS 4
#define KZ_Q_PANELS_1 1
#define KZ_Q_PANELS_N 1
#define KZ_Q_STEP 4
#define KZ_Q_AHEAD 1024

typedef struct vi {
    __m256i a, b; /* outputs 0 .. 7, 8 .. 15 */
} vi;
typedef __m256i vx, vt;

KZ_INLINE __m256i vw_bytes(const void *p) { return _mm256_load_si256((const __m256i *)p); }
KZ_INLINE vx vx_load(const int8_t *p) {
    int32_t x;
    memcpy(&x, p, sizeof x);
    return _mm256_set1_epi32(x);
}
KZ_INLINE v16 v_from_int(vi x) { return (v16){_mm256_cvtepi32_ps(x.a), _mm256_cvtepi32_ps(x.b)}; }
KZ_INLINE __m256i vt_low(__m256i w) { return _mm256_and_si256(w, _mm256_set1_epi8(15)); }
KZ_INLINE __m256i vt_high(__m256i w) { return vt_low(_mm256_srli_epi16(w, 4)); }

#ifdef __AVXVNNI__
/* Weights plus 128 times inputs; the offset of the row takes the excess away. */
typedef struct vw {
    __m256i a, b;
} vw;

KZ_INLINE vi vi_start(int32_t offset) { return (vi){_mm256_set1_epi32(offset), _mm256_set1_epi32(offset)}; }
KZ_INLINE vt vt_load(const int8_t value[16]) {
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)value);
    return _mm256_broadcastsi128_si256(_mm_xor_si128(v, _mm_set1_epi8(-128)));
}
KZ_INLINE vw vw_load(const int8_t *p) {
    __m256i flip = _mm256_set1_epi8(-128);
    return (vw){_mm256_xor_si256(vw_bytes(p), flip), _mm256_xor_si256(vw_bytes(p + 32), flip)};
}
KZ_INLINE vw vw_values(__m256i a, __m256i b, vt table) {
    return (vw){_mm256_shuffle_epi8(table, a), _mm256_shuffle_epi8(table, b)};
}
KZ_INLINE vi vi_dot(vi sum, vw w, vx x) {
    return (vi){_mm256_dpbusd_avx_epi32(sum.a, w.a, x), _mm256_dpbusd_avx_epi32(sum.b, w.b, x)};
}
#else
/* Magnitudes of weights times inputs with the weights' signs: a pair of products is at most 2 * 128 * 127 and fits 16
 * bits. */
typedef struct vw {
    __m256i a, b, abs_a, abs_b;
} vw;

KZ_INLINE vi vi_start(int32_t offset) {
    (void)offset;
    return (vi){_mm256_setzero_si256(), _mm256_setzero_si256()};
}
KZ_INLINE vt vt_load(const int8_t value[16]) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)value));
}
KZ_INLINE vw vw_of(__m256i a, __m256i b) { return (vw){a, b, _mm256_abs_epi8(a), _mm256_abs_epi8(b)}; }
KZ_INLINE vw vw_load(const int8_t *p) { return vw_of(vw_bytes(p), vw_bytes(p + 32)); }
KZ_INLINE vw vw_values(__m256i a, __m256i b, vt table) {
    return vw_of(_mm256_shuffle_epi8(table, a), _mm256_shuffle_epi8(table, b));
}
KZ_INLINE __m256i vi_dot_8(__m256i sum, __m256i w, __m256i abs_w, vx x) {
    __m256i pairs = _mm256_maddubs_epi16(abs_w, _mm256_sign_epi8(x, w));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}
KZ_INLINE vi vi_dot(vi sum, vw w, vx x) {
    return (vi){vi_dot_8(sum.a, w.a, w.abs_a, x), vi_dot_8(sum.b, w.b, w.abs_b, x)};
}
#endif

KZ_INLINE void vw_load_q4(vw *lo, vw *hi, const uint8_t *p, vt table) {
    __m256i a = vw_bytes(p), b = vw_bytes(p + 32);
    *lo = vw_values(vt_low(a), vt_low(b), table);
    *hi = vw_values(vt_high(a), vt_high(b), table);
}

#endif
