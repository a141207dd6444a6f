/* test_slab.c: lasting blocks side by side.  SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"

enum { N = 40, MIB = 1 << 20 };

static bool is_all(const unsigned char *p, size_t n, unsigned char value) {
    for (size_t i = 0; i < n; i++)
        if (p[i] != value)
            return false;
    return true;
}

/* Sizes that fill several chunks; block i is filled with i + 1. */
static size_t size_of(size_t i) { return i % 3 == 2 ? 5 * MIB + i : 1 + 1000 * i; }

static void test_blocks_are_apart(void **state) {
    kz_slab slab = {0};
    unsigned char *block[N];
    (void)state;
    for (size_t i = 0; i < N; i++) {
        assert_non_null(block[i] = kz_slab_take(&slab, size_of(i)));
        assert_int_equal((uintptr_t)block[i] % KZ_ALIGN, 0);
        assert_true(is_all(block[i], size_of(i), 0));
        memset(block[i], (int)i + 1, size_of(i));
    }
    for (size_t i = 0; i < N; i += 2) /* some go before the slab is closed, */
        kz_slab_drop(block[i]);
    kz_slab_close(&slab);
    for (size_t i = 1; i < N; i += 2) /* the others outlast it */
        assert_true(is_all(block[i], size_of(i), (unsigned char)(i + 1)));
    for (size_t i = 1; i < N; i += 2)
        kz_slab_drop(block[i]);
}

static void test_odd_sizes(void **state) {
    kz_slab slab = {0};
    (void)state;
    unsigned char *none = kz_slab_take(&slab, 0), *large = kz_slab_take(&slab, 100 * MIB);
    assert_non_null(none);
    assert_non_null(large);
    large[100 * MIB - 1] = 1;
    assert_null(kz_slab_take(&slab, SIZE_MAX));
    assert_null(kz_slab_take(&slab, SIZE_MAX - 64));
    unsigned char *next = kz_slab_take(&slab, 3); /* a failure leaves the slab as it was */
    assert_non_null(next);
    memcpy(next, "ab", 3);
    kz_slab_drop(none);
    kz_slab_drop(large);
    kz_slab_drop(NULL);
    assert_string_equal(next, "ab");
    kz_slab_drop(next);
    kz_slab_close(&slab);
    kz_slab_close(&slab); /* empty again: usable, and closing is harmless */
    kz_slab_drop(kz_slab_take(&slab, 10));
    kz_slab_close(&slab);
}

/* ---- several threads --------------------------------------------------------------------------------------- */

enum { N_THREAD = 4, N_HELD = 8, N_TURN = 200 };

typedef struct taker {
    kz_slab *slab;
    unsigned char mark; /* in all of its blocks */
    size_t n_wrong;
    unsigned char *held[N_HELD]; /* at the end */
} taker;

static size_t size_at(size_t turn) { return turn % 50 == 7 ? 3 * MIB : 1 + 700 * (turn % 23); }

/* Takes blocks, fills them, and looks after a while whether they are still its own. */
static void *take_and_drop(void *arg) {
    taker *t = arg;
    for (size_t i = 0; i < N_TURN; i++) {
        unsigned char **held = &t->held[i % N_HELD];
        t->n_wrong += i >= N_HELD && !is_all(*held, size_at(i - N_HELD), t->mark);
        kz_slab_drop(*held);
        *held = kz_slab_take(t->slab, size_at(i));
        if (!*held || !is_all(*held, size_at(i), 0)) {
            t->n_wrong++;
            break;
        }
        memset(*held, t->mark, size_at(i));
    }
    return NULL;
}

static void test_several_threads(void **state) {
    kz_slab slab = {0};
    pthread_t thread[N_THREAD];
    taker t[N_THREAD] = {0};
    (void)state;
    for (size_t i = 0; i < N_THREAD; i++) {
        t[i].slab = &slab;
        t[i].mark = (unsigned char)(i + 1);
        assert_int_equal(pthread_create(&thread[i], NULL, take_and_drop, &t[i]), 0);
    }
    for (size_t i = 0; i < N_THREAD; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    kz_slab_close(&slab);
    for (size_t i = 0; i < N_THREAD; i++) {
        assert_int_equal(t[i].n_wrong, 0);
        for (size_t j = 0; j < N_HELD; j++) {
            assert_true(is_all(t[i].held[j], size_at(N_TURN - N_HELD + j), t[i].mark));
            kz_slab_drop(t[i].held[j]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks_are_apart), cmocka_unit_test(test_odd_sizes),
                                       cmocka_unit_test(test_several_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
