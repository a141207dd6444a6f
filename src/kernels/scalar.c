/* scalar.c: single numbers and storage types.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "kernels/c/math.h"
#include "kernels/kernels.h"

size_t kz_dtype_size(kz_dtype type) { return type == KZ_F32 ? 4 : 2; }

/* Sign, then: normal numbers by shifting mantissa and bias; subnormals as mantissa * 2^-24, which is exact. */
static float from_f16(uint16_t h) {
    uint32_t sign = (uint32_t)(h & 0x8000u) << 16, exponent = (h >> 10) & 0x1fu, mantissa = h & 0x3ffu;
    if (exponent == 0x1f)
        return kz_math_float(sign | 0x7f800000u | mantissa << 13);
    if (exponent == 0)
        return kz_math_float(sign | kz_math_bits((float)mantissa * 0x1p-24f));
    return kz_math_float(sign | (exponent + 112) << 23 | mantissa << 13);
}

void kz_to_f32(float *y, const void *x, kz_dtype type, size_t n) {
    const unsigned char *p = x;
    if (type == KZ_F32) {
        memcpy(y, p, n * sizeof *y);
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
