/* git_hash.c: SHA-1 as git names files by.  SPDX-License-Identifier: Apache-2.0 */
#include "git_hash.h"

#include <stdio.h>
#include <string.h>

static uint32_t left(uint32_t x, int n) { return x << n | x >> (32 - n); }

static uint32_t choose(int round, uint32_t b, uint32_t c, uint32_t d) {
    return round == 0 ? (b & c) | (~b & d) : round == 2 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
}

static void add_block(kz_git_hash *s) {
    static const uint32_t constant[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    uint32_t w[80], a = s->h[0], b = s->h[1], c = s->h[2], d = s->h[3], e = s->h[4];
    for (int i = 0; i < 16; i++) {
        const unsigned char *p = s->block + 4 * i;
        w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    }
    for (int i = 16; i < 80; i++)
        w[i] = left(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    for (int i = 0; i < 80; i++) {
        uint32_t next = left(a, 5) + choose(i / 20, b, c, d) + e + constant[i / 20] + w[i];
        e = d;
        d = c;
        c = left(b, 30);
        b = a;
        a = next;
    }
    s->h[0] += a;
    s->h[1] += b;
    s->h[2] += c;
    s->h[3] += d;
    s->h[4] += e;
}

void kz_git_hash_add(kz_git_hash *s, const void *data, size_t n) {
    const unsigned char *p = data;
    while (n > 0) {
        size_t at = s->n_byte % 64, part = 64 - at < n ? 64 - at : n;
        memcpy(s->block + at, p, part);
        s->n_byte += part;
        p += part;
        n -= part;
        if (s->n_byte % 64 == 0)
            add_block(s);
    }
}

void kz_git_hash_init(kz_git_hash *s, uint64_t size) {
    static const uint32_t start[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    char head[32];
    int n = snprintf(head, sizeof head, "blob %llu", (unsigned long long)size);
    memcpy(s->h, start, sizeof start);
    s->n_byte = 0;
    kz_git_hash_add(s, head, (size_t)n + 1);
}

void kz_git_hash_end(kz_git_hash *s, char hex[41]) {
    static const unsigned char one = 0x80, zero = 0;
    unsigned char length[8];
    uint64_t bits = s->n_byte * 8;
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    kz_git_hash_add(s, &one, 1);
    while (s->n_byte % 64 != 56)
        kz_git_hash_add(s, &zero, 1);
    kz_git_hash_add(s, length, 8);
    for (int i = 0; i < 5; i++)
        snprintf(hex + 8 * i, 9, "%08x", (unsigned)s->h[i]);
}
