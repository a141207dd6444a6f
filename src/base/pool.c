/* pool.c: the thread pool.  SPDX-License-Identifier: Apache-2.0
 *
 * One word, `gate`, holds all that workers and caller agree on: whether a job is open, how many workers are inside,
 * and its generation. A worker enters an open job it hasn't been in; the caller works too, closes the job when no piece
 * is left and waits for those inside. A worker that is asleep or without a core delays nobody: it finds the gate closed.
 * Workers spin for some microseconds between jobs, then sleep, each on a semaphore of its own; so does the caller while a
 * worker finishes its piece: a thread that sleeps runs as soon as it can go on, where one that yields has lost its turn. No more
 * workers are woken than there are cores; who they are changes now and then. The caller never takes a lock: with more threads
 * than free cores a sleeping or preempted worker that held one would stop it for a time slice.
 * Whoever says that it sleeps, or that there is work or an end, then looks at what the other says, so the writing must be seen before
 * the reading is done. It is an exchange, not a store: emulators of ARM order a store and a later load too weakly. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>

#include "base/base.h"

enum { MAX_THREAD = 256, SPIN = 2000, SPIN_AT_END = 1000, JOBS_A_TURN = 256 };

#define OPEN ((uint64_t)1)
#define ONE_INSIDE ((uint64_t)2)
#define INSIDE_MASK ((uint64_t)0xFFFE)
#define GENERATION ((uint64_t)1 << 16)

/* A thread's part of a job: it works there first, then helps where something is left. Jobs that follow one another split
 * alike, so a thread mostly finds in its cache what it wrote before. */
typedef struct share {
    _Alignas(KZ_ALIGN) atomic_size_t next; /* first piece nobody has taken */
    size_t end;
} share;

typedef struct worker {
    share part;
    kz_pool *pool;
    int index;
    atomic_bool asleep; /* whoever sets it to false owes, or saves, one wake */
    sem_t wake;
    pthread_t thread;
} worker;

struct kz_pool {
    _Alignas(KZ_ALIGN) _Atomic uint64_t gate;
    share part;                          /* the caller's */
    _Alignas(KZ_ALIGN) atomic_flag busy; /* a caller is running a job */
    size_t n, grain;
    kz_job job;
    void *arg;
    atomic_bool quit;
    atomic_bool caller_asleep; /* as a worker's */
    sem_t caller_wake;
    int n_worker;
    int n_active, first; /* workers whose turn it is: n_active from `first` on, in a circle */
    worker workers[];
};

static inline void cpu_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Part 0 is the caller's, the next ones are those of the workers whose turn it is. */
static share *part_of(kz_pool *pool, int part) {
    return part == 0 ? &pool->part : &pool->workers[(pool->first + part - 1) % pool->n_worker].part;
}

/* Where a thread begins; one that isn't needed but awake helps too. */
static int first_part(const kz_pool *pool, int index) {
    return index == 0 ? 0 : (index - 1 - pool->first + pool->n_worker) % pool->n_worker + 1;
}

static void do_part(kz_pool *pool, share *part, int index) {
    for (;;) {
        size_t piece = atomic_fetch_add_explicit(&part->next, 1, memory_order_relaxed);
        if (piece >= part->end)
            return;
        size_t begin = piece * pool->grain, rest = pool->n - begin;
        pool->job(pool->arg, begin, rest < pool->grain ? pool->n : begin + pool->grain, index);
    }
}

static void do_pieces(kz_pool *pool, int index) {
    int n_part = pool->n_active + 1, first = first_part(pool, index);
    for (int i = 0; i < n_part; i++)
        do_part(pool, part_of(pool, (first + i) % n_part), index);
}

static void split(kz_pool *pool) {
    size_t n_piece = (pool->n - 1) / pool->grain + 1, n_part = (size_t)pool->n_active + 1, begin = 0;
    for (size_t i = 0; i < n_part; i++) {
        share *part = part_of(pool, (int)i);
        atomic_store_explicit(&part->next, begin, memory_order_relaxed);
        part->end = begin += n_piece / n_part + (i < n_piece % n_part);
    }
}

static bool is_news(uint64_t gate, uint64_t last) { return (gate & OPEN) && gate / GENERATION != last; }

static void wait_for_wake(sem_t *wake) {
    while (sem_wait(wake) != 0 && errno == EINTR)
        continue;
}

/* Waits until the gate is open with an unseen job; false to quit. */
static bool wait_for_job(worker *self, uint64_t last) {
    kz_pool *pool = self->pool;
    for (int i = 0; i < SPIN; i++) {
        if (is_news(atomic_load_explicit(&pool->gate, memory_order_relaxed), last))
            return true;
        cpu_relax();
    }
    while (!atomic_load(&pool->quit)) {
        (void)atomic_exchange(&self->asleep, true);
        bool news = is_news(atomic_load(&pool->gate), last) || atomic_load(&pool->quit);
        if (!news || !atomic_exchange(&self->asleep, false))
            wait_for_wake(&self->wake);
        if (is_news(atomic_load(&pool->gate), last))
            break;
    }
    return !atomic_load(&pool->quit);
}

/* The last one out of a closed gate wakes the caller. */
static void leave(kz_pool *pool) {
    uint64_t gate = atomic_fetch_sub(&pool->gate, ONE_INSIDE) - ONE_INSIDE;
    if (!(gate & (OPEN | INSIDE_MASK)) && atomic_load(&pool->caller_asleep) &&
        atomic_exchange(&pool->caller_asleep, false))
        sem_post(&pool->caller_wake);
}

