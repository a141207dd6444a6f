/* sha256.c: SHA-256 (FIPS 180-4).  SPDX-License-Identifier: Apache-2.0 */
#include "hash/hash.h"

#include <string.h>

static const uint32_t round_constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int n) { return x >> n | x << (32 - n); }

/* Round t mod 8: instead of the eight values their names move on by one, so that all of them stay in registers. */
static inline void mix(uint32_t v[8], unsigned t, uint32_t x) {
    uint32_t a = v[(0 - t) & 7], b = v[(1 - t) & 7], c = v[(2 - t) & 7];
    uint32_t e = v[(4 - t) & 7], f = v[(5 - t) & 7], g = v[(6 - t) & 7];
    uint32_t one = v[(7 - t) & 7] + x + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g));
    v[(3 - t) & 7] += one;
    v[(7 - t) & 7] = one + (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
}

static void add_block(uint32_t h[8], const unsigned char *p) {
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++, p += 4)
        w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
    memcpy(v, h, sizeof v);
    for (int i = 0; i < 64; i += 8) {
        mix(v, 0, w[i] + round_constant[i]);
        mix(v, 1, w[i + 1] + round_constant[i + 1]);
        mix(v, 2, w[i + 2] + round_constant[i + 2]);
        mix(v, 3, w[i + 3] + round_constant[i + 3]);
        mix(v, 4, w[i + 4] + round_constant[i + 4]);
        mix(v, 5, w[i + 5] + round_constant[i + 5]);
        mix(v, 6, w[i + 6] + round_constant[i + 6]);
        mix(v, 7, w[i + 7] + round_constant[i + 7]);
    }
    for (int i = 0; i < 8; i++)
        h[i] += v[i];
}

void kz_sha256_init(kz_sha256 *s) {
    static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(s->h, first, sizeof first);
    s->n_byte = 0;
}

void kz_sha256_add(kz_sha256 *s, const void *data, size_t n) {
    const unsigned char *p = data;
    size_t used = s->n_byte % 64;
    s->n_byte += n;
    while (n) {
        if (!used && n >= 64) {
            add_block(s->h, p);
            p += 64;
            n -= 64;
            continue;
        }
        size_t take = n < 64 - used ? n : 64 - used;
        memcpy(s->block + used, p, take);
        p += take;
        n -= take;
        used = (used + take) % 64;
        if (!used)
            add_block(s->h, s->block);
    }
}

void kz_sha256_end(kz_sha256 *s, char hex[KZ_HASH_TEXT]) {
    static const char digit[] = "0123456789abcdef";
    unsigned char tail[72] = {0x80};
    uint64_t n_bit = s->n_byte * 8;
    size_t n = 64 - (s->n_byte + 8) % 64; /* 1 to 64 bytes of filling */
    for (int i = 0; i < 8; i++)
        tail[n + (size_t)i] = (unsigned char)(n_bit >> (56 - 8 * i));
    kz_sha256_add(s, tail, n + 8);
    for (int i = 0; i < 32; i++) {
        unsigned byte = s->h[i / 4] >> (24 - 8 * (i % 4)) & 0xff;
        hex[2 * i] = digit[byte >> 4];
        hex[2 * i + 1] = digit[byte & 15];
    }
    hex[64] = 0;
}

void kz_sha256_hex(const void *data, size_t n, char hex[KZ_HASH_TEXT]) {
    kz_sha256 s;
    kz_sha256_init(&s);
    kz_sha256_add(&s, data, n);
    kz_sha256_end(&s, hex);
}
