/* test_blocks.c: widening of GGUF's block types, against values recorded from the `gguf` package.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Eight blocks of pseudo-random bytes a type (all scales finite); the recorded FNV-1a is over all widened floats, a few
 * of them are given besides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/kernels.h"

enum { BLOCKS = 8, MAX_BYTES = 210 * BLOCKS, MAX_WEIGHTS = 256 * BLOCKS };

typedef struct recorded {
    const char *name;
    int type;
    int half[2]; /* where 16-bit scales are, -1 = none */
    uint64_t hash;
    uint32_t bits[5]; /* of weights 0, 1, 17, the sixth of the second half, the last */
} recorded;

static const recorded table[] = {
    {"Q8_0",
     KZ_Q8,
     {0, -1},
     UINT64_C(0x5362fb061551979d),
     {0xbf45f100u, 0xbeece800u, 0xbf3b0800u, 0x3d2dfac0u, 0x3b51fa00u}},
    {"Q4_0",
     KZ_Q4_0,
     {0, -1},
     UINT64_C(0x4aa1f04afbd877d9),
     {0xc0278000u, 0x3fd16000u, 0x3f7b4000u, 0x3d48f000u, 0xbb189400u}},
    {"Q4_1",
     KZ_BLOCK_Q4_1,
     {0, 2},
     UINT64_C(0xb9c1e0f55ae1cfe2),
     {0xba26fc00u, 0xbb640f00u, 0xbb640f00u, 0x39f94000u, 0x3c787800u}},
    {"Q5_0",
     KZ_BLOCK_Q5_0,
     {0, -1},
     UINT64_C(0x83c6c3d2933d9ee1),
     {0x3e7e1000u, 0xbe5c3000u, 0x3e4b4000u, 0x3b762000u, 0x3c875a00u}},
    {"Q5_1",
     KZ_BLOCK_Q5_1,
     {0, 2},
     UINT64_C(0xc1212abeb2d4ece4),
     {0xc1d1d23eu, 0xc1d90e3eu, 0xc1d1d23eu, 0x3d424800u, 0xbdfc3a40u}},
    {"IQ4_NL",
     KZ_Q4,
     {0, -1},
     UINT64_C(0x4b0bdfcc9db919f1),
     {0xbd573880u, 0x3d4abe80u, 0xbd8acd40u, 0xbc50f700u, 0xc04fe600u}},
    {"MXFP4",
     KZ_BLOCK_MXFP4,
     {-1, -1},
     UINT64_C(0x4c4ca7c07e44849d),
     {0x80200000u, 0x80800000u, 0x80200000u, 0x31c00000u, 0x39000000u}},
    {"Q2_K",
     KZ_BLOCK_Q2_K,
     {80, 82},
     UINT64_C(0xc807b433678fdfa5),
     {0xbf067800u, 0xbf067800u, 0x3cbf0000u, 0x4105b860u, 0x3e86ddc0u}},
    {"Q3_K",
     KZ_BLOCK_Q3_K,
     {108, -1},
     UINT64_C(0xf41fb7c36ce74d27),
     {0x3de9d000u, 0xbe2f5c00u, 0xbdf1e000u, 0x3fbd0000u, 0x00000000u}},
    {"Q4_K",
     KZ_BLOCK_Q4_K,
     {0, 2},
     UINT64_C(0xbed920ccec26cf01),
     {0x418d1d01u, 0x41023902u, 0xbb87f000u, 0x3f0fd400u, 0x3d976f00u}},
    {"Q5_K",
     KZ_BLOCK_Q5_K,
     {0, 2},
     UINT64_C(0xff20b5088296793b),
     {0xbc528680u, 0x3cc2f460u, 0xbb1be400u, 0xbe88420eu, 0xc140b950u}},
    {"Q6_K",
     KZ_BLOCK_Q6_K,
     {208, -1},
     UINT64_C(0xbd3a01236e930d95),
     {0xbca1b800u, 0x3daf3200u, 0xbee01f00u, 0xc4943a90u, 0xc2e09ca0u}},
};

static void make_blocks(unsigned char *p, const recorded *r, uint32_t seed) {
    size_t size = kz_stored_bytes(r->type, kz_stored_group(r->type));
    for (size_t i = 0; i < BLOCKS * size; i++) {
        seed = seed * 1664525u + 1013904223u;
        p[i] = (unsigned char)(seed >> 24);
    }
    for (size_t b = 0; b < BLOCKS; b++) {
        for (int h = 0; h < 2 && r->half[h] >= 0; h++)
            p[b * size + (size_t)r->half[h] + 1] &= 0xbf;
        if (r->type == KZ_BLOCK_MXFP4) /* the two smallest exponents, then middling ones */
            p[b * size] = b < 2 ? (unsigned char)b : (unsigned char)((p[b * size] & 0x7f) | 0x40);
    }
}

static uint64_t hash_of(const void *data, size_t n) {
    const unsigned char *p = data;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * UINT64_C(0x100000001b3);
    return h;
}

static void test_recorded(void **state) {
    static unsigned char bytes[MAX_BYTES];
    static float y[MAX_WEIGHTS];
    (void)state;
    assert_int_equal(sizeof table / sizeof *table, KZ_BLOCK_END - KZ_BLOCK_FIRST + 3);
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        const recorded *r = &table[k];
        size_t n = BLOCKS * kz_stored_group(r->type), at[5] = {0, 1, 17, n / 2 + 5, n - 1};
        if (kz_is_block(r->type))
            assert_string_equal(kz_block_name(r->type), r->name);
        make_blocks(bytes, r, (uint32_t)k + 1);
        kz_stored_to_f32(y, bytes, r->type, n);
        for (int i = 0; i < 5; i++) {
            uint32_t bits;
            memcpy(&bits, &y[at[i]], sizeof bits);
            assert_int_equal(bits, r->bits[i]);
        }
        assert_true(hash_of(y, n * sizeof *y) == r->hash);
    }
}

static void test_plain_types(void **state) {
    const uint16_t bf16[2] = {0x3f80, 0xc000}, f16[2] = {0x3c00, 0xc000};
    float y[2];
    (void)state;
    assert_false(kz_is_block(KZ_F32) || kz_is_block(KZ_BF16) || kz_is_block(KZ_F16) || kz_is_block(KZ_BLOCK_END));
    assert_int_equal(kz_stored_bytes(KZ_F32, 3), 12);
    assert_int_equal(kz_stored_bytes(KZ_F16, 3), 6);
    kz_stored_to_f32(y, bf16, KZ_BF16, 2);
    assert_true(y[0] == 1 && y[1] == -2);
    kz_stored_to_f32(y, f16, KZ_F16, 2);
    assert_true(y[0] == 1 && y[1] == -2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_recorded), cmocka_unit_test(test_plain_types)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
