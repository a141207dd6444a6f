/* vec_neon.h: the 16-lane type of the templates, in four registers.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_KERNELS_VEC_NEON_H
#define KZ_KERNELS_VEC_NEON_H

#if !defined(__aarch64__) || !defined(__ARM_NEON)
#error "this file is for AArch64"
#endif

#include <arm_neon.h>
#include <string.h>

#include "kernels/c/math.h"
#include "kernels/tmpl/inline.h"

typedef struct v16 {
    float32x4_t a, b, c, d; /* lanes 0 .. 3, 4 .. 7, 8 .. 11, 12 .. 15 */
} v16;

/* Tiles of the matmul: rows at once, and panels at once for one, two, three and more rows. Five
 * rows: 20 sums, 4 of weights and 5 of inputs fit the 32 registers; with six, compilers spill. */
#define KZ_MM_ROWS 5
#define KZ_MM_PANELS_1 4
#define KZ_MM_PANELS_2 2
#define KZ_MM_PANELS_3 1
#define KZ_MM_PANELS_N 1
#define KZ_ATTEND_Q 2 /* attention: queries at once, and vectors of a value row */
#define KZ_ATTEND_V 2

/* The same operation on the four registers. */
#define V16_1(f, x) ((v16){f((x).a), f((x).b), f((x).c), f((x).d)})
#define V16_2(f, x, y) ((v16){f((x).a, (y).a), f((x).b, (y).b), f((x).c, (y).c), f((x).d, (y).d)})
#define V16_3(f, x, y, z)                                                                                              \
    ((v16){f((x).a, (y).a, (z).a), f((x).b, (y).b, (z).b), f((x).c, (y).c, (z).c), f((x).d, (y).d, (z).d)})

KZ_INLINE v16 v_set(float x) {
    float32x4_t v = vdupq_n_f32(x);
    return (v16){v, v, v, v};
}
KZ_INLINE v16 v_zero(void) { return v_set(0.0f); }
KZ_INLINE v16 v_load(const float *p) {
    return (v16){vld1q_f32(p), vld1q_f32(p + 4), vld1q_f32(p + 8), vld1q_f32(p + 12)};
}
KZ_INLINE void v_store(float *p, v16 x) {
    vst1q_f32(p, x.a);
    vst1q_f32(p + 4, x.b);
    vst1q_f32(p + 8, x.c);
    vst1q_f32(p + 12, x.d);
}
/* n < 16 elements; the others are zero. Touches nothing beyond. */
KZ_INLINE v16 v_load_part(const float *p, size_t n) {
    float whole[16] = {0};
    memcpy(whole, p, n * sizeof *p);
    return v_load(whole);
}
KZ_INLINE void v_store_part(float *p, v16 x, size_t n) {
    float whole[16];
    v_store(whole, x);
    memcpy(p, whole, n * sizeof *p);
}

/* 16 weights. */
KZ_INLINE v16 v_load_f32(const float *p) { return v_load(p); }
KZ_INLINE v16 v_load_bf16(const uint16_t *p) {
    uint16x8_t lo = vld1q_u16(p), hi = vld1q_u16(p + 8), zero = vdupq_n_u16(0);
    return (v16){vreinterpretq_f32_u16(vzip1q_u16(zero, lo)), vreinterpretq_f32_u16(vzip2q_u16(zero, lo)),
                 vreinterpretq_f32_u16(vzip1q_u16(zero, hi)), vreinterpretq_f32_u16(vzip2q_u16(zero, hi))};
}
KZ_INLINE v16 v_load_f16(const uint16_t *p) {
    float16x8_t lo = vreinterpretq_f16_u16(vld1q_u16(p)), hi = vreinterpretq_f16_u16(vld1q_u16(p + 8));
    return (v16){vcvt_f32_f16(vget_low_f16(lo)), vcvt_high_f32_f16(lo), vcvt_f32_f16(vget_low_f16(hi)),
                 vcvt_high_f32_f16(hi)};
}

KZ_INLINE v16 v_add(v16 x, v16 y) { return V16_2(vaddq_f32, x, y); }
KZ_INLINE v16 v_sub(v16 x, v16 y) { return V16_2(vsubq_f32, x, y); }
KZ_INLINE v16 v_mul(v16 x, v16 y) { return V16_2(vmulq_f32, x, y); }
KZ_INLINE v16 v_div(v16 x, v16 y) { return V16_2(vdivq_f32, x, y); }
KZ_INLINE v16 v_fma(v16 x, v16 y, v16 z) { return V16_3(vfmaq_f32, z, x, y); }

