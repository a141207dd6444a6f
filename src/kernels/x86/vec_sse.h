/* vec_sse.h: what the x86 vector types share.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_KERNELS_VEC_SSE_H
#define KZ_KERNELS_VEC_SSE_H

/* The end of the tree: lanes i and i + 2, then i + 1. */
KZ_INLINE float v_sum(v16 a) {
    __m128 c = v_sum_to_4(a);
    c = _mm_add_ps(c, _mm_movehl_ps(c, c));
    return _mm_cvtss_f32(_mm_add_ss(c, _mm_movehdup_ps(c)));
}

KZ_INLINE float v_maximum(v16 a) {
    __m128 c = v_max_to_4(a);
    c = _mm_max_ps(c, _mm_movehl_ps(c, c));
    return _mm_cvtss_f32(_mm_max_ss(c, _mm_movehdup_ps(c)));
}

/* y[j] = v_sum(a[j]) * scale, j < 4. */
KZ_INLINE void v_sum_4(float *y, const v16 a[4], float scale) {
    __m128 r0 = v_sum_to_4(a[0]), r1 = v_sum_to_4(a[1]), r2 = v_sum_to_4(a[2]), r3 = v_sum_to_4(a[3]);
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    __m128 s = _mm_add_ps(_mm_add_ps(r0, r2), _mm_add_ps(r1, r3));
    _mm_storeu_ps(y, _mm_mul_ps(s, _mm_set1_ps(scale)));
}

KZ_INLINE void v_prefetch(const void *p) { _mm_prefetch((const char *)p, _MM_HINT_T0); }
KZ_INLINE void v_prefetch_far(const void *p) { _mm_prefetch((const char *)p, _MM_HINT_T1); }

#endif
