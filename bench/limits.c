/* limits.c: bandwidth and peaks, best of several tries.  SPDX-License-Identifier: Apache-2.0 */
#include "limits.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "peak.h"

enum { LINE = 64, STREAMS = 8, AHEAD = 4096, HUGE_PAGE = 2 << 20 };
enum { LEAST = 4 << 20 }; /* bytes a thread reads in a try at least: waking it must not count */

#define SECONDS 0.25 /* of tries: shared machines have slow moments */

struct kz_limits {
    kz_pool *pool;
};

typedef struct area {
    unsigned char *data;
    size_t n_part, n_round; /* bytes of a thread, times it reads them */
    bool streams;           /* which way; tries take turns */
} area;

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

/* A line of each of several streams in turn: as many fetches in flight as loads can hold. */
static uint64_t read_streams(const unsigned char *x, size_t n) {
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

/* Lines in their order, fetched into the second cache in advance: from memory often the quicker way. */
static uint64_t read_ahead(const unsigned char *x, size_t n) {
    uint64_t all = 0;
    for (size_t at = 0; at < n; at += LINE) {
        uint64_t word;
        __builtin_prefetch(x + at + AHEAD, 0, 2);
        memcpy(&word, x + at, sizeof word);
        all |= word;
    }
    return all;
}

static void read_some(void *arg, size_t begin, size_t end, int worker) {
    const area *a = arg;
    volatile uint64_t sink = 0;
    (void)worker;
    for (size_t i = begin; i < end; i++)
        for (size_t round = 0; round < a->n_round; round++)
            sink |= a->streams ? read_streams(a->data + i * a->n_part, a->n_part)
                               : read_ahead(a->data + i * a->n_part, a->n_part);
}

static size_t n_thread(const kz_limits *l) { return (size_t)kz_pool_threads(l->pool); }

/* n_byte bytes in a part for each thread; data NULL: no memory. */
static area new_area(const kz_limits *l, size_t n_byte) {
    const size_t unit = LINE * STREAMS, n_part = n_byte / n_thread(l) / unit * unit;
    area a = {.n_part = n_part < unit ? unit : n_part, .n_round = 1};
    const size_t n = (n_thread(l) * a.n_part + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    if (!(a.data = aligned_alloc(HUGE_PAGE, n)))
        return a;
#ifdef MADV_HUGEPAGE
    madvise(a.data, n, MADV_HUGEPAGE);
#endif
    memset(a.data, 1, n);
    return a;
}

/* Seconds of going through it once. */
static double read_area(const kz_limits *l, area *a) {
    const double begin = kz_now();
    kz_pool_run(l->pool, n_thread(l), 1, read_some, a);
    return kz_now() - begin;
}

double kz_limits_read(kz_limits *l, size_t n_byte) {
    double best = 0;
    area a = new_area(l, n_byte);
    a.n_round = (LEAST + a.n_part - 1) / a.n_part;
    for (const double stop = kz_now() + SECONDS; a.data && kz_now() < stop;) {
        const double rate = 1e-9 * (double)(n_thread(l) * a.n_part * a.n_round) / read_area(l, &a);
        best = rate > best ? rate : best;
        a.streams = !a.streams;
    }
    free(a.data);
    return best;
}

double kz_limits_repeat(kz_limits *l, size_t n_other, size_t n_byte, size_t n_once, int times) {
    double best = 0;
    area other = new_area(l, n_other), again = new_area(l, n_byte), once = new_area(l, n_once);
    const bool there = other.data && again.data && once.data;
    for (const double stop = kz_now() + 2 * SECONDS; there && kz_now() < stop;) {
        read_area(l, &other);
        double seconds = read_area(l, &once);
        for (int i = 0; i < times; i++)
            seconds += read_area(l, &again);
        best = best == 0 || seconds < best ? seconds : best;
        once.streams = again.streams = !again.streams;
    }
    free(other.data);
    free(again.data);
    free(once.data);
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
