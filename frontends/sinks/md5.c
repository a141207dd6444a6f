/* md5.c: MD5 (RFC 1321) and the sink that prints the hash of the 16-bit samples.  SPDX-License-Identifier: Apache-2.0
 *
 * For comparing runs, not for security. */
#include <string.h>

#include "sink.h"

static const unsigned char shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

/* floor(2^32 * |sin(i + 1)|) */
static const uint32_t sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static uint32_t rotate(uint32_t x, unsigned n) { return x << n | x >> (32 - n); }

/* The round's mixing function and the word it takes. */
static uint32_t mix(unsigned i, uint32_t b, uint32_t c, uint32_t d, unsigned *word) {
    switch (i / 16) {
    case 0:
        *word = i;
        return (b & c) | (~b & d);
    case 1:
        *word = (5 * i + 1) % 16;
        return (b & d) | (c & ~d);
    case 2:
        *word = (3 * i + 5) % 16;
        return b ^ c ^ d;
    default:
        *word = 7 * i % 16;
        return c ^ (b | ~d);
    }
}

static void add_block(kz_md5 *md5, const unsigned char *p) {
    uint32_t x[16], a = md5->state[0], b = md5->state[1], c = md5->state[2], d = md5->state[3];
    for (int i = 0; i < 16; i++, p += 4)
        x[i] = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    for (unsigned i = 0; i < 64; i++) {
        unsigned word;
        uint32_t f = mix(i, b, c, d, &word) + a + sines[i] + x[word];
        a = d;
        d = c;
        c = b;
        b += rotate(f, shifts[i / 16][i % 4]);
    }
    md5->state[0] += a;
    md5->state[1] += b;
    md5->state[2] += c;
    md5->state[3] += d;
}

void kz_md5_init(kz_md5 *md5) {
    static const uint32_t first[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    memset(md5, 0, sizeof *md5);
    memcpy(md5->state, first, sizeof first);
}

void kz_md5_update(kz_md5 *md5, const void *data, size_t n) {
    const unsigned char *p = data;
    while (n > 0) {
        size_t at = (size_t)(md5->n_byte % 64), part = 64 - at < n ? 64 - at : n;
        memcpy(md5->block + at, p, part);
        md5->n_byte += part;
        if (at + part == 64)
            add_block(md5, md5->block);
        p += part;
        n -= part;
    }
}

void kz_md5_hex(kz_md5 *md5, char hex[33]) {
    static const unsigned char padding[64] = {0x80};
    uint64_t n_bit = md5->n_byte * 8;
    unsigned char length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(n_bit >> (8 * i));
    kz_md5_update(md5, padding, 1 + (119 - (size_t)(md5->n_byte % 64)) % 64);
    kz_md5_update(md5, length, sizeof length);
    for (int i = 0; i < 32; i++)
        hex[i] = "0123456789abcdef"[md5->state[i / 8] >> (i % 8 / 2 * 8 + (i % 2 ? 0 : 4)) & 15];
    hex[32] = '\0';
}

static int md5_start(kz_sink *sink) {
    kz_md5_init(&sink->md5);
    return 0;
}

static int md5_write(kz_sink *sink, const float *pcm, size_t n) {
    unsigned char bytes[2048];
    while (n > 0) {
        size_t part = n < sizeof bytes / 2 ? n : sizeof bytes / 2;
        kz_pcm_s16_bytes(pcm, part, bytes);
        kz_md5_update(&sink->md5, bytes, 2 * part);
        pcm += part;
        n -= part;
    }
    return 0;
}

static int md5_finish(kz_sink *sink) {
    char line[34];
    kz_md5_hex(&sink->md5, line);
    line[32] = '\n';
    return kz_outfile_write(&sink->out, line, 33);
}

const kz_sink_type kz_sink_md5 = {
    .name = "md5", .extensions = "", .text = true, .start = md5_start, .write = md5_write, .finish = md5_finish};