/* x > y ? x : y, x < y ? x : y, p < q ? x : y */
KZ_INLINE float32x4_t v_max_q(float32x4_t x, float32x4_t y) { return vbslq_f32(vcgtq_f32(x, y), x, y); }
KZ_INLINE float32x4_t v_min_q(float32x4_t x, float32x4_t y) { return vbslq_f32(vcltq_f32(x, y), x, y); }
KZ_INLINE v16 v_max(v16 x, v16 y) { return V16_2(v_max_q, x, y); }
KZ_INLINE v16 v_min(v16 x, v16 y) { return V16_2(v_min_q, x, y); }
KZ_INLINE v16 v_select_lt(v16 p, v16 q, v16 x, v16 y) {
    return (v16){vbslq_f32(vcltq_f32(p.a, q.a), x.a, y.a), vbslq_f32(vcltq_f32(p.b, q.b), x.b, y.b),
                 vbslq_f32(vcltq_f32(p.c, q.c), x.c, y.c), vbslq_f32(vcltq_f32(p.d, q.d), x.d, y.d)};
}
KZ_INLINE v16 v_neg(v16 x) { return V16_1(vnegq_f32, x); }
KZ_INLINE v16 v_abs(v16 x) { return V16_1(vabsq_f32, x); }
KZ_INLINE float32x4_t v_copysign_q(float32x4_t x, float32x4_t from) {
    return vbslq_f32(vdupq_n_u32(0x80000000u), from, x);
}
KZ_INLINE v16 v_copysign(v16 x, v16 from) { return V16_2(v_copysign_q, x, from); }

KZ_INLINE float32x4_t v_pow2(int32x4_t n) {
    return vreinterpretq_f32_s32(vshlq_n_s32(vaddq_s32(n, vdupq_n_s32(127)), 23));
}
KZ_INLINE float32x4_t v_scale_q(float32x4_t p, float32x4_t t) {
    int32x4_t n = vsubq_s32(vreinterpretq_s32_f32(t), vreinterpretq_s32_f32(vdupq_n_f32(KZ_MAGIC)));
    int32x4_t half = vshrq_n_s32(n, 1);
    return vmulq_f32(vmulq_f32(p, v_pow2(half)), v_pow2(vsubq_s32(n, half)));
}
/* p * 2^n, n = t - KZ_MAGIC a whole number, in two steps as in kernels/c/math.h. */
KZ_INLINE v16 v_scale(v16 p, v16 n, v16 t) {
    (void)n;
    return V16_2(v_scale_q, p, t);
}

/* Of each lane, as it is, the lowest byte. */
KZ_INLINE int16x4_t v_low_half(float32x4_t x) { return vmovn_s32(vreinterpretq_s32_f32(x)); }
KZ_INLINE void v_store_low_bytes(int8_t *p, v16 x) {
    int16x8_t lo = vcombine_s16(v_low_half(x.a), v_low_half(x.b)), hi = vcombine_s16(v_low_half(x.c), v_low_half(x.d));
    vst1q_s8(p, vcombine_s8(vmovn_s16(lo), vmovn_s16(hi)));
}

/* Lanes i and i + 8, then i + 4. */
KZ_INLINE float32x4_t v_sum_to_4(v16 x) { return vaddq_f32(vaddq_f32(x.a, x.c), vaddq_f32(x.b, x.d)); }
/* The end of the tree: lanes i and i + 2, then i + 1. */
KZ_INLINE float v_sum(v16 x) {
    float32x4_t s = v_sum_to_4(x);
    float32x2_t pair = vadd_f32(vget_low_f32(s), vget_high_f32(s));
    return vget_lane_f32(pair, 0) + vget_lane_f32(pair, 1);
}
KZ_INLINE float v_maximum(v16 x) {
    float32x4_t m = v_max_q(v_max_q(x.a, x.c), v_max_q(x.b, x.d));
    float lane[4];
    vst1q_f32(lane, m);
    float even = lane[0] > lane[2] ? lane[0] : lane[2], odd = lane[1] > lane[3] ? lane[1] : lane[3];
    return even > odd ? even : odd;
}
/* y[j] = v_sum(x[j]) * scale, j < 4. */
KZ_INLINE void v_sum_4(float *y, const v16 x[4], float scale) {
    for (int j = 0; j < 4; j++)
        y[j] = v_sum(x[j]) * scale;
}

KZ_INLINE void v_prefetch(const void *p) { __builtin_prefetch(p); }
KZ_INLINE void v_prefetch_far(const void *p) { __builtin_prefetch(p, 0, 2); }

#endif
