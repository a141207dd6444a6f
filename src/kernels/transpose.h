/* transpose.h: small blocks of weights turned over, in the vectors every compiler of ours offers.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Only data moves, so nothing here can change a result. */
#ifndef KZ_KERNELS_TRANSPOSE_H
#define KZ_KERNELS_TRANSPOSE_H

#include <stdint.h>
#include <string.h>

typedef uint16_t kz_u16x8 __attribute__((vector_size(16)));
typedef uint32_t kz_u32x4 __attribute__((vector_size(16)));

#if defined(__clang__)
#define KZ_SHUFFLE_8(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#define KZ_SHUFFLE_4(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define KZ_SHUFFLE_8(a, b, ...) __builtin_shuffle(a, b, (kz_u16x8){__VA_ARGS__})
#define KZ_SHUFFLE_4(a, b, ...) __builtin_shuffle(a, b, (kz_u32x4){__VA_ARGS__})
#endif

/* Elements of the first, then of the second halves, taken in turn. */
static inline kz_u16x8 kz_zip_lo_8(kz_u16x8 a, kz_u16x8 b) { return KZ_SHUFFLE_8(a, b, 0, 8, 1, 9, 2, 10, 3, 11); }
static inline kz_u16x8 kz_zip_hi_8(kz_u16x8 a, kz_u16x8 b) { return KZ_SHUFFLE_8(a, b, 4, 12, 5, 13, 6, 14, 7, 15); }
static inline kz_u32x4 kz_zip_lo_4(kz_u32x4 a, kz_u32x4 b) { return KZ_SHUFFLE_4(a, b, 0, 4, 1, 5); }
static inline kz_u32x4 kz_zip_hi_4(kz_u32x4 a, kz_u32x4 b) { return KZ_SHUFFLE_4(a, b, 2, 6, 3, 7); }

/* Rows to columns. Zipping row i with row i + n / 2 for all i, log2 n times, transposes. */
static inline void kz_transpose_8x8(kz_u16x8 r[8]) {
    for (int pass = 0; pass < 3; pass++) {
        kz_u16x8 t[8];
        for (int i = 0; i < 4; i++) {
            t[2 * i] = kz_zip_lo_8(r[i], r[i + 4]);
            t[2 * i + 1] = kz_zip_hi_8(r[i], r[i + 4]);
        }
        memcpy(r, t, sizeof t);
    }
}

static inline void kz_transpose_4x4(kz_u32x4 r[4]) {
    kz_u32x4 a = kz_zip_lo_4(r[0], r[2]), b = kz_zip_hi_4(r[0], r[2]);
    kz_u32x4 c = kz_zip_lo_4(r[1], r[3]), d = kz_zip_hi_4(r[1], r[3]);
    r[0] = kz_zip_lo_4(a, c);
    r[1] = kz_zip_hi_4(a, c);
    r[2] = kz_zip_lo_4(b, d);
    r[3] = kz_zip_hi_4(b, d);
}

#endif
