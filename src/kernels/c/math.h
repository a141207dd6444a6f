/* math.h: exp, sin^2, erf and log as fixed sequences of IEEE operations.  SPDX-License-Identifier: Apache-2.0
 *
 * These define the bits. Each step is one float operation or one fma, so the vector bodies in tmpl/math.h, which repeat
 * them step by step, give the same result on every machine. Clamps are `x > lo ? x : lo`, which vector units do alike.
 *
 * The polynomials are minimax fits (Remez exchange in 60 digits, weighted for relative error); the coefficients were
 * rounded to float one by one, from the lowest power up, the higher ones being fitted anew after each. The largest
 * errors against double libm, over every 11th float: exp 0.90 ulp (-103.9 .. 88.7), sin^2 4.03 (-2^20 .. 2^20), erf 1.03
 * and log 0.88 (all), silu 2.35 (from -80), gelu 1.7 (from 0; below, 1e-7 absolute). tests/unit/test_kernels.c sweeps
 * again, more coarsely. */
#ifndef KZ_KERNELS_C_MATH_H
#define KZ_KERNELS_C_MATH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t kz_math_bits(float x) {
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static inline float kz_math_float(uint32_t u) {
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}

/* Adding 1.5 * 2^23 rounds to the nearest integer (ties to even), which then sits in the low bits. */
#define KZ_MAGIC 12582912.0f

/* 2^n for -126 <= n <= 127. */
static inline float kz_math_pow2(int32_t n) { return kz_math_float((uint32_t)(n + 127) << 23); }

/* exp: x = n ln 2 + r with ln 2 in two parts, |r| <= 0.3466, fit of degree 6 (4.3e-9). The factor 2^n comes in two halves,
 * so that overflow gives infinity and underflow subnormals with one rounding. */
#define KZ_EXP_LO (-104.0f)
#define KZ_EXP_HI 89.0f
#define KZ_LOG2E 0x1.715476p+0f
#define KZ_LN2_HI 0x1.62e430p-1f
#define KZ_LN2_LO (-0x1.05c610p-29f)
#define KZ_EXP_C6 0x1.6fefecp-10f
#define KZ_EXP_C5 0x1.1257dap-7f
#define KZ_EXP_C4 0x1.5552fep-5f
#define KZ_EXP_C3 0x1.555466p-3f
#define KZ_EXP_C2 0.5f

static inline float kz_math_exp(float x) {
    x = x > KZ_EXP_LO ? x : KZ_EXP_LO;
    x = x < KZ_EXP_HI ? x : KZ_EXP_HI;
    float t = fmaf(x, KZ_LOG2E, KZ_MAGIC);
    float n = t - KZ_MAGIC;
    float r = fmaf(n, -KZ_LN2_HI, x);
    r = fmaf(n, -KZ_LN2_LO, r);
    float p = fmaf(KZ_EXP_C6, r, KZ_EXP_C5);
    p = fmaf(p, r, KZ_EXP_C4);
    p = fmaf(p, r, KZ_EXP_C3);
    p = fmaf(p, r, KZ_EXP_C2);
    p = fmaf(p, r, 1.0f);
    p = fmaf(p, r, 1.0f);
    int32_t i = (int32_t)(kz_math_bits(t) - kz_math_bits(KZ_MAGIC));
    int32_t half = i / 2;
    return (p * kz_math_pow2(half)) * kz_math_pow2(i - half);
}

/* sin^2: t = n pi + r with pi in three parts, |r| <= pi/2, sin^2 r = u q(u) with u = r^2, q of degree 6 (8.3e-10).
 * Beyond +-2^20 the argument is clamped (a float's spacing there is 1/8: nothing is left to compute). */
#define KZ_SIN2_MAX 0x1p20f
#define KZ_1_PI 0x1.45f306p-2f
#define KZ_PI_HI 0x1.921fb6p+1f
#define KZ_PI_MID (-0x1.777a5cp-24f)
#define KZ_PI_LO (-0x1.ee59dap-49f)
#define KZ_SIN2_C6 0x1.6d16dep-24f
#define KZ_SIN2_C5 (-0x1.1e04b2p-18f)
#define KZ_SIN2_C4 0x1.27ebccp-13f
#define KZ_SIN2_C3 (-0x1.a01bb6p-9f)
#define KZ_SIN2_C2 0x1.6c16d8p-5f
#define KZ_SIN2_C1 (-0x1.555556p-2f)

static inline float kz_math_sin2(float t) {
    t = t > -KZ_SIN2_MAX ? t : -KZ_SIN2_MAX;
    t = t < KZ_SIN2_MAX ? t : KZ_SIN2_MAX;
    float n = fmaf(t, KZ_1_PI, KZ_MAGIC) - KZ_MAGIC;
    float r = fmaf(n, -KZ_PI_HI, t);
    r = fmaf(n, -KZ_PI_MID, r);
    r = fmaf(n, -KZ_PI_LO, r);
    float u = r * r;
    float q = fmaf(KZ_SIN2_C6, u, KZ_SIN2_C5);
    q = fmaf(q, u, KZ_SIN2_C4);
    q = fmaf(q, u, KZ_SIN2_C3);
    q = fmaf(q, u, KZ_SIN2_C2);
    q = fmaf(q, u, KZ_SIN2_C1);
    q = fmaf(q, u, 1.0f);
    return u * q;
}

