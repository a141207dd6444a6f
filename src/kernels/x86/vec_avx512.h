/* vec_avx512.h: the 16-lane type of the templates, in one register.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_KERNELS_VEC_AVX512_H
#define KZ_KERNELS_VEC_AVX512_H

#if !defined(__AVX512F__) || !defined(__AVX512BW__) || !defined(__AVX512DQ__) || !defined(__AVX512VL__)
#error "this file needs -mavx512f -mavx512bw -mavx512dq -mavx512vl"
#endif

#include <immintrin.h>

#include "kernels/c/math.h"
#include "kernels/tmpl/inline.h"

typedef __m512 v16;
typedef __mmask16 v16_mask;

/* Tiles of the matmul: rows at once, and panels at once for one, two, three and more rows. */
#define KZ_MM_ROWS 12
#define KZ_MM_PANELS_1 4
#define KZ_MM_PANELS_2 4
#define KZ_MM_PANELS_3 4
#define KZ_MM_PANELS_N 2
#define KZ_ATTEND_Q 4 /* attention: queries at once, and vectors of a value row */
#define KZ_ATTEND_V 4

KZ_INLINE v16 v_zero(void) { return _mm512_setzero_ps(); }
KZ_INLINE v16 v_set(float x) { return _mm512_set1_ps(x); }
KZ_INLINE v16 v_load(const float *p) { return _mm512_loadu_ps(p); }
KZ_INLINE void v_store(float *p, v16 a) { _mm512_storeu_ps(p, a); }

KZ_INLINE __mmask16 v_first(size_t n) { return (__mmask16)((1u << n) - 1); }
/* n < 16 elements; the others are zero. Touches nothing beyond. */
KZ_INLINE v16 v_load_part(const float *p, size_t n) { return _mm512_maskz_loadu_ps(v_first(n), p); }
KZ_INLINE void v_store_part(float *p, v16 a, size_t n) { _mm512_mask_storeu_ps(p, v_first(n), a); }

/* 16 weights. */
KZ_INLINE v16 v_load_f32(const float *p) { return _mm512_load_ps(p); }
KZ_INLINE v16 v_load_f16(const uint16_t *p) {
    return _mm512_cvtph_ps(_mm256_load_si256((const __m256i *)(const void *)p));
}
KZ_INLINE v16 v_load_bf16(const uint16_t *p) {
    /* One shuffle puts each value into the upper half of its lane and zeroes the lower. */
    const __m512i spread = _mm512_set_epi16(15, 0, 14, 0, 13, 0, 12, 0, 11, 0, 10, 0, 9, 0, 8, 0, 7, 0, 6, 0, 5, 0, 4,
                                            0, 3, 0, 2, 0, 1, 0, 0, 0);
    __m512i h = _mm512_castsi256_si512(_mm256_load_si256((const __m256i *)(const void *)p));
    return _mm512_castsi512_ps(_mm512_maskz_permutexvar_epi16(0xaaaaaaaau, spread, h));
}

KZ_INLINE v16 v_add(v16 a, v16 b) { return _mm512_add_ps(a, b); }
KZ_INLINE v16 v_sub(v16 a, v16 b) { return _mm512_sub_ps(a, b); }
KZ_INLINE v16 v_mul(v16 a, v16 b) { return _mm512_mul_ps(a, b); }
KZ_INLINE v16 v_div(v16 a, v16 b) { return _mm512_div_ps(a, b); }
KZ_INLINE v16 v_fma(v16 a, v16 b, v16 c) { return _mm512_fmadd_ps(a, b, c); }
KZ_INLINE v16 v_max(v16 a, v16 b) { return _mm512_max_ps(a, b); } /* a > b ? a : b */
KZ_INLINE v16 v_min(v16 a, v16 b) { return _mm512_min_ps(a, b); } /* a < b ? a : b */
KZ_INLINE v16 v_neg(v16 a) { return _mm512_xor_ps(a, _mm512_set1_ps(-0.0f)); }
KZ_INLINE v16 v_abs(v16 a) { return _mm512_andnot_ps(_mm512_set1_ps(-0.0f), a); }
KZ_INLINE v16 v_copysign(v16 a, v16 sign) { return _mm512_or_ps(v_abs(a), _mm512_and_ps(sign, _mm512_set1_ps(-0.0f))); }
/* a < b ? x : y */
KZ_INLINE v16 v_select_lt(v16 a, v16 b, v16 x, v16 y) {
    return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), y, x);
}
/* p * 2^n, n = t - KZ_MAGIC a whole number: rounded once, as the two steps of kernels/c/math.h are. */
KZ_INLINE v16 v_scale(v16 p, v16 n, v16 t) {
    (void)t;
    return _mm512_scalef_ps(p, n);
}

/* Of each lane, as it is, the lowest byte. */
KZ_INLINE void v_store_low_bytes(int8_t *p, v16 a) {
    _mm_storeu_si128((__m128i *)(void *)p, _mm512_cvtepi32_epi8(_mm512_castps_si512(a)));
}

/* Lanes i and i + 8, then i + 4. */
KZ_INLINE __m128 v_sum_to_4(v16 a) {
    __m256 b = _mm256_add_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps(a, 1));
    return _mm_add_ps(_mm256_castps256_ps128(b), _mm256_extractf128_ps(b, 1));
}
KZ_INLINE __m128 v_max_to_4(v16 a) {
    __m256 b = _mm256_max_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps(a, 1));
    return _mm_max_ps(_mm256_castps256_ps128(b), _mm256_extractf128_ps(b, 1));
}

#include "kernels/x86/vec_sse.h"

/* y[j] = v_sum(a[j]) * scale, j < 4: the tree's first two steps bring the four vectors into one. */
KZ_INLINE void v_sum_4(float *y, const v16 a[4], float scale) {
    v16 b0 = _mm512_add_ps(_mm512_shuffle_f32x4(a[0], a[1], 0x44), _mm512_shuffle_f32x4(a[0], a[1], 0xee));
    v16 b1 = _mm512_add_ps(_mm512_shuffle_f32x4(a[2], a[3], 0x44), _mm512_shuffle_f32x4(a[2], a[3], 0xee));
    v16 c = _mm512_add_ps(_mm512_shuffle_f32x4(b0, b1, 0x88), _mm512_shuffle_f32x4(b0, b1, 0xdd));
    c = _mm512_add_ps(c, _mm512_permute_ps(c, 0x4e));
    c = _mm512_add_ps(c, _mm512_permute_ps(c, 0xb1));
    __m128 s = _mm512_castps512_ps128(_mm512_maskz_compress_ps(0x1111, c));
    _mm_storeu_ps(y, _mm_mul_ps(s, _mm_set1_ps(scale)));
}

#endif
