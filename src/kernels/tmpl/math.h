/* tmpl/math.h: the functions of kernels/c/math.h, step by step, over 16 lanes.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_KERNELS_TMPL_MATH_H
#define KZ_KERNELS_TMPL_MATH_H

/* acc * x + c, c a number. */
KZ_INLINE v16 v_horner(v16 acc, v16 x, float c) { return v_fma(acc, x, v_set(c)); }

KZ_INLINE v16 v_exp(v16 x) {
    x = v_min(v_max(x, v_set(KZ_EXP_LO)), v_set(KZ_EXP_HI));
    v16 t = v_fma(x, v_set(KZ_LOG2E), v_set(KZ_MAGIC));
    v16 n = v_sub(t, v_set(KZ_MAGIC));
    v16 r = v_fma(n, v_set(-KZ_LN2_HI), x);
    r = v_fma(n, v_set(-KZ_LN2_LO), r);
    v16 p = v_horner(v_set(KZ_EXP_C6), r, KZ_EXP_C5);
    p = v_horner(p, r, KZ_EXP_C4);
    p = v_horner(p, r, KZ_EXP_C3);
    p = v_horner(p, r, KZ_EXP_C2);
    p = v_horner(p, r, 1.0f);
    p = v_horner(p, r, 1.0f);
    return v_scale(p, n, t);
}

KZ_INLINE v16 v_sin2(v16 t) {
    t = v_min(v_max(t, v_set(-KZ_SIN2_MAX)), v_set(KZ_SIN2_MAX));
    v16 n = v_sub(v_fma(t, v_set(KZ_1_PI), v_set(KZ_MAGIC)), v_set(KZ_MAGIC));
    v16 r = v_fma(n, v_set(-KZ_PI_HI), t);
    r = v_fma(n, v_set(-KZ_PI_MID), r);
    r = v_fma(n, v_set(-KZ_PI_LO), r);
    v16 u = v_mul(r, r);
    v16 q = v_horner(v_set(KZ_SIN2_C6), u, KZ_SIN2_C5);
    q = v_horner(q, u, KZ_SIN2_C4);
    q = v_horner(q, u, KZ_SIN2_C3);
    q = v_horner(q, u, KZ_SIN2_C2);
    q = v_horner(q, u, KZ_SIN2_C1);
    q = v_horner(q, u, 1.0f);
    return v_mul(u, q);
}

KZ_INLINE v16 v_erf(v16 x) {
    v16 a = v_min(v_abs(x), v_set(KZ_ERF_MAX));
    v16 u = v_mul(a, a);
    v16 p = v_horner(v_set(KZ_ERF_P6), u, KZ_ERF_P5);
    p = v_horner(p, u, KZ_ERF_P4);
    p = v_horner(p, u, KZ_ERF_P3);
    p = v_horner(p, u, KZ_ERF_P2);
    p = v_horner(p, u, KZ_ERF_P1);
    p = v_horner(p, u, KZ_ERF_P0);
    p = v_fma(p, a, a);
    v16 q = v_horner(v_set(KZ_ERF_Q6), a, KZ_ERF_Q5);
    q = v_horner(q, a, KZ_ERF_Q4);
    q = v_horner(q, a, KZ_ERF_Q3);
    q = v_horner(q, a, KZ_ERF_Q2);
    q = v_horner(q, a, KZ_ERF_Q1);
    q = v_horner(q, a, KZ_ERF_Q0);
    q = v_sub(v_set(1.0f), v_exp(q));
    return v_copysign(v_select_lt(a, v_set(1.0f), p, q), x);
}

KZ_INLINE v16 v_gelu(v16 x) {
    return v_mul(v_mul(v_set(0.5f), x), v_add(v_set(1.0f), v_erf(v_mul(x, v_set(KZ_SQRT1_2)))));
}

KZ_INLINE v16 v_silu(v16 x) { return v_div(x, v_add(v_set(1.0f), v_exp(v_neg(x)))); }

#endif
