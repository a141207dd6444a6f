/* peak.c: loops of fused multiply-adds, nothing else.  SPDX-License-Identifier: Apache-2.0 */
#include "peak.h"

#include <string.h>

enum { ROUNDS = 1 << 16, CHAINS = 12, PIECES = 8 };

/* CHAINS independent ones a round; the values stay zero. */
#define FMA_LOOP(f, zero, step, again, ...)                                                                            \
    __asm__ volatile(zero "1:\n\t" f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) step "\n\t" again     \
                     : "+r"(n)                                                                                         \
                     :                                                                                                 \
                     : "cc", __VA_ARGS__)

#if defined(__x86_64__)
#define V12                                                                                                            \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",         \
        "xmm13", "xmm14", "xmm15"
#define FMA_256(i) "vfmadd231ps %%ymm15, %%ymm15, %%ymm" #i "\n\t"
#define FMA_512(i) "vfmadd231ps %%zmm15, %%zmm15, %%zmm" #i "\n\t"
static void loop_256(void) {
    long n = ROUNDS;
    FMA_LOOP(FMA_256, "vzeroall\n", "dec %0", "jnz 1b\n\tvzeroupper", V12);
}
static void loop_512(void) {
    long n = ROUNDS;
    FMA_LOOP(FMA_512, "vzeroall\n", "dec %0", "jnz 1b\n\tvzeroupper", V12);
}
#elif defined(__aarch64__)
#define V13 "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v15"
#define FMA_128(i) "fmla v" #i ".4s, v15.4s, v15.4s\n\t"
static void loop_128(void) {
    long n = ROUNDS;
    FMA_LOOP(FMA_128, "movi v15.4s, #0\n", "subs %0, %0, #1", "b.ne 1b", V13);
}
#endif

typedef struct level {
    const char *name;
    void (*loop)(void);
    int lanes;
} level;

static const level *find(const char *name) {
    static const level levels[] = {
#if defined(__x86_64__)
        {"avx2", loop_256, 8},
        {"avx512", loop_512, 16},
#elif defined(__aarch64__)
        {"neon", loop_128, 4},
#endif
        {NULL, NULL, 0}};
    for (const level *l = levels; l->name; l++)
        if (strncmp(name, l->name, strlen(l->name)) == 0)
            return l;
    return NULL;
}

static void run_some(void *arg, size_t begin, size_t end, int worker) {
    const level *l = arg;
    (void)worker;
    for (size_t i = begin; i < end; i++)
        l->loop();
}

double bench_peak(kz_pool *pool, const char *name) {
    const level *l = find(name);
    if (!l)
        return 0;
    const size_t pieces = (size_t)(PIECES * kz_pool_threads(pool));
    const double begin = kz_now();
    level copy = *l;
    kz_pool_run(pool, pieces, 1, run_some, &copy);
    return 2e-9 * (double)(ROUNDS * CHAINS) * (double)pieces * l->lanes / (kz_now() - begin);
}
