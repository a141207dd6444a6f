/* test_pool.c: the thread pool.  SPDX-License-Identifier: Apache-2.0
 *
 * Jobs count every item with plain writes, so that the thread sanitizer sees whether pieces overlap and whether the caller
 * may read what workers wrote. A lost wake-up shows as a test that stands still: an alarm ends it. */
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pthread.h>

#include <cmocka.h>

#include "base/base.h"

enum { MAX_ITEM = 5000, MAX_INDEX = 64, LONGEST = 60 /* seconds of a test that takes one */ };

static _Atomic uint64_t rng_state;

/* Any thread's. */
static uint64_t rng_bits(void) {
    uint64_t x = atomic_fetch_add(&rng_state, 0x9e3779b97f4a7c15u);
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static double random_time(unsigned microseconds) { return 1e-6 * (double)(rng_bits() % (microseconds + 1)); }

static void pause_for(double seconds) {
    for (double end = kz_now() + seconds; kz_now() < end;)
        continue;
}

/* The pool of this program is one of its own. Its threads can be made to dawdle before they say that they sleep, or that there
 * is work: what may happen there within some nanoseconds then happens every other time. */
static atomic_bool dawdling;

static void dawdle(void) {
    if (atomic_load(&dawdling) && rng_bits() % 2)
        pause_for(random_time(100));
}

#undef atomic_exchange
#define atomic_exchange(object, value) (dawdle(), atomic_exchange_explicit(object, value, memory_order_seq_cst))
#include "base/pool.c"
#undef atomic_exchange
#define atomic_exchange(object, value) atomic_exchange_explicit(object, value, memory_order_seq_cst)

static void stands_still(int signal) {
    static const char text[] = "test_pool: nothing goes on: a thread sleeps that nobody wakes\n";
    (void)signal;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(1);
}

static int set_up(void **state) {
    (void)state;
    (void)signal(SIGALRM, stands_still);
    (void)alarm(LONGEST);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    (void)alarm(0);
    atomic_store(&dawdling, false);
    return 0;
}

static kz_pool *new_pool(int n_thread) {
    kz_pool *pool;
    assert_int_equal(kz_pool_new(&pool, n_thread, NULL), KZTTS_OK);
    assert_int_equal(kz_pool_threads(pool), n_thread);
    return pool;
}

/* Long enough for workers to fall asleep. Should one not have been let to, a test sees less, and nothing that isn't so. */
static void let_sleep(void) { (void)usleep(20000); }

/* ---- pieces ---------------------------------------------------------------------------------------------------- */

typedef struct record {
    unsigned char count[MAX_ITEM];
    size_t n, grain;
    int n_thread;
    atomic_bool taken[MAX_INDEX], seen[MAX_INDEX]; /* by index: one is inside, one has been */
    atomic_int n_call, n_wrong, n_serial;
    pthread_t caller;
} record;

static void reset(record *r, const kz_pool *pool, size_t n, size_t grain) {
    memset(r, 0, sizeof *r);
    r->n = n;
    r->grain = grain;
    r->n_thread = kz_pool_threads(pool);
    r->caller = pthread_self();
}

static void count_items(void *arg, size_t begin, size_t end, int who) {
    record *r = arg;
    size_t grain = r->grain ? r->grain : 1;
    bool whole = begin == 0 && end == r->n, is_caller = pthread_equal(pthread_self(), r->caller);
    bool piece = begin % grain == 0 && end == (r->n - begin < grain ? r->n : begin + grain);
    atomic_fetch_add(&r->n_call, 1);
    atomic_fetch_add(&r->n_serial, whole && is_caller && who == 0);
    if (who < 0 || who >= r->n_thread || begin >= end || end > r->n || !(whole || piece)) {
        atomic_fetch_add(&r->n_wrong, 1);
        return;
    }
    atomic_fetch_add(&r->n_wrong, atomic_exchange(&r->taken[who], true) || is_caller != (who == 0));
    atomic_store(&r->seen[who], true);
    for (size_t i = begin; i < end; i++)
        r->count[i]++;
    atomic_store(&r->taken[who], false);
}

static void assert_whole(const record *r) {
    assert_int_equal(atomic_load(&r->n_wrong), 0);
    for (size_t i = 0; i < MAX_ITEM; i++)
        if (r->count[i] != (i < r->n))
            fail_msg("%d threads, %zu in pieces of %zu: item %zu was done %d times", r->n_thread, r->n, r->grain, i,
                     r->count[i]);
}

static void check_cover(kz_pool *pool, record *r, size_t n, size_t grain) {
    size_t n_piece = (n - 1) / (grain ? grain : 1) + 1;
    reset(r, pool, n, grain);
    kz_pool_run(pool, n, grain, count_items, r);
    assert_whole(r);
    assert_int_equal(atomic_load(&r->n_call), kz_pool_threads(pool) == 1 ? 1 : n_piece);
}

static void test_pieces_cover(void **state) {
    static const size_t ns[] = {1, 2, 3, 7, 16, 17, 255, 1001, MAX_ITEM - 1},
                        grains[] = {0, 1, 2, 3, 7, 64, 1001, 9999};
    const int threads[] = {1, 2, 3, 8, kz_cpu_count() < MAX_INDEX - 3 ? kz_cpu_count() + 3 : MAX_INDEX};
    static record r;
    (void)state;
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        kz_pool *pool = new_pool(threads[t]);
        for (size_t i = 0; i < sizeof ns / sizeof *ns; i++)
            for (size_t j = 0; j < sizeof grains / sizeof *grains; j++)
                check_cover(pool, &r, ns[i], grains[j]);
        kz_pool_free(pool);
    }
}

