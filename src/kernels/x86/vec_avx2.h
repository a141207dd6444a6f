/* vec_avx2.h: the 16-lane type of the templates, in two registers.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_KERNELS_VEC_AVX2_H
#define KZ_KERNELS_VEC_AVX2_H

#if !defined(__AVX2__) || !defined(__FMA__) || !defined(__F16C__)
#error "this file needs -mavx2 -mfma -mf16c"
#endif

#include <immintrin.h>

#include "kernels/c/math.h"
#include "kernels/tmpl/inline.h"

typedef struct v16 {
    __m256 a, b; /* lanes 0 .. 7, 8 .. 15 */
} v16;

/* Tiles of the matmul: rows at once, and panels at once for one, two, three and more rows. */
#define KZ_MM_ROWS 6
#define KZ_MM_PANELS_1 4
#define KZ_MM_PANELS_2 2
#define KZ_MM_PANELS_3 1
#define KZ_MM_PANELS_N 1
#define KZ_ATTEND_Q 2 /* attention: queries at once, and vectors of a value row */
#define KZ_ATTEND_V 2

#define V16(...) ((v16){__VA_ARGS__})

KZ_INLINE v16 v_zero(void) { return V16(_mm256_setzero_ps(), _mm256_setzero_ps()); }
KZ_INLINE v16 v_set(float x) { return V16(_mm256_set1_ps(x), _mm256_set1_ps(x)); }
KZ_INLINE v16 v_load(const float *p) { return V16(_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)); }
KZ_INLINE void v_store(float *p, v16 x) {
    _mm256_storeu_ps(p, x.a);
    _mm256_storeu_ps(p + 8, x.b);
}

/* Lanes from..from + 7 that are below n. */
KZ_INLINE __m256i v_first(int from, size_t n) {
    __m256i lane = _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(from));
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), lane);
}
/* n < 16 elements; the others are zero. Touches nothing beyond. */
KZ_INLINE v16 v_load_part(const float *p, size_t n) {
    return V16(_mm256_maskload_ps(p, v_first(0, n)), _mm256_maskload_ps(p + 8, v_first(8, n)));
}
KZ_INLINE void v_store_part(float *p, v16 x, size_t n) {
    _mm256_maskstore_ps(p, v_first(0, n), x.a);
    _mm256_maskstore_ps(p + 8, v_first(8, n), x.b);
}

/* 16 weights. */
KZ_INLINE v16 v_load_f32(const float *p) { return V16(_mm256_load_ps(p), _mm256_load_ps(p + 8)); }
KZ_INLINE __m128i v_load_8(const uint16_t *p) { return _mm_load_si128((const __m128i *)(const void *)p); }
KZ_INLINE v16 v_load_f16(const uint16_t *p) {
    return V16(_mm256_cvtph_ps(v_load_8(p)), _mm256_cvtph_ps(v_load_8(p + 8)));
}
KZ_INLINE __m256 v_widen_bf16(const uint16_t *p) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(v_load_8(p)), 16));
}
KZ_INLINE v16 v_load_bf16(const uint16_t *p) { return V16(v_widen_bf16(p), v_widen_bf16(p + 8)); }

