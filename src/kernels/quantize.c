/* quantize.c: blocks of 32 weights with one scale.  SPDX-License-Identifier: Apache-2.0 */
#include "kernels/c/math.h"
#include "kernels/quant.h"

/* The largest magnitude, found among bit patterns, which compilers turn into vector code. */
static float largest(const float x[KZ_BLOCK]) {
    int32_t top = 0;
    for (size_t i = 0; i < KZ_BLOCK; i++) {
        int32_t a = (int32_t)(kz_math_bits(x[i]) & 0x7fffffffu);
        top = a > top ? a : top;
    }
    return kz_math_float((uint32_t)top);
}

static bool is_finite(float x) { return (kz_math_bits(x) & 0x7f800000u) != 0x7f800000u; }

/* Nearest whole number, halves away from zero; |x| < 2^31. */
static int32_t round_away(float x) {
    int32_t whole = (int32_t)x;
    float rest = x - (float)whole;
    return whole + (rest >= 0.5f) - (rest <= -0.5f);
}

bool kz_quantize_q8(kz_q8_block *b, const float x[KZ_BLOCK]) {
    float top = largest(x), d = top / 127.0f, inverse = d != 0.0f ? 1.0f / d : 0.0f;
    b->d = kz_to_f16(d);
    if (!is_finite(top) || !is_finite(inverse) || (b->d & 0x7c00u) == 0x7c00u) {
        memset(b->q, 0, sizeof b->q);
        return is_finite(top) && top < 1.0f; /* a scale too small for its inverse: zeros */
    }
    for (size_t i = 0; i < KZ_BLOCK; i++)
        b->q[i] = (int8_t)round_away(x[i] * inverse);
    return true;
}

/* The value of largest magnitude becomes -8. */
bool kz_quantize_q4_0(kz_q4_block *b, const float x[KZ_BLOCK]) {
    float top = largest(x), signed_top = 0.0f;
    for (size_t i = 0; i < KZ_BLOCK; i++)
        signed_top = fabsf(x[i]) == top ? x[i] : signed_top;
    float d = signed_top / -8.0f, inverse = d != 0.0f ? 1.0f / d : 0.0f;
    b->d = kz_to_f16(d);
    bool fits = is_finite(top) && is_finite(inverse) && (b->d & 0x7c00u) != 0x7c00u;
    for (size_t i = 0; i < KZ_BLOCK / 2; i++) {
        int lo = fits ? (int)(x[i] * inverse + 8.5f) : 8, hi = fits ? (int)(x[i + 16] * inverse + 8.5f) : 8;
        b->q[i] = (uint8_t)((lo < 15 ? lo : 15) | (hi < 15 ? hi : 15) << 4);
    }
    return fits || (is_finite(top) && top < 1.0f);
}

/* The half byte whose value is nearest to x, |x| < 2^20. Of two as near, the lower. */
static size_t nearest_q4(float x) {
    size_t i = 0;
    for (size_t step = 8; step > 0; step /= 2) {
        float middle = 0.5f * (float)(kz_q4_value[i + step - 1] + kz_q4_value[i + step]);
        i += x > middle ? step : 0;
    }
    return i;
}

/* With the block divided by a scale: what the values explain of x, and the scale that fits them best. */
static float try_q4(const float x[KZ_BLOCK], float inverse, float *scale) {
    float xq = 0.0f, qq = 0.0f;
    for (size_t i = 0; i < KZ_BLOCK; i++) {
        float q = (float)kz_q4_value[nearest_q4(x[i] * inverse)];
        xq = fmaf(x[i], q, xq);
        qq = fmaf(q, q, qq);
    }
    *scale = qq > 0.0f ? xq / qq : 0.0f;
    return xq * *scale;
}

/* The scale with the least square error among those that put the largest value, either way round, near one of the last
 * values; then each value where it is nearest. */
bool kz_quantize_q4(kz_q4_block *b, const float x[KZ_BLOCK]) {
    enum { STEPS = 7 };
    float top = largest(x), best = 0.0f, d = 0.0f;
    bool fits = is_finite(top) && top >= KZ_QX_LEAST;
    for (int i = -STEPS; i <= STEPS && fits; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            float scale, gain = try_q4(x, (float)sign * (120.0f + 3.0f * (float)i) / top, &scale);
            d = gain > best ? scale : d;
            best = gain > best ? gain : best;
        }
    b->d = kz_to_f16(d);
    float rounded, inverse;
    kz_to_f32(&rounded, &b->d, KZ_F16, 1);
    inverse = rounded != 0.0f && is_finite(rounded) ? 1.0f / rounded : 0.0f;
    for (size_t i = 0; i < KZ_BLOCK / 2; i++)
        b->q[i] = (uint8_t)(nearest_q4(x[i] * inverse) | nearest_q4(x[i + 16] * inverse) << 4);
    return is_finite(top) && is_finite(rounded);
}