static void test_no_pool_and_no_items(void **state) {
    static record r;
    kz_pool *pool = new_pool(3);
    (void)state;
    check_cover(NULL, &r, 1001, 7);
    reset(&r, pool, 0, 1);
    kz_pool_run(pool, 0, 1, count_items, &r);
    kz_pool_run(NULL, 0, 0, count_items, &r);
    assert_int_equal(atomic_load(&r.n_call), 0);
    kz_pool_free(pool);
    kz_pool_free(NULL);
    assert_int_equal(kz_pool_new(&pool, -1, NULL), KZTTS_ERROR_ARGUMENT);
    assert_null(pool);
    assert_int_equal(kz_pool_new(&pool, 257, NULL), KZTTS_ERROR_ARGUMENT);
}

/* ---- while it works -------------------------------------------------------------------------------------------- */

typedef struct nest {
    kz_pool *pool;
    record outer, inner[16]; /* one for each item of the outer job */
} nest;

static void count_inside(void *arg, size_t begin, size_t end, int who) {
    nest *n = arg;
    count_items(&n->outer, begin, end, who);
    for (size_t i = begin; i < end; i++) {
        reset(&n->inner[i], n->pool, 1001, 3);
        kz_pool_run(n->pool, 1001, 3, count_items, &n->inner[i]);
    }
}

static void test_job_from_inside_a_job(void **state) {
    static nest n;
    (void)state;
    n.pool = new_pool(3);
    reset(&n.outer, n.pool, 16, 1);
    kz_pool_run(n.pool, 16, 1, count_inside, &n);
    assert_whole(&n.outer);
    for (size_t i = 0; i < 16; i++) {
        assert_whole(&n.inner[i]);
        assert_int_equal(atomic_load(&n.inner[i].n_serial), 1);
    }
    check_cover(n.pool, &n.outer, 1001, 3); /* free again */
    kz_pool_free(n.pool);
}

typedef struct rivals {
    kz_pool *pool;
    record first, second;
    atomic_bool inside, done;
} rivals;

static void *run_second(void *arg) {
    rivals *r = arg;
    while (!atomic_load(&r->inside))
        (void)sched_yield();
    reset(&r->second, r->pool, 1001, 3);
    kz_pool_run(r->pool, 1001, 3, count_items, &r->second);
    atomic_store(&r->done, true);
    return NULL;
}

/* Doesn't end before the second caller's job. */
static void outlast(void *arg, size_t begin, size_t end, int who) {
    rivals *r = arg;
    atomic_store(&r->inside, true);
    while (!atomic_load(&r->done))
        (void)sched_yield();
    count_items(&r->first, begin, end, who);
}

static void test_second_caller(void **state) {
    static rivals r;
    pthread_t second;
    (void)state;
    r.pool = new_pool(3);
    reset(&r.first, r.pool, 17, 2);
    assert_int_equal(pthread_create(&second, NULL, run_second, &r), 0);
    kz_pool_run(r.pool, 17, 2, outlast, &r);
    assert_int_equal(pthread_join(second, NULL), 0);
    assert_whole(&r.first);
    assert_whole(&r.second);
    assert_int_equal(atomic_load(&r.second.n_serial), 1);
    check_cover(r.pool, &r.first, 1001, 3);
    kz_pool_free(r.pool);
}

/* ---- who works ------------------------------------------------------------------------------------------------- */

#ifdef __linux__
static cpu_set_t all_cores;

/* Leaves this thread, and those it starts, n cores (of all_cores, when there are as many). */
static void allow_cores(int n) {
    cpu_set_t some;
    CPU_ZERO(&some);
    for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&some) < n; i++)
        if (CPU_ISSET(i, &all_cores))
            CPU_SET(i, &some);
    assert_int_equal(sched_setaffinity(0, sizeof some, &some), 0);
}

static kz_pool *pool_of_cores(int n_thread, int n_core) {
    assert_int_equal(sched_getaffinity(0, sizeof all_cores, &all_cores), 0);
    allow_cores(n_core);
    kz_pool *pool = new_pool(n_thread);
    assert_int_equal(kz_pool_width(pool), kz_cpu_count() < n_thread ? kz_cpu_count() : n_thread);
    assert_true(kz_pool_width(pool) <= n_core);
    assert_int_equal(sched_setaffinity(0, sizeof all_cores, &all_cores), 0);
    return pool;
}
#else
static kz_pool *pool_of_cores(int n_thread, int n_core) {
    (void)n_thread;
    (void)n_core;
    print_message("SKIP: no way here to leave a process few cores\n");
    skip();
    return NULL;
}
#endif