KZ_INLINE v16 v_add(v16 x, v16 y) { return V16(_mm256_add_ps(x.a, y.a), _mm256_add_ps(x.b, y.b)); }
KZ_INLINE v16 v_sub(v16 x, v16 y) { return V16(_mm256_sub_ps(x.a, y.a), _mm256_sub_ps(x.b, y.b)); }
KZ_INLINE v16 v_mul(v16 x, v16 y) { return V16(_mm256_mul_ps(x.a, y.a), _mm256_mul_ps(x.b, y.b)); }
KZ_INLINE v16 v_div(v16 x, v16 y) { return V16(_mm256_div_ps(x.a, y.a), _mm256_div_ps(x.b, y.b)); }
KZ_INLINE v16 v_fma(v16 x, v16 y, v16 z) { return V16(_mm256_fmadd_ps(x.a, y.a, z.a), _mm256_fmadd_ps(x.b, y.b, z.b)); }
/* x > y ? x : y, x < y ? x : y */
KZ_INLINE v16 v_max(v16 x, v16 y) { return V16(_mm256_max_ps(x.a, y.a), _mm256_max_ps(x.b, y.b)); }
KZ_INLINE v16 v_min(v16 x, v16 y) { return V16(_mm256_min_ps(x.a, y.a), _mm256_min_ps(x.b, y.b)); }
KZ_INLINE v16 v_neg(v16 x) {
    __m256 sign = _mm256_set1_ps(-0.0f);
    return V16(_mm256_xor_ps(x.a, sign), _mm256_xor_ps(x.b, sign));
}
KZ_INLINE v16 v_abs(v16 x) {
    __m256 sign = _mm256_set1_ps(-0.0f);
    return V16(_mm256_andnot_ps(sign, x.a), _mm256_andnot_ps(sign, x.b));
}
KZ_INLINE v16 v_copysign(v16 x, v16 from) {
    __m256 sign = _mm256_set1_ps(-0.0f);
    v16 y = v_abs(x);
    return V16(_mm256_or_ps(y.a, _mm256_and_ps(sign, from.a)), _mm256_or_ps(y.b, _mm256_and_ps(sign, from.b)));
}
/* p < q ? x : y */
KZ_INLINE v16 v_select_lt(v16 p, v16 q, v16 x, v16 y) {
    return V16(_mm256_blendv_ps(y.a, x.a, _mm256_cmp_ps(p.a, q.a, _CMP_LT_OQ)),
               _mm256_blendv_ps(y.b, x.b, _mm256_cmp_ps(p.b, q.b, _CMP_LT_OQ)));
}
KZ_INLINE __m256 v_pow2(__m256i n) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(n, _mm256_set1_epi32(127)), 23));
}
KZ_INLINE __m256 v_scale_8(__m256 p, __m256 t) {
    __m256i n = _mm256_sub_epi32(_mm256_castps_si256(t), _mm256_castps_si256(_mm256_set1_ps(KZ_MAGIC)));
    __m256i half = _mm256_srai_epi32(n, 1);
    return _mm256_mul_ps(_mm256_mul_ps(p, v_pow2(half)), v_pow2(_mm256_sub_epi32(n, half)));
}
/* p * 2^n, n = t - KZ_MAGIC a whole number, in two steps as in kernels/c/math.h. */
KZ_INLINE v16 v_scale(v16 p, v16 n, v16 t) {
    (void)n;
    return V16(v_scale_8(p.a, t.a), v_scale_8(p.b, t.b));
}

/* Of each lane, as it is, the lowest byte. */
KZ_INLINE void v_store_low_bytes(int8_t *p, v16 x) {
    const __m256i pick = _mm256_setr_epi8(0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 4, 8, 12, -1,
                                          -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    __m256i a = _mm256_shuffle_epi8(_mm256_castps_si256(x.a), pick);
    __m256i b = _mm256_shuffle_epi8(_mm256_castps_si256(x.b), pick);
    __m256i all = _mm256_unpacklo_epi32(a, b); /* 0 .. 3, 8 .. 11 | 4 .. 7, 12 .. 15 */
    __m128i lo = _mm256_castsi256_si128(all), hi = _mm256_extracti128_si256(all, 1);
    _mm_storeu_si128((__m128i *)(void *)p, _mm_unpacklo_epi32(lo, hi));
}

/* Lanes i and i + 8, then i + 4. */
KZ_INLINE __m128 v_sum_to_4(v16 x) {
    __m256 y = _mm256_add_ps(x.a, x.b);
    return _mm_add_ps(_mm256_castps256_ps128(y), _mm256_extractf128_ps(y, 1));
}
KZ_INLINE __m128 v_max_to_4(v16 x) {
    __m256 y = _mm256_max_ps(x.a, x.b);
    return _mm_max_ps(_mm256_castps256_ps128(y), _mm256_extractf128_ps(y, 1));
}

#include "kernels/x86/vec_sse.h"

/* y[j] = v_sum(a[j]) * scale, j < 4. */
KZ_INLINE void v_sum_4(float *y, const v16 a[4], float scale) {
    __m128 r0 = v_sum_to_4(a[0]), r1 = v_sum_to_4(a[1]), r2 = v_sum_to_4(a[2]), r3 = v_sum_to_4(a[3]);
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    __m128 s = _mm_add_ps(_mm_add_ps(r0, r2), _mm_add_ps(r1, r3));
    _mm_storeu_ps(y, _mm_mul_ps(s, _mm_set1_ps(scale)));
}

#endif
