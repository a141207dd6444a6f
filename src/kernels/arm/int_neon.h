/* int_neon.h: products of signed bytes in 128 bits.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_KERNELS_INT_NEON_H
#define KZ_KERNELS_INT_NEON_H

#include "kernels/arm/vec_neon.h"

#define KZ_Q_ROWS 4
#define KZ_Q_PANELS_1 1
#define KZ_Q_PANELS_N 1
#define KZ_Q_AHEAD 1024

typedef int8x16_t vt;
KZ_INLINE vt vt_load(const int8_t value[16]) { return vld1q_s8(value); }

typedef struct vw_4 {
    int8x16_t v[4]; /* four inputs of outputs 0 .. 3, 4 .. 7, 8 .. 11, 12 .. 15 */
} vw_4;

KZ_INLINE vw_4 vw_load_4(const int8_t *p) {
    return (vw_4){{vld1q_s8(p), vld1q_s8(p + 16), vld1q_s8(p + 32), vld1q_s8(p + 48)}};
}
KZ_INLINE void vw_load_q4_4(vw_4 *lo, vw_4 *hi, const uint8_t *p, vt table) {
    KZ_UNROLL
    for (int i = 0; i < 4; i++) {
        uint8x16_t w = vld1q_u8(p + 16 * i);
        lo->v[i] = vqtbl1q_s8(table, vandq_u8(w, vdupq_n_u8(15)));
        hi->v[i] = vqtbl1q_s8(table, vshrq_n_u8(w, 4));
    }
}
KZ_INLINE int8x16_t vx_load_4(const int8_t *p) {
    int32_t x;
    memcpy(&x, p, sizeof x);
    return vreinterpretq_s8_s32(vdupq_n_s32(x));
}

#ifdef __ARM_FEATURE_DOTPROD
#define KZ_Q_STEP 4
typedef struct vi {
    int32x4_t v[4];
} vi;
typedef int8x16_t vx;
typedef vw_4 vw;

KZ_INLINE vi vi_start(int32_t offset) {
    int32x4_t zero = vdupq_n_s32(0);
    (void)offset;
    return (vi){{zero, zero, zero, zero}};
}
KZ_INLINE v16 v_from_int(vi x) {
    return (v16){vcvtq_f32_s32(x.v[0]), vcvtq_f32_s32(x.v[1]), vcvtq_f32_s32(x.v[2]), vcvtq_f32_s32(x.v[3])};
}
KZ_INLINE vw vw_load(const int8_t *p) { return vw_load_4(p); }
KZ_INLINE void vw_load_q4(vw *lo, vw *hi, const uint8_t *p, vt table) { vw_load_q4_4(lo, hi, p, table); }
KZ_INLINE vx vx_load(const int8_t *p) { return vx_load_4(p); }
KZ_INLINE vi vi_dot(vi sum, vw w, vx x) {
    KZ_UNROLL
    for (int i = 0; i < 4; i++)
        sum.v[i] = vdotq_s32(sum.v[i], w.v[i], x);
    return sum;
}
#else
#define KZ_Q_STEP 8
/* Sums of inputs 0, 1 and of 2, 3 apart: two outputs a register. */
typedef struct vi {
    int32x4_t v[8];
} vi;
typedef struct vx {
    int8x16_t lo, hi;
} vx;
typedef struct vw {
    vw_4 lo, hi;
} vw;

KZ_INLINE vi vi_start(int32_t offset) {
    int32x4_t zero = vdupq_n_s32(0);
    (void)offset;
    return (vi){{zero, zero, zero, zero, zero, zero, zero, zero}};
}
KZ_INLINE v16 v_from_int(vi x) {
    return (v16){vcvtq_f32_s32(vpaddq_s32(x.v[0], x.v[1])), vcvtq_f32_s32(vpaddq_s32(x.v[2], x.v[3])),
                 vcvtq_f32_s32(vpaddq_s32(x.v[4], x.v[5])), vcvtq_f32_s32(vpaddq_s32(x.v[6], x.v[7]))};
}
KZ_INLINE vw vw_load(const int8_t *p) { return (vw){vw_load_4(p), vw_load_4(p + 64)}; }
KZ_INLINE void vw_load_q4(vw *lo, vw *hi, const uint8_t *p, vt table) {
    vw_load_q4_4(&lo->lo, &hi->lo, p, table);
    vw_load_q4_4(&lo->hi, &hi->hi, p + 64, table);
}
KZ_INLINE vx vx_load(const int8_t *p) { return (vx){vx_load_4(p), vx_load_4(p + 4)}; }
/* Two products fit 16 bits: at most 2 * 128 * 127. */
KZ_INLINE vi vi_dot(vi sum, vw w, vx x) {
    KZ_UNROLL
    for (int i = 0; i < 4; i++) {
        int16x8_t a = vmull_s8(vget_low_s8(w.lo.v[i]), vget_low_s8(x.lo));
        int16x8_t b = vmull_high_s8(w.lo.v[i], x.lo);
        a = vmlal_s8(a, vget_low_s8(w.hi.v[i]), vget_low_s8(x.hi));
        b = vmlal_high_s8(b, w.hi.v[i], x.hi);
        sum.v[2 * i] = vpadalq_s16(sum.v[2 * i], a);
        sum.v[2 * i + 1] = vpadalq_s16(sum.v[2 * i + 1], b);
    }
    return sum;
}
#endif

#endif
