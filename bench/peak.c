/* peak.c: loops of multiply-adds, nothing else.  SPDX-License-Identifier: Apache-2.0 */
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
#define MADDUBS(v) "vpmaddubsw %%" v "15, %%" v "15, %%" v "14\n\tvpaddw %%" v "14, %%" v
#define MADDUBS_256(i) MADDUBS("ymm") #i ", %%ymm" #i "\n\t"
#define MADDUBS_512(i) MADDUBS("zmm") #i ", %%zmm" #i "\n\t"
#define VNNI_256(i) "%{vex%} vpdpbusd %%ymm15, %%ymm15, %%ymm" #i "\n\t"
#define VNNI_512(i) "vpdpbusd %%zmm15, %%zmm15, %%zmm" #i "\n\t"
#define X86_INT8(name, step)                                                                                           \
    static void name(void) {                                                                                           \
        long n = ROUNDS;                                                                                               \
        FMA_LOOP(step, "vzeroall\n", "dec %0", "jnz 1b\n\tvzeroupper", V12);                                           \
    }
X86_INT8(int8_256, MADDUBS_256)
X86_INT8(int8_512, MADDUBS_512)
X86_INT8(vnni_256, VNNI_256)
X86_INT8(vnni_512, VNNI_512)

/* A round of full tiles does what AMX_ROUNDS instructions of 1024 products would. The system's permission came when the
 * level was asked for. */
enum { AMX_ROUNDS = 16 };
#define TDPBSSD(i) "tdpbssd %%tmm7, %%tmm6, %%tmm" #i "\n\t"
#define TDPBSSD_6 TDPBSSD(0) TDPBSSD(1) TDPBSSD(2) TDPBSSD(3) TDPBSSD(4) TDPBSSD(5)
static void amx(void) {
    struct {
        unsigned char palette, start_row, reserved[14];
        unsigned short row_bytes[16];
        unsigned char rows[16];
    } config = {.palette = 1};
    long n = ROUNDS / AMX_ROUNDS;
    for (int i = 0; i < 8; i++) {
        config.row_bytes[i] = 64;
        config.rows[i] = 16;
    }
    __asm__ volatile("ldtilecfg %1\n1:\n\t" TDPBSSD_6 TDPBSSD_6 "dec %0\n\tjnz 1b\n\ttilerelease"
                     : "+r"(n)
                     : "m"(config)
                     : "cc");
}
#elif defined(__aarch64__)
#define V13 "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v15"
#define FMA_128(i) "fmla v" #i ".4s, v15.4s, v15.4s\n\t"
static void loop_128(void) {
    long n = ROUNDS;
    FMA_LOOP(FMA_128, "movi v15.4s, #0\n", "subs %0, %0, #1", "b.ne 1b", V13);
}
#define SMULL(i) "smull v14.8h, v15.8b, v15.8b\n\tsadalp v" #i ".4s, v14.8h\n\t"
#define SDOT(i) "sdot v" #i ".4s, v15.16b, v15.16b\n\t"
#define SMMLA(i) "smmla v" #i ".4s, v15.16b, v15.16b\n\t"
#define ARM_INT8(name, extension, step)                                                                                \
    static void name(void) {                                                                                           \
        long n = ROUNDS;                                                                                               \
        FMA_LOOP(step, extension "movi v15.4s, #0\n", "subs %0, %0, #1", "b.ne 1b", V13, "v14");                       \
    }
ARM_INT8(int8_128, "", SMULL)
ARM_INT8(sdot_128, ".arch armv8.2-a+dotprod\n\t", SDOT)
ARM_INT8(smmla_128, ".arch armv8.2-a+i8mm\n\t", SMMLA)
#endif

typedef struct level {
    const char *name; /* how names of levels begin; the first that fits counts */
    void (*loop)(void);
    int products; /* an instruction */
} level;

static const level f32_levels[] = {
#if defined(__x86_64__)
    {"avx2", loop_256, 8},
    {"avx512", loop_512, 16},
    {"amx", loop_512, 16},
#elif defined(__aarch64__)
    {"neon", loop_128, 4},
    {"dotprod", loop_128, 4},
    {"i8mm", loop_128, 4},
#endif
    {NULL, NULL, 0}};

static const level int8_levels[] = {
#if defined(__x86_64__)
    {"avx2vnni", vnni_256, 32},
    {"avx2", int8_256, 32},
    {"avx512vnni", vnni_512, 64},
    {"avx512", int8_512, 64},
    {"amx", amx, 1024},
#elif defined(__aarch64__)
    {"neon", int8_128, 8},
    {"dotprod", sdot_128, 16},
    {"i8mm", smmla_128, 32},
#endif
    {NULL, NULL, 0}};

static void run_some(void *arg, size_t begin, size_t end, int worker) {
    const level *l = arg;
    (void)worker;
    for (size_t i = begin; i < end; i++)
        l->loop();
}

static double peak(kz_pool *pool, const level *l, const char *name) {
    while (l->name && strncmp(name, l->name, strlen(l->name)) != 0)
        l++;
    if (!l->name)
        return 0;
    const size_t pieces = (size_t)(PIECES * kz_pool_threads(pool));
    level copy = *l;
    const double begin = kz_now();
    kz_pool_run(pool, pieces, 1, run_some, &copy);
    return 2e-9 * (double)(ROUNDS * CHAINS) * (double)pieces * l->products / (kz_now() - begin);
}

double bench_peak(kz_pool *pool, const char *level_name) { return peak(pool, f32_levels, level_name); }

double bench_peak_int8(kz_pool *pool, const char *level_name) { return peak(pool, int8_levels, level_name); }
