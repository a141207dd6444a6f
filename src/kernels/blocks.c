/* blocks.c: widening of the GGUF types that no kernel reads.  SPDX-License-Identifier: Apache-2.0
 *
 * A block holds 32 or 256 neighbouring weights as small integers and the scales they are multiplied with. Each function
 * widens one block, with the operations in the order of the formats' reference (each product and sum rounded once), so
 * that the numbers are those of every other reader. */
#include <string.h>

#include "kernels/kernels.h"

enum { SMALL = 32, LARGE = 256, GROUP = 16 };

static float half_at(const unsigned char *p) {
    float f;
    kz_to_f32(&f, p, KZ_F16, 1);
    return f;
}

static int signed_byte(unsigned char byte) { return byte < 128 ? byte : byte - 256; }

/* Values of 4 bits, the first 16 in the low halves of the bytes, the others in the high ones. */
static int nibble(const unsigned char *p, int i) { return i < GROUP ? p[i] & 15 : p[i - GROUP] >> 4; }

/* ---- blocks of 32 -------------------------------------------------------------------------------------------- */

static void q4_1(float *y, const unsigned char *p) {
    float d = half_at(p), m = half_at(p + 2);
    for (int i = 0; i < SMALL; i++)
        y[i] = d * (float)nibble(p + 4, i) + m;
}

static int fifth_bit(const unsigned char *p, int i) { return (p[i / 8] >> i % 8 & 1) << 4; }

static void q5_0(float *y, const unsigned char *p) {
    float d = half_at(p);
    for (int i = 0; i < SMALL; i++)
        y[i] = d * (float)((nibble(p + 6, i) | fifth_bit(p + 2, i)) - 16);
}

static void q5_1(float *y, const unsigned char *p) {
    float d = half_at(p), m = half_at(p + 2);
    for (int i = 0; i < SMALL; i++)
        y[i] = d * (float)(nibble(p + 8, i) | fifth_bit(p + 4, i)) + m;
}

