/* test_cores.c: how many cores and how much memory a process may use.  SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#ifdef __linux__
#include <sched.h>
#endif

#include "base/base.h"

static char root[128];

static void put(const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void folder(const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

static int set_up(void **state) {
    (void)state;
    snprintf(root, sizeof root, "cores-XXXXXX"); /* in the folder the test runs in */
    return mkdtemp(root) ? 0 : 1;
}

static int tear_down(void **state) {
    static const char *const names[] = {"cpu.max",
                                        "a/cpu.max",
                                        "a/b/cpu.max",
                                        "cpu/cpu.cfs_quota_us",
                                        "cpu/cpu.cfs_period_us",
                                        "memory.max",
                                        "a/memory.max",
                                        "a/b/memory.max",
                                        "memory/memory.limit_in_bytes",
                                        "memory/c/memory.limit_in_bytes",
                                        "list",
                                        "memory/c",
                                        "memory",
                                        "a/b",
                                        "a",
                                        "cpu",
                                        ""};
    char path[256];
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", root, names[i]);
        (void)remove(path);
    }
    return 0;
}

/* The least of a group and those above it. */
static void test_groups(void **state) {
    (void)state;
    assert_int_equal(kz_cgroup_cores(root, "/a/b"), 0);
    folder("a");
    folder("a/b");
    put("a/b/cpu.max", "max 100000\n");
    assert_int_equal(kz_cgroup_cores(root, "/a/b"), 0);
    put("a/b/cpu.max", "450000 100000\n");
    assert_int_equal(kz_cgroup_cores(root, "/a/b"), 5);
    put("a/cpu.max", "200000 100000\n");
    assert_int_equal(kz_cgroup_cores(root, "/a/b"), 2);
    assert_int_equal(kz_cgroup_cores(root, "/a"), 2);
    assert_int_equal(kz_cgroup_cores(root, ""), 0);
    put("cpu.max", "1000 100000\n");
    assert_int_equal(kz_cgroup_cores(root, "/a/b"), 1);
    assert_int_equal(kz_cgroup_cores(root, "/../elsewhere"), 1); /* what this namespace shows */
    put("cpu.max", "-5 0\n");
    put("a/cpu.max", "99999999999999 1\n");
    assert_int_equal(kz_cgroup_cores(root, "/a"), 1 << 20);
}

static void test_version_1(void **state) {
    (void)state;
    folder("cpu");
    put("cpu/cpu.cfs_quota_us", "-1\n");
    assert_int_equal(kz_cgroup_cores(root, ""), 0);
    put("cpu/cpu.cfs_quota_us", "150000\n");
    assert_int_equal(kz_cgroup_cores(root, ""), 2);
    put("cpu/cpu.cfs_period_us", "50000\n");
    assert_int_equal(kz_cgroup_cores(root, ""), 3);
}

static void test_memory(void **state) {
    (void)state;
    assert_int_equal(kz_cgroup_memory(root, "/a/b", ""), 0);
    folder("a");
    folder("a/b");
    put("memory.max", "max\n");
    put("a/b/memory.max", "max\n");
    assert_int_equal(kz_cgroup_memory(root, "/a/b", ""), 0);
    put("a/b/memory.max", "6000000000\n");
    assert_int_equal(kz_cgroup_memory(root, "/a/b", ""), 6000000000);
    put("a/memory.max", "5000000000\n");
    assert_int_equal(kz_cgroup_memory(root, "/a/b", ""), 5000000000);
    put("a/b/memory.max", "4000\n");
    assert_int_equal(kz_cgroup_memory(root, "/a/b", ""), 4000);
    assert_int_equal(kz_cgroup_memory(root, "/a", ""), 5000000000);
    assert_int_equal(kz_cgroup_memory(root, "/a/gone", ""), 5000000000);
    assert_int_equal(kz_cgroup_memory(root, "", ""), 0);
    put("memory.max", "3000\n");
    assert_int_equal(kz_cgroup_memory(root, "/a/b", ""), 3000);
    assert_int_equal(kz_cgroup_memory(root, "/../elsewhere", ""), 3000);
}

static void test_memory_version_1(void **state) {
    (void)state;
    folder("memory");
    folder("memory/c");
    put("memory/memory.limit_in_bytes", "9223372036854771712\n"); /* none, in its words */
    assert_int_equal(kz_cgroup_memory(root, "", "/c"), 9223372036854771712);
    put("memory/c/memory.limit_in_bytes", "7000\n");
    assert_int_equal(kz_cgroup_memory(root, "", "/c"), 7000);
    assert_int_equal(kz_cgroup_memory(root, "/c", ""), 9223372036854771712); /* another version's group */
    put("memory.max", "8000\n");
    assert_int_equal(kz_cgroup_memory(root, "", "/c"), 7000);
    put("memory.max", "6000\n");
    assert_int_equal(kz_cgroup_memory(root, "", "/c"), 6000);
}

static void test_group_in_a_list(void **state) {
    char path[256], group[64];
    (void)state;
    (void)snprintf(path, sizeof path, "%s/list", root);
    kz_cgroup_find(group, sizeof group, path, "");
    assert_string_equal(group, "");
    put("list", "12:cpuset:/x\n9:memory:/c/d:e\n4:cpu,cpuacct:/y\n1:name=systemd:/z\n0::/a/b\nnone\n");
    kz_cgroup_find(group, sizeof group, path, "");
    assert_string_equal(group, "/a/b");
    kz_cgroup_find(group, sizeof group, path, "memory");
    assert_string_equal(group, "/c/d:e");
    kz_cgroup_find(group, sizeof group, path, "cpuacct");
    assert_string_equal(group, "/y");
    kz_cgroup_find(group, sizeof group, path, "mem");
    assert_string_equal(group, "");
}

static void test_memory_of_this_process(void **state) {
    (void)state;
    assert_true(kz_memory_size() >= 1 << 20);
}

static void test_affinity(void **state) {
    (void)state;
    assert_true(kz_cpu_count() >= 1);
#ifdef __linux__
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (size_t i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++)
        if (CPU_ISSET(i, &before))
            CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(kz_cpu_count(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_true(kz_cpu_count() <= CPU_COUNT(&before));
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_groups, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_version_1, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_memory, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_memory_version_1, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_group_in_a_list, set_up, tear_down),
                                       cmocka_unit_test(test_memory_of_this_process),
                                       cmocka_unit_test(test_affinity)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
