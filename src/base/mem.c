/* mem.c: aligned zeroed memory and arenas.  SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/asan.h"
#include "base/base.h"

bool kz_mul(size_t a, size_t b, size_t *out) { return !__builtin_mul_overflow(a, b, out); }
bool kz_add(size_t a, size_t b, size_t *out) { return !__builtin_add_overflow(a, b, out); }

uint64_t kz_little(const unsigned char *p, size_t n_byte) {
    uint64_t value = 0;
    for (size_t i = 0; i < n_byte; i++)
        value |= (uint64_t)p[i] << (8 * i);
    return value;
}

#ifndef NDEBUG
static atomic_uint_least64_t alloc_count; /* a statistic, not state: nothing reads it but tests and assertions */
uint64_t kz_alloc_count(void) { return atomic_load(&alloc_count); }
#else
uint64_t kz_alloc_count(void) { return 0; }
#endif

/* calloc gives large blocks as untouched zero pages, which aligned_alloc and memset would not. The block's own address
 * is kept just below the aligned one. */
void *kz_alloc(size_t count, size_t size) {
    size_t n;
    if (!kz_mul(count, size, &n) || !kz_add(n, KZ_ALIGN + sizeof(void *), &n))
        return NULL;
#ifndef NDEBUG
    atomic_fetch_add(&alloc_count, 1);
#endif
    unsigned char *raw = calloc(1, n);
    if (!raw)
        return NULL;
    uintptr_t p = ((uintptr_t)raw + sizeof(void *) + KZ_ALIGN - 1) & ~(uintptr_t)(KZ_ALIGN - 1);
    unsigned char *aligned = raw + (p - (uintptr_t)raw);
    memcpy(aligned - sizeof(void *), &raw, sizeof raw);
    return aligned;
}

void kz_free(void *p) {
    if (!p)
        return;
    void *raw;
    memcpy(&raw, (unsigned char *)p - sizeof(void *), sizeof raw);
    free(raw);
}

void kz_advise_huge(void *p, size_t n) {
#ifdef MADV_HUGEPAGE
    enum { HUGE = 2 << 20 };
    uintptr_t begin = ((uintptr_t)p + HUGE - 1) & ~(uintptr_t)(HUGE - 1),
              end = ((uintptr_t)p + n) & ~(uintptr_t)(HUGE - 1);
    if (end > begin)
        (void)madvise((unsigned char *)p + (begin - (uintptr_t)p), end - begin, MADV_HUGEPAGE);
#else
    (void)p, (void)n;
#endif
}

char *kz_strndup(const char *s, size_t n) {
    size_t len = strnlen(s, n);
    char *copy = len < SIZE_MAX ? kz_alloc(len + 1, 1) : NULL;
    if (copy)
        memcpy(copy, s, len);
    return copy;
}

/* Under ASan a poisoned gap behind every piece catches overruns into the neighbour. */
#ifdef KZ_ASAN
enum { GAP = KZ_ALIGN };
#else
enum { GAP = 0 };
#endif

void *kz_arena_take(kz_arena *arena, size_t count, size_t size) {
    size_t n, end;
    if (!kz_mul(count, size, &n) || !kz_add(n, KZ_ALIGN - 1, &n) ||
        !kz_add(arena->used, (n & ~(size_t)(KZ_ALIGN - 1)) + GAP, &end)) {
        arena->overflow = true;
        return NULL;
    }
    size_t begin = arena->used;
    arena->used = end;
    if (!arena->base)
        return NULL;
    assert(end <= arena->size);
    ASAN_UNPOISON_MEMORY_REGION(arena->base + begin, count * size);
    return arena->base + begin;
}

kztts_status kz_arena_alloc(kz_arena *arena, kz_err *err, const char *what) {
    arena->size = arena->used;
    arena->base = arena->overflow ? NULL : kz_alloc(arena->size, 1);
    arena->used = 0;
    if (!arena->base)
        return kz_fail_memory(err, arena->size, what);
    ASAN_POISON_MEMORY_REGION(arena->base, arena->size);
    return KZTTS_OK;
}

void kz_arena_free(kz_arena *arena) {
    if (arena->base)
        ASAN_UNPOISON_MEMORY_REGION(arena->base, arena->size);
    kz_free(arena->base);
    *arena = (kz_arena){0};
}
