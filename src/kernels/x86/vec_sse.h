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

KZ_INLINE void v_prefetch(const void *p) { _mm_prefetch((const char *)p, _MM_HINT_T0); }
/* Stays where it is written: compilers gather a loop's prefetches in one place, and a burst of them fills the line buffers
 * that loads need. */
KZ_INLINE void v_prefetch_far(const void *p) { __asm__ volatile("prefetcht1 %0" ::"m"(*(const char *)p)); }

#endif