static void count_slowly(void *arg, size_t begin, size_t end, int who) {
    (void)usleep(1000); /* time for all who were woken to take a piece */
    count_items(arg, begin, end, who);
}

/* How many work when all have slept. A worker that happened to be still awake may help, so the least of some jobs. */
static int threads_that_work(kz_pool *pool, int wanted) {
    static record r;
    int least = MAX_INDEX;
    for (int round = 0; round < 50 && least > wanted; round++) {
        int n = 0;
        let_sleep();
        reset(&r, pool, 24, 1);
        kz_pool_run(pool, 24, 1, count_slowly, &r);
        assert_whole(&r);
        for (int i = 0; i < MAX_INDEX; i++)
            n += atomic_load(&r.seen[i]);
        least = n < least ? n : least;
    }
    return least;
}

static void test_no_more_than_cores(void **state) {
    static const int cores[] = {1, 2};
    (void)state;
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++) {
        kz_pool *pool = pool_of_cores(6, cores[i]);
        int width = kz_pool_width(pool);
        assert_true(threads_that_work(pool, width) <= width);
        kz_pool_free(pool);
    }
}

static void need_two_cores(void) {
    if (kz_cpu_count() >= 2)
        return;
    print_message("SKIP: one core: no worker is ever woken, so nothing can be seen of it\n");
    skip();
}

/* A job that ends when every piece is in another thread's hands; workers then go on for a while. */
typedef struct meeting {
    int n;
    atomic_int here;
    double linger;
    atomic_bool seen[MAX_INDEX];
} meeting;

static void meet(void *arg, size_t begin, size_t end, int who) {
    meeting *m = arg;
    (void)begin;
    (void)end;
    atomic_store(&m->seen[who], true);
    atomic_fetch_add(&m->here, 1);
    for (int i = 0; atomic_load(&m->here) < m->n; i++)
        if (i > 1000)
            (void)sched_yield();
    if (who > 0)
        pause_for(m->linger);
}

static void hold_meeting(kz_pool *pool, meeting *m) {
    m->n = kz_pool_width(pool);
    atomic_store(&m->here, 0);
    kz_pool_run(pool, (size_t)m->n, 1, meet, m);
    assert_int_equal(atomic_load(&m->here), m->n);
}

static void test_sleepers_are_woken(void **state) {
    (void)state;
    need_two_cores();
    for (int n_thread = 2; n_thread <= 8; n_thread *= 2) {
        meeting m = {0};
        kz_pool *pool = new_pool(n_thread);
        assert_true(kz_pool_width(pool) >= 2);
        for (int i = 0; i < 5; i++) {
            let_sleep();
            hold_meeting(pool, &m);
        }
        kz_pool_free(pool);
    }
}

/* With more threads than cores each gets work after a while. */
static void test_all_take_their_turn(void **state) {
    meeting m = {0};
    (void)state;
    need_two_cores();
    kz_pool *pool = pool_of_cores(4, 2);
    for (int n = 0; n < 4;) {
        hold_meeting(pool, &m);
        n = 0;
        for (int i = 0; i < 4; i++)
            n += atomic_load(&m.seen[i]);
    }
    kz_pool_free(pool);
}

/* ---- falling asleep -------------------------------------------------------------------------------------------- */

/* A worker's last look and its word that it sleeps are far apart now: jobs come between them. The same for the caller, and
 * for the end of a pool. */
static void test_no_wake_up_is_lost(void **state) {
    (void)state;
    need_two_cores();
    atomic_store(&dawdling, true);
    for (int i = 0; i < 500; i++) {
        kz_pool *pool = new_pool(2 + i % 2);
        meeting m = {0};
        for (int job = 0; job < 5; job++) {
            pause_for(random_time(300));
            m.linger = random_time(200);
            hold_meeting(pool, &m);
        }
        pause_for(random_time(300));
        kz_pool_free(pool);
    }
}

/* Jobs of all sizes after pauses of all lengths. */
static void test_random_jobs(void **state) {
    static record r;
    kz_pool *pool = new_pool(4);
    (void)state;
    for (int i = 0; i < 2000; i++) {
        uint64_t kind = rng_bits() % 64;
        if (kind == 0)
            (void)usleep((useconds_t)(rng_bits() % 2000));
        else if (kind < 32)
            pause_for(random_time(100));
        check_cover(pool, &r, 1 + rng_bits() % 300, rng_bits() % 40);
    }
    kz_pool_free(pool);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
    const char *seed = getenv("KZTTS_TEST_SEED");
    rng_state = seed ? strtoull(seed, NULL, 10) : 1;
    printf("seed %llu\n", (unsigned long long)rng_state);
    const struct CMUnitTest tests[] = {
        TEST(test_pieces_cover),        TEST(test_no_pool_and_no_items), TEST(test_job_from_inside_a_job),
        TEST(test_second_caller),       TEST(test_no_more_than_cores),   TEST(test_sleepers_are_woken),
        TEST(test_all_take_their_turn), TEST(test_no_wake_up_is_lost),   TEST(test_random_jobs),
    };
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
