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

/* ---- q4: a search, four weights at a time in the vectors every compiler of ours offers --------------------------- */

typedef float f32x4 __attribute__((vector_size(16)));
typedef int32_t i32x4 __attribute__((vector_size(16)));

enum { STEPS = 15, GROUPS = KZ_BLOCK / 4 };

static f32x4 all_4(float x) { return (f32x4){x, x, x, x}; }
static float sum_4(f32x4 x) { return (x[0] + x[2]) + (x[1] + x[3]); }

/* Between neighbouring values: the middle, and how far apart they are. */
typedef struct q4_steps {
    f32x4 middle[STEPS], width[STEPS];
} q4_steps;

static void make_steps(q4_steps *s) {
    for (size_t i = 0; i < STEPS; i++) {
        s->middle[i] = all_4(0.5f * (float)(kz_q4_value[i] + kz_q4_value[i + 1]));
        s->width[i] = all_4((float)(kz_q4_value[i + 1] - kz_q4_value[i]));
    }
}

static f32x4 step(f32x4 x, const q4_steps *s, size_t i) {
    return (f32x4)((i32x4)(x > s->middle[i]) & (i32x4)s->width[i]);
}

/* With the block divided by a scale: what the nearest values (halfway, the lower) explain of x, and the scale that fits
 * them best. */
static float try_scale(const f32x4 x[GROUPS], float inverse, const q4_steps *s, float *scale) {
    f32x4 xq = {0}, qq = {0}, by = all_4(inverse), least = all_4(kz_q4_value[0]);
    for (size_t g = 0; g < GROUPS; g += 4) { /* four at once hide each other's latency */
        f32x4 a = x[g] * by, b = x[g + 1] * by, c = x[g + 2] * by, d = x[g + 3] * by;
        f32x4 qa = least, qb = least, qc = least, qd = least;
        for (size_t i = 0; i < STEPS; i++) {
            qa += step(a, s, i);
            qb += step(b, s, i);
            qc += step(c, s, i);
            qd += step(d, s, i);
        }
        xq += (x[g] * qa + x[g + 1] * qb) + (x[g + 2] * qc + x[g + 3] * qd);
        qq += (qa * qa + qb * qb) + (qc * qc + qd * qd);
    }
    float product = sum_4(xq);
    *scale = product / sum_4(qq); /* no value is 0 */
    return product * *scale;
}

/* The scale of the least square error, of those that fit the values a block takes when its largest magnitude becomes
 * one of a few numbers about the table's ends, either way round. */
static float search_scale(const f32x4 x[GROUPS], float top, const q4_steps *s) {
    static const float ends[] = {100.0f, 110.0f, 120.0f, 130.0f, 140.0f};
    float best = 0.0f, d = 0.0f;
    for (size_t i = 0; i < 2 * sizeof ends / sizeof *ends; i++) {
        float scale, end = i % 2 ? ends[i / 2] : -ends[i / 2], gain = try_scale(x, end / top, s, &scale);
        d = gain > best ? scale : d;
        best = gain > best ? gain : best;
    }
    return d;
}

bool kz_quantize_q4(kz_q4_block *b, const float x[KZ_BLOCK]) {
    float top = largest(x), d = 0.0f, rounded, inverse;
    f32x4 v[GROUPS];
    q4_steps s;
    make_steps(&s);
    memcpy(v, x, sizeof v);
    if (is_finite(top) && top >= KZ_QX_LEAST)
        d = search_scale(v, top, &s);
    b->d = kz_to_f16(d);
    kz_to_f32(&rounded, &b->d, KZ_F16, 1);
    inverse = rounded != 0.0f && is_finite(rounded) ? 1.0f / rounded : 0.0f;
    uint8_t half[KZ_BLOCK];
    for (size_t i = 0; i < KZ_BLOCK; i++) {
        size_t n = 0;
        for (size_t j = 0; j < STEPS; j++)
            n += x[i] * inverse > s.middle[j][0];
        half[i] = (uint8_t)n;
    }
    for (size_t i = 0; i < KZ_BLOCK / 2; i++)
        b->q[i] = (uint8_t)(half[i] | half[i + 16] << 4);
    return is_finite(top) && is_finite(rounded);
}