/* The scale is a power of two, its exponent a byte; half of it, since the table holds doubled values. */
static void mxfp4(float *y, const unsigned char *p) {
    static const signed char value[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
    uint32_t bits = p[0] < 2 ? UINT32_C(0x00200000) << p[0] : (uint32_t)(p[0] - 1) << 23;
    float d;
    memcpy(&d, &bits, sizeof d);
    for (int i = 0; i < SMALL; i++)
        y[i] = d * (float)value[nibble(p + 1, i)];
}

/* ---- blocks of 256 -------------------------------------------------------------------------------------------- */

/* Values of 2 bits: 32 bytes hold 128 of them, 32 in each pair of bits. */
static int two_bits(const unsigned char *p, int i) { return p[i / 128 * 32 + i % 32] >> i % 128 / 32 * 2 & 3; }

/* Values of 4 bits in runs: `run` bytes hold as many in their low halves, then as many in their high ones. */
static int four_bits(const unsigned char *p, int i, int run) {
    return p[i / (2 * run) * run + i % run] >> i % (2 * run) / run * 4 & 15;
}

/* Values of 1 bit: byte i % 32, bit i / 32. */
static int one_bit(const unsigned char *p, int i) { return p[i % 32] >> i / 32 & 1; }

static void q2_k(float *y, const unsigned char *p) {
    float d = half_at(p + 80), min = half_at(p + 82);
    for (int g = 0; g < LARGE / GROUP; g++) {
        float dl = d * (float)(p[g] & 15), ml = min * (float)(p[g] >> 4);
        for (int i = g * GROUP; i < (g + 1) * GROUP; i++)
            y[i] = dl * (float)two_bits(p + 16, i) - ml;
    }
}

/* Scales of 6 bits: low four in the first 8 bytes, high two in the last 4. */
static void q3_k(float *y, const unsigned char *p) {
    const unsigned char *high = p, *low = p + 32, *scales = p + 96;
    float d = half_at(p + 108);
    for (int g = 0; g < LARGE / GROUP; g++) {
        int scale = (scales[g % 8] >> g / 8 * 4 & 15) | (scales[8 + g % 4] >> g / 4 * 2 & 3) << 4;
        float dl = d * (float)(scale - 32);
        for (int i = g * GROUP; i < (g + 1) * GROUP; i++)
            y[i] = dl * (float)(two_bits(low, i) - (one_bit(high, i) ? 0 : 4));
    }
}

/* Scale and minimum of 32 weights, 6 bits each, of the 8 pairs in 12 bytes. */
static void scale_min(const unsigned char *s, int g, int *scale, int *min) {
    if (g < 4) {
        *scale = s[g] & 63;
        *min = s[4 + g] & 63;
    } else {
        *scale = (s[4 + g] & 15) | (s[g - 4] >> 2 & 48);
        *min = s[4 + g] >> 4 | (s[g] >> 2 & 48);
    }
}

static void q4_k(float *y, const unsigned char *p) {
    float d = half_at(p), dmin = half_at(p + 2);
    for (int g = 0; g < LARGE / SMALL; g++) {
        int scale, min;
        scale_min(p + 4, g, &scale, &min);
        float dl = d * (float)scale, ml = dmin * (float)min;
        for (int i = g * SMALL; i < (g + 1) * SMALL; i++)
            y[i] = dl * (float)four_bits(p + 16, i, 32) - ml;
    }
}

static void q5_k(float *y, const unsigned char *p) {
    float d = half_at(p), dmin = half_at(p + 2);
    for (int g = 0; g < LARGE / SMALL; g++) {
        int scale, min;
        scale_min(p + 4, g, &scale, &min);
        float dl = d * (float)scale, ml = dmin * (float)min;
        for (int i = g * SMALL; i < (g + 1) * SMALL; i++)
            y[i] = dl * (float)(four_bits(p + 48, i, 32) | one_bit(p + 16, i) << 4) - ml;
    }
}

static void q6_k(float *y, const unsigned char *p) {
    float d = half_at(p + 208);
    for (int g = 0; g < LARGE / GROUP; g++) {
        float dl = d * (float)signed_byte(p[192 + g]);
        for (int i = g * GROUP; i < (g + 1) * GROUP; i++)
            y[i] = dl * (float)((four_bits(p, i, 64) | two_bits(p + 128, i) << 4) - 32);
    }
}

/* ---- all ------------------------------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    size_t n_weight, n_byte;
    void (*widen)(float *y, const unsigned char *block);
} kinds[KZ_BLOCK_END - KZ_BLOCK_FIRST] = {
    [KZ_BLOCK_Q4_1 - KZ_BLOCK_FIRST] = {"Q4_1", SMALL, 20, q4_1},
    [KZ_BLOCK_Q5_0 - KZ_BLOCK_FIRST] = {"Q5_0", SMALL, 22, q5_0},
    [KZ_BLOCK_Q5_1 - KZ_BLOCK_FIRST] = {"Q5_1", SMALL, 24, q5_1},
    [KZ_BLOCK_MXFP4 - KZ_BLOCK_FIRST] = {"MXFP4", SMALL, 17, mxfp4},
    [KZ_BLOCK_Q2_K - KZ_BLOCK_FIRST] = {"Q2_K", LARGE, 84, q2_k},
    [KZ_BLOCK_Q3_K - KZ_BLOCK_FIRST] = {"Q3_K", LARGE, 110, q3_k},
    [KZ_BLOCK_Q4_K - KZ_BLOCK_FIRST] = {"Q4_K", LARGE, 144, q4_k},
    [KZ_BLOCK_Q5_K - KZ_BLOCK_FIRST] = {"Q5_K", LARGE, 176, q5_k},
    [KZ_BLOCK_Q6_K - KZ_BLOCK_FIRST] = {"Q6_K", LARGE, 210, q6_k},
};

bool kz_is_block(int type) { return type >= KZ_BLOCK_FIRST && type < KZ_BLOCK_END; }
const char *kz_block_name(int type) { return kinds[type - KZ_BLOCK_FIRST].name; }

size_t kz_stored_group(int type) {
    if (kz_is_block(type))
        return kinds[type - KZ_BLOCK_FIRST].n_weight;
    return kz_is_quantized((kz_dtype)type) ? KZ_BLOCK : 1;
}

size_t kz_stored_bytes(int type, size_t n) {
    if (!kz_is_block(type))
        return kz_row_bytes((kz_dtype)type, n);
    return n / kinds[type - KZ_BLOCK_FIRST].n_weight * kinds[type - KZ_BLOCK_FIRST].n_byte;
}

void kz_stored_to_f32(float *y, const void *x, int type, size_t n) {
    if (!kz_is_block(type)) {
        kz_to_f32(y, x, (kz_dtype)type, n);
        return;
    }
    const unsigned char *p = x;
    for (size_t i = 0; i < n; i += kinds[type - KZ_BLOCK_FIRST].n_weight, p += kinds[type - KZ_BLOCK_FIRST].n_byte)
        kinds[type - KZ_BLOCK_FIRST].widen(y + i, p);
}
