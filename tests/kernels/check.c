/* check.c: random numbers, guarded memory and comparison for the kernel checks.  SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- random numbers (SplitMix64) ---- */

uint64_t check_bits(check_rng *rng) {
    uint64_t z = rng->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

size_t check_range(check_rng *rng, size_t lo, size_t hi) { return lo + (size_t)(check_bits(rng) % (hi - lo + 1)); }

float check_uniform(check_rng *rng, float lo, float hi) {
    return lo + (hi - lo) * ((float)(check_bits(rng) >> 40) * 0x1p-24f);
}

static float mixed(check_rng *rng, int exponent) {
    float m = check_uniform(rng, 1.0f, 2.0f) * (check_bits(rng) & 1 ? 1.0f : -1.0f);
    switch (check_bits(rng) % 24) {
    case 0:
        return copysignf(0.0f, m);
    case 1:
        return ldexpf(m, -140);
    case 2:
        return ldexpf(m, exponent + 12);
    case 3:
        return ldexpf(m, exponent - 20);
    default:
        return ldexpf(m, exponent - 3 + (int)(check_bits(rng) % 6));
    }
}

void check_mixed(check_rng *rng, float *x, size_t n, int exponent) {
    for (size_t i = 0; i < n; i++)
        x[i] = mixed(rng, exponent);
}

void check_fill(check_rng *rng, float *x, size_t n, float lo, float hi) {
    for (size_t i = 0; i < n; i++)
        x[i] = check_uniform(rng, lo, hi);
}

void check_weights(check_rng *rng, void *w, kz_dtype type, size_t n, int exponent) {
    if (type == KZ_F32) {
        check_mixed(rng, w, n, exponent);
        return;
    }
    if (kz_is_quantized(type)) { /* n bytes: scales are any finite f16 where they may be, values anything */
        unsigned char *p = w;
        size_t pair = kz_panel_bytes(type, KZ_PAIR);
        for (size_t i = 0; i < n; i++)
            p[i] = (unsigned char)check_bits(rng);
        for (size_t i = 0; i < n; i += pair)
            check_weights(rng, p + i, KZ_F16, 2 * KZ_PANEL, 0);
        return;
    }
    uint16_t *h = w;
    for (size_t i = 0; i < n; i++) {
        if (type == KZ_BF16) {
            float x = mixed(rng, exponent);
            uint32_t u;
            memcpy(&u, &x, sizeof u);
            h[i] = (uint16_t)(u >> 16);
        } else { /* any finite f16, subnormals among them */
            uint64_t bits = check_bits(rng);
            h[i] = (uint16_t)((bits & 0x83ffu) | ((bits >> 16) % 31) << 10);
        }
    }
}

/* ---- memory ---- */

enum { N_SLOT = 16, SLOT_SIZE = 4 << 20 };

static struct {
    unsigned char *base;
    size_t page, n_used;
} memory;

bool check_memory_init(void) {
    memory.page = (size_t)sysconf(_SC_PAGESIZE);
    size_t stride = SLOT_SIZE + memory.page;
    memory.base = mmap(NULL, N_SLOT * stride, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory.base == MAP_FAILED)
        return false;
    for (size_t i = 0; i < N_SLOT; i++)
        if (mprotect(memory.base + i * stride + SLOT_SIZE, memory.page, PROT_NONE) != 0)
            return false;
    return true;
}

void check_memory_reset(void) { memory.n_used = 0; }

void *check_buffer(size_t n_byte) {
    if (memory.n_used == N_SLOT || n_byte > SLOT_SIZE) {
        fprintf(stderr, "check_kernels: a case needs more memory than there is\n");
        _exit(2);
    }
    unsigned char *end = memory.base + memory.n_used++ * (SLOT_SIZE + memory.page) + SLOT_SIZE;
    memset(end - n_byte, 0, n_byte);
    return end - n_byte;
}

float *check_floats(size_t n) { return check_buffer(n * sizeof(float)); }

check_pair check_outputs(check_rng *rng, size_t n) {
    size_t n_byte = CHECK_MARGIN + n * sizeof(float);
    unsigned char *want = check_buffer(n_byte), *got = check_buffer(n_byte);
    for (size_t i = 0; i < n_byte; i++)
        want[i] = (unsigned char)(check_bits(rng) % 100); /* finite as floats */
    memcpy(got, want, n_byte);
    void *a = want + CHECK_MARGIN, *b = got + CHECK_MARGIN;
    return (check_pair){a, b, n};
}

/* ---- verdicts ---- */

static void report(const check_run *run, const check_pair *pair) {
    for (size_t i = 0; i < pair->n; i++)
        if (memcmp(pair->want + i, pair->got + i, sizeof(float)) != 0) {
            printf("FAIL %s %s: element %zu of %zu is %a, must be %a\n", run->k->name, run->name, i, pair->n,
                   (double)pair->got[i], (double)pair->want[i]);
            return;
        }
    printf("FAIL %s %s: wrote before its output\n", run->k->name, run->name);
}

bool check_equal(check_run *run, const check_pair *pair) {
    const unsigned char *want = (const unsigned char *)pair->want - CHECK_MARGIN;
    const unsigned char *got = (const unsigned char *)pair->got - CHECK_MARGIN;
    size_t n_byte = CHECK_MARGIN + pair->n * sizeof(float);
    for (size_t i = 0; i < n_byte; i++)
        run->hash = (run->hash ^ want[i]) * 0x100000001b3u;
    bool equal = memcmp(want, got, n_byte) == 0;
    if (!equal && run->failed < 10)
        report(run, pair);
    run->passed += equal;
    run->failed += !equal;
    return equal;
}
