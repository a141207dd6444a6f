/* limits.c: bandwidth and peaks, best of several tries.  SPDX-License-Identifier: Apache-2.0 */
#include "limits.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "peak.h"

enum { LINE = 64, STREAMS = 8, HUGE_PAGE = 2 << 20 };
enum { LEAST = 4 << 20 }; /* bytes a thread reads in a try at least: waking it must not count */

#define SECONDS 0.25 /* of tries: shared machines have slow moments */

struct kz_limits {
    kz_pool *pool;
    unsigned char *block;
    size_t n_part, n_round; /* bytes of a thread, times it reads them */
};

kz_limits *kz_limits_open(int threads) {
    kz_err err = {""};
    kz_limits *limits = calloc(1, sizeof *limits);
    if (limits && kz_pool_new(&limits->pool, threads, &err) < 0) {
        free(limits);
        return NULL;
    }
    return limits;
}

void kz_limits_close(kz_limits *limits) {
    if (limits)
        kz_pool_free(limits->pool);
    free(limits);
}

int kz_limits_threads(const kz_limits *limits) { return kz_pool_threads(limits->pool); }

/* A line of each of several streams in turn: as many fetches in flight as the core can hold. */
static uint64_t read_part(const unsigned char *x, size_t n) {
    const size_t n_stream = n / STREAMS / LINE * LINE;
    uint64_t all = 0;
    for (size_t at = 0; at < n_stream; at += LINE)
        for (size_t s = 0; s < STREAMS; s++) {
            uint64_t word;
            memcpy(&word, x + s * n_stream + at, sizeof word);
            all |= word;
        }
    return all;
}

static void read_some(void *arg, size_t begin, size_t end, int worker) {
    const kz_limits *l = arg;
    volatile uint64_t sink = 0;
    (void)worker;
    for (size_t i = begin; i < end; i++)
        for (size_t round = 0; round < l->n_round; round++)
            sink |= read_part(l->block + i * l->n_part, l->n_part);
}

double kz_limits_read(kz_limits *l, size_t n_byte) {
    const size_t n_thread = (size_t)kz_pool_threads(l->pool), unit = LINE * STREAMS;
    double best = 0;
    l->n_part = n_byte / n_thread / unit * unit;
    l->n_part = l->n_part < unit ? unit : l->n_part;
    l->n_round = (LEAST + l->n_part - 1) / l->n_part;
    const size_t n = (n_thread * l->n_part + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    if (!(l->block = aligned_alloc(HUGE_PAGE, n)))
        return 0;
#ifdef MADV_HUGEPAGE
    madvise(l->block, n, MADV_HUGEPAGE);
#endif
    memset(l->block, 1, n);
    for (const double stop = kz_now() + SECONDS; kz_now() < stop;) {
        const double begin = kz_now();
        kz_pool_run(l->pool, n_thread, 1, read_some, l);
        const double rate = 1e-9 * (double)(n_thread * l->n_part * l->n_round) / (kz_now() - begin);
        best = rate > best ? rate : best;
    }
    free(l->block);
    l->block = NULL;
    return best;
}

static double best_of(kz_limits *l, double (*peak)(kz_pool *pool, const char *level), const char *level) {
    double best = 0;
    for (const double stop = kz_now() + SECONDS; kz_now() < stop;) {
        const double rate = peak(l->pool, level);
        best = rate > best ? rate : best;
    }
    return best;
}

double kz_limits_fma(kz_limits *l, const char *level) { return best_of(l, bench_peak, level); }

double kz_limits_int8(kz_limits *l, const char *level) { return best_of(l, bench_peak_int8, level); }