static void *work(void *arg) {
    worker *self = arg;
    kz_pool *pool = self->pool;
    uint64_t last = 0;
    while (wait_for_job(self, last)) {
        uint64_t gate = atomic_load(&pool->gate);
        while (is_news(gate, last)) {
            if (!atomic_compare_exchange_weak(&pool->gate, &gate, gate + ONE_INSIDE))
                continue;
            last = gate / GENERATION;
            do_pieces(pool, self->index);
            leave(pool);
            break;
        }
    }
    return NULL;
}

static void wake_workers(kz_pool *pool, int n) {
    for (int i = 0; i < n; i++) {
        worker *w = &pool->workers[(pool->first + i) % pool->n_worker];
        if (atomic_load(&w->asleep) && atomic_exchange(&w->asleep, false))
            sem_post(&w->wake);
    }
}

static void stop_workers(kz_pool *pool) {
    (void)atomic_exchange(&pool->quit, true);
    wake_workers(pool, pool->n_worker);
    for (int i = 0; i < pool->n_worker; i++) {
        pthread_join(pool->workers[i].thread, NULL);
        sem_destroy(&pool->workers[i].wake);
    }
}

/* Signals are for the program's own threads. */
static bool start_thread(worker *w) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&w->thread, NULL, work, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static bool start_worker(kz_pool *pool, int i) {
    worker *w = &pool->workers[i];
    w->pool = pool;
    w->index = i + 1;
    if (sem_init(&w->wake, 0, 0) != 0)
        return false;
    if (!start_thread(w)) {
        sem_destroy(&w->wake);
        return false;
    }
    pool->n_worker++;
    return true;
}

kztts_status kz_pool_new(kz_pool **out, int n_thread, kz_err *err) {
    *out = NULL;
    if (n_thread < 0 || n_thread > MAX_THREAD)
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "threads: %d is not from 0 to %d", n_thread, MAX_THREAD);
    if (n_thread == 0)
        n_thread = kz_cpu_count() < MAX_THREAD ? kz_cpu_count() : MAX_THREAD;
    size_t n_byte = sizeof(kz_pool) + (size_t)(n_thread - 1) * sizeof(worker);
    kz_pool *pool = kz_alloc(1, n_byte);
    if (!pool)
        return kz_fail_memory(err, n_byte, "the thread pool");
    atomic_flag_clear(&pool->busy);
    if (sem_init(&pool->caller_wake, 0, 0) != 0) {
        kz_free(pool);
        return kz_fail(err, KZTTS_ERROR_MEMORY, "the system has no semaphore for the threads");
    }
    for (int i = 0; i < n_thread - 1; i++)
        if (!start_worker(pool, i)) {
            kz_pool_free(pool);
            return kz_fail(err, KZTTS_ERROR_MEMORY, "could not start thread %d of %d; ask for fewer", i + 2, n_thread);
        }
    pool->n_active = kz_cpu_count() - 1 < pool->n_worker ? kz_cpu_count() - 1 : pool->n_worker;
    *out = pool;
    return KZTTS_OK;
}

void kz_pool_free(kz_pool *pool) {
    if (!pool)
        return;
    stop_workers(pool);
    sem_destroy(&pool->caller_wake);
    kz_free(pool);
}

int kz_pool_threads(const kz_pool *pool) { return pool ? pool->n_worker + 1 : 1; }

int kz_pool_width(const kz_pool *pool) { return pool ? pool->n_active + 1 : 1; }

static void open_gate(kz_pool *pool) {
    uint64_t gate = atomic_load_explicit(&pool->gate, memory_order_relaxed);
    (void)atomic_exchange(&pool->gate, (gate / GENERATION + 1) * GENERATION + OPEN);
    wake_workers(pool, pool->n_active);
}

static bool is_occupied(kz_pool *pool) { return (atomic_load(&pool->gate) & INSIDE_MASK) != 0; }

static void close_gate(kz_pool *pool) {
    atomic_fetch_and(&pool->gate, ~OPEN);
    for (int i = 0; is_occupied(pool) && i < SPIN_AT_END; i++)
        cpu_relax();
    while (is_occupied(pool)) {
        (void)atomic_exchange(&pool->caller_asleep, true);
        if (is_occupied(pool) || !atomic_exchange(&pool->caller_asleep, false))
            wait_for_wake(&pool->caller_wake);
    }
}

/* Other workers take their turn now and then: all stay in use, and none is cold. */
static void take_turns(kz_pool *pool) {
    if (pool->n_active < pool->n_worker && atomic_load(&pool->gate) / GENERATION % JOBS_A_TURN == 0)
        pool->first = (pool->first + 1) % pool->n_worker;
}

void kz_pool_run(kz_pool *pool, size_t n, size_t grain, kz_job job, void *arg) {
    if (!n)
        return;
    if (!pool || !pool->n_worker || n <= grain || atomic_flag_test_and_set(&pool->busy)) {
        job(arg, 0, n, 0);
        return;
    }
    pool->job = job;
    pool->arg = arg;
    pool->n = n;
    pool->grain = grain ? grain : 1;
    take_turns(pool);
    split(pool);
    open_gate(pool);
    do_pieces(pool, 0);
    close_gate(pool);
    atomic_flag_clear(&pool->busy);
}