/* erf, with a = |x| up to 4 (where it rounds to 1): below 1, a + a p(a^2), p of degree 6; from 1 on, 1 - exp(q(a)),
 * q = ln erfc of degree 6 (1.1e-9 of the result). Both are computed, one is taken. */
#define KZ_ERF_MAX 4.0f
#define KZ_ERF_P6 0x1.4771fep-14f
#define KZ_ERF_P5 (-0x1.a3515ep-11f)
#define KZ_ERF_P4 0x1.53f224p-8f
#define KZ_ERF_P3 (-0x1.b7f71ap-6f)
#define KZ_ERF_P2 0x1.ce2ce6p-4f
#define KZ_ERF_P1 (-0x1.81273ep-2f)
#define KZ_ERF_P0 0x1.06eba8p-3f
#define KZ_ERF_Q6 0x1.86db9ep-13f
#define KZ_ERF_Q5 (-0x1.8259fap-9f)
#define KZ_ERF_Q4 0x1.65cb0ep-6f
#define KZ_ERF_Q3 (-0x1.a65318p-4f)
#define KZ_ERF_Q2 (-0x1.46baf0p-1f)
#define KZ_ERF_Q1 (-0x1.2088eap+0f)
#define KZ_ERF_Q0 (-0x1.661d7cp-12f)

static inline float kz_math_erf(float x) {
    float a = fabsf(x);
    a = a < KZ_ERF_MAX ? a : KZ_ERF_MAX;
    float u = a * a;
    float p = fmaf(KZ_ERF_P6, u, KZ_ERF_P5);
    p = fmaf(p, u, KZ_ERF_P4);
    p = fmaf(p, u, KZ_ERF_P3);
    p = fmaf(p, u, KZ_ERF_P2);
    p = fmaf(p, u, KZ_ERF_P1);
    p = fmaf(p, u, KZ_ERF_P0);
    p = fmaf(p, a, a);
    float q = fmaf(KZ_ERF_Q6, a, KZ_ERF_Q5);
    q = fmaf(q, a, KZ_ERF_Q4);
    q = fmaf(q, a, KZ_ERF_Q3);
    q = fmaf(q, a, KZ_ERF_Q2);
    q = fmaf(q, a, KZ_ERF_Q1);
    q = fmaf(q, a, KZ_ERF_Q0);
    q = 1.0f - kz_math_exp(q);
    return copysignf(a < 1.0f ? p : q, x);
}

/* GELU with the exact erf. */
#define KZ_SQRT1_2 0x1.6a09e6p-1f

static inline float kz_math_gelu(float x) { return (0.5f * x) * (1.0f + kz_math_erf(x * KZ_SQRT1_2)); }

static inline float kz_math_silu(float x) { return x / (1.0f + kz_math_exp(-x)); }

/* log of x > 0 (subnormals too): x = 2^n (1 + f), 1 + f in [sqrt 1/2, sqrt 2), log = n ln 2 + (f - f^2 / 2 + f^3 p(f)),
 * p of degree 7 (9.2e-9). For x <= 0, infinite or NaN the result means nothing. */
#define KZ_LOG_P7 (-0x1.42e73ep-4f)
#define KZ_LOG_P6 0x1.07e048p-3f
#define KZ_LOG_P5 (-0x1.0cd0cep-3f)
#define KZ_LOG_P4 0x1.226c6ep-3f
#define KZ_LOG_P3 (-0x1.547848p-3f)
#define KZ_LOG_P2 0x1.99a5b4p-3f
#define KZ_LOG_P1 (-0x1.000220p-2f)
#define KZ_LOG_P0 0x1.55554ap-2f
#define KZ_LN2_LOG_HI 0x1.62e000p-1f /* times an exponent: exact */
#define KZ_LN2_LOG_LO 0x1.0bfbe8p-15f
#define KZ_SQRT1_2_BITS 0x3f3504f3u

static inline float kz_math_log(float x) {
    int32_t n = 0;
    if (x < 0x1p-126f) {
        x = x * 0x1p23f;
        n = -23;
    }
    uint32_t shifted = kz_math_bits(x) - KZ_SQRT1_2_BITS; /* its exponent field: floor(log2(x / sqrt(1/2))) */
    n += (int32_t)(shifted >> 23) - (shifted >> 31 ? 512 : 0);
    float f = kz_math_float((shifted & 0x007fffffu) + KZ_SQRT1_2_BITS) - 1.0f;
    float p = fmaf(KZ_LOG_P7, f, KZ_LOG_P6);
    p = fmaf(p, f, KZ_LOG_P5);
    p = fmaf(p, f, KZ_LOG_P4);
    p = fmaf(p, f, KZ_LOG_P3);
    p = fmaf(p, f, KZ_LOG_P2);
    p = fmaf(p, f, KZ_LOG_P1);
    p = fmaf(p, f, KZ_LOG_P0);
    float f2 = f * f;
    float low = fmaf((float)n, KZ_LN2_LOG_LO, (f2 * f) * p);
    low = fmaf(-0.5f, f2, low);
    low = low + f;
    return fmaf((float)n, KZ_LN2_LOG_HI, low);
}

#endif
