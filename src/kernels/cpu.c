/* cpu.c: which kernels this build has and this CPU can run.  SPDX-License-Identifier: Apache-2.0
 *
 * Nothing is cached: a query costs a few CPUID reads at most, and a table is asked for once a model. */
#define _DEFAULT_SOURCE /* syscall */

#include <string.h>

#include "kernels/tables.h"

#if defined(KZ_HAVE_DOTPROD) || defined(KZ_HAVE_I8MM)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#if defined(KZ_HAVE_AVX2) || defined(KZ_HAVE_AVX512)
#include <cpuid.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

/* Register state the operating system saves (XCR0); 0 without XSAVE. */
static uint64_t os_state(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
        return 0;
    unsigned lo, hi;
    __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    return (uint64_t)hi << 32 | lo;
}

static bool has_avx2(void) {
    unsigned a, b, c, d;
    const uint64_t ymm = 0x6;
    const unsigned need = bit_AVX | bit_FMA | bit_F16C;
    if ((os_state() & ymm) != ymm || !__get_cpuid(1, &a, &b, &c, &d) || (c & need) != need)
        return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX2);
}

static bool has_avx512(void) {
    unsigned a, b, c, d;
    const uint64_t zmm = 0xe6;
    const unsigned need = bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL;
    if (!has_avx2() || (os_state() & zmm) != zmm)
        return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & need) == need;
}

static bool has_vnni(void) {
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (c & bit_AVX512VNNI);
}

/* AVX-VNNI. */
static bool has_avx_vnni(void) {
    unsigned a, b, c, d;
    const unsigned bit = 1u << 4;
    return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & bit);
}

/* Linux gives a process the tiles' registers when it asks, or says no; asked again, it says the same. What it gives is for
 * all threads and makes the frame of a signal larger in those that have tiles in use. */
static bool tiles_permitted(void) {
#if defined(__linux__)
    const long request = 0x1023, tile_data = 18; /* ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA */
    return syscall(SYS_arch_prctl, request, tile_data) == 0;
#else
    return false;
#endif
}

/* Tiles of bytes, at least 16 rows of 64, eight of them. */
static bool has_amx(void) {
    unsigned a, b, c, d;
    const uint64_t tiles = 0x60000;
    const unsigned need = 3u << 24; /* AMX-TILE, AMX-INT8 */
    if ((os_state() & tiles) != tiles || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || (d & need) != need)
        return false;
    if (!__get_cpuid_count(0x1d, 1, &a, &b, &c, &d) || b >> 16 < 8 || (b & 0xffff) < 64 || (c & 0xffff) < 16)
        return false;
    return tiles_permitted();
}
#endif

const kz_kernels *kz_kernels_get(kz_cpu_level level) {
    switch (level) {
    case KZ_CPU_C:
        return &kz_kernels_c;
#ifdef KZ_HAVE_AVX2
    case KZ_CPU_AVX2:
        return has_avx2() ? &kz_kernels_avx2 : NULL;
#endif
#ifdef KZ_HAVE_AVX2VNNI
    case KZ_CPU_AVX2VNNI:
        return has_avx2() && has_avx_vnni() ? &kz_kernels_avx2vnni : NULL;
#endif
#ifdef KZ_HAVE_AVX512
    case KZ_CPU_AVX512:
        return has_avx512() ? &kz_kernels_avx512 : NULL;
#endif
#ifdef KZ_HAVE_AVX512VNNI
    case KZ_CPU_AVX512VNNI:
        return has_avx512() && has_vnni() ? &kz_kernels_avx512vnni : NULL;
#endif
#ifdef KZ_HAVE_AMX
    case KZ_CPU_AMX:
        return has_avx512() && has_vnni() && has_amx() ? &kz_kernels_amx : NULL;
#endif
#ifdef KZ_HAVE_NEON
    case KZ_CPU_NEON: /* part of every AArch64 */
        return &kz_kernels_neon;
#endif
#ifdef KZ_HAVE_DOTPROD
    case KZ_CPU_DOTPROD:
        return getauxval(AT_HWCAP) & HWCAP_ASIMDDP ? &kz_kernels_dotprod : NULL;
#endif
#ifdef KZ_HAVE_I8MM
    case KZ_CPU_I8MM:
        return getauxval(AT_HWCAP) & HWCAP_ASIMDDP && getauxval(AT_HWCAP2) & HWCAP2_I8MM ? &kz_kernels_i8mm : NULL;
#endif
    default:
        return NULL;
    }
}

const kz_kernels *kz_kernels_best(void) {
    const kz_kernels *best = &kz_kernels_c;
    for (int level = KZ_CPU_C; level < KZ_CPU_LEVELS; level++) {
        const kz_kernels *table = kz_kernels_get((kz_cpu_level)level);
        if (table)
            best = table;
    }
    return best;
}

const kz_kernels *kz_kernels_by_name(const char *name) {
    if (strcmp(name, "best") == 0)
        return kz_kernels_best();
    for (int level = KZ_CPU_C; level < KZ_CPU_LEVELS; level++)
        if (strcmp(name, kz_cpu_level_name((kz_cpu_level)level)) == 0)
            return kz_kernels_get((kz_cpu_level)level);
    return NULL;
}

const char *kz_cpu_level_name(kz_cpu_level level) {
    static const char *const names[KZ_CPU_LEVELS] = {"c",   "avx2", "avx2vnni", "avx512", "avx512vnni",
                                                     "amx", "neon", "dotprod",  "i8mm"};
    return (int)level >= 0 && level < KZ_CPU_LEVELS ? names[level] : NULL;
}
