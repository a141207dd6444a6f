/* sum.c: XXH64 by its specification: four lanes over stripes of 32 bytes, then what is left.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "hash/hash.h"

static const uint64_t P1 = 0x9E3779B185EBCA87U, P2 = 0xC2B2AE3D27D4EB4FU, P3 = 0x165667B19E3779F9U,
                      P4 = 0x85EBCA77C2B2AE63U, P5 = 0x27D4EB2F165667C5U;

static uint64_t turn(uint64_t x, int n) { return x << n | x >> (64 - n); }

static uint64_t word(const unsigned char *p) {
    uint64_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

static uint64_t half(const unsigned char *p) {
    uint32_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

static uint64_t mix(uint64_t lane, uint64_t input) { return turn(lane + input * P2, 31) * P1; }

static uint64_t stripes(const unsigned char **p, size_t n) {
    uint64_t a = P1 + P2, b = P2, c = 0, d = 0 - P1;
    for (; n >= 32; n -= 32, *p += 32) {
        a = mix(a, word(*p));
        b = mix(b, word(*p + 8));
        c = mix(c, word(*p + 16));
        d = mix(d, word(*p + 24));
    }
    uint64_t h = turn(a, 1) + turn(b, 7) + turn(c, 12) + turn(d, 18);
    const uint64_t lane[4] = {a, b, c, d};
    for (int i = 0; i < 4; i++)
        h = (h ^ mix(0, lane[i])) * P1 + P4;
    return h;
}

uint64_t kz_sum(const void *data, size_t n) {
    const unsigned char *p = data;
    uint64_t h = (n >= 32 ? stripes(&p, n) : P5) + n;
    n %= 32;
    for (; n >= 8; n -= 8, p += 8)
        h = turn(h ^ mix(0, word(p)), 27) * P1 + P4;
    for (; n >= 4; n -= 4, p += 4)
        h = turn(h ^ half(p) * P1, 23) * P2 + P3;
    for (; n; n--, p++)
        h = turn(h ^ *p * P5, 11) * P1;
    h = (h ^ h >> 33) * P2;
    h = (h ^ h >> 29) * P3;
    return h ^ h >> 32;
}

void kz_sum_write(char *digits, uint64_t sum) {
    for (int i = 0; i < KZ_SUM_DIGITS; i++)
        digits[i] = "0123456789abcdef"[sum >> (60 - 4 * i) & 15];
}
