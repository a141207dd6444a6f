/* scalar.c: single numbers and storage types.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "kernels/c/math.h"
#include "kernels/quant.h"

const char *kz_dtype_name(kz_dtype type) {
    static const char *const names[KZ_DTYPES] = {"f32", "bf16", "f16", "q8", "q4", "q4_0"};
    return names[type];
}

size_t kz_dtype_size(kz_dtype type) { return kz_is_quantized(type) ? 0 : type == KZ_F32 ? 4 : 2; }

size_t kz_row_bytes(kz_dtype type, size_t n) {
    if (!kz_is_quantized(type))
        return n * kz_dtype_size(type);
    return n / KZ_BLOCK * (type == KZ_Q8 ? sizeof(kz_q8_block) : sizeof(kz_q4_block));
}

size_t kz_panel_bytes(kz_dtype type, size_t n_k) {
    if (!kz_is_quantized(type))
        return n_k * KZ_PANEL * kz_dtype_size(type);
    return kz_pairs(n_k) * (type == KZ_Q8 ? sizeof(kz_q8_pair) : sizeof(kz_q4_pair));
}

/* Sign, then: normal numbers by shifting mantissa and bias; subnormals as mantissa * 2^-24, which is exact. */
static float from_f16(uint16_t h) {
    uint32_t sign = (uint32_t)(h & 0x8000u) << 16, exponent = (h >> 10) & 0x1fu, mantissa = h & 0x3ffu;
    if (exponent == 0x1f)
        return kz_math_float(sign | 0x7f800000u | mantissa << 13);
    if (exponent == 0)
        return kz_math_float(sign | kz_math_bits((float)mantissa * 0x1p-24f));
    return kz_math_float(sign | (exponent + 112) << 23 | mantissa << 13);
}

/* Subnormal results come from an addition that rounds at 2^-24, normal ones from one that carries into the exponent. */
uint16_t kz_to_f16(float x) {
    uint32_t u = kz_math_bits(x), sign = u >> 16 & 0x8000u, a = u & 0x7fffffffu;
    if (a > 0x7f800000u)
        return (uint16_t)(sign | 0x7e00u);
    if (a >= 0x477ff000u)
        return (uint16_t)(sign | 0x7c00u);
    if (a < 0x38800000u)
        return (uint16_t)(sign | (kz_math_bits(kz_math_float(a) + 0.5f) - 0x3f000000u));
    return (uint16_t)(sign | (a + 0xfffu + (a >> 13 & 1) - 0x38000000u) >> 13);
}

static void from_block(float *y, const unsigned char *p, kz_dtype type) {
    int8_t q[KZ_BLOCK];
    float d = from_f16(kz_block_read(q, p, type));
    for (size_t i = 0; i < KZ_BLOCK; i++)
        y[i] = d * (float)q[i];
}

void kz_to_f32(float *y, const void *x, kz_dtype type, size_t n) {
    const unsigned char *p = x;
    if (type == KZ_F32) {
        memcpy(y, p, n * sizeof *y);
        return;
    }
    if (kz_is_quantized(type)) {
        for (size_t i = 0; i + KZ_BLOCK <= n; i += KZ_BLOCK)
            from_block(y + i, p + kz_row_bytes(type, i), type);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        uint16_t h;
        memcpy(&h, p + 2 * i, sizeof h);
        y[i] = type == KZ_BF16 ? kz_math_float((uint32_t)h << 16) : from_f16(h);
    }
}

float kz_expf(float x) { return kz_math_exp(x); }
float kz_logf(float x) { return kz_math_log(x); }
