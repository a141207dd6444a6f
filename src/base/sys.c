/* sys.c: cores, memory and time.  SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"

/* Cores that the cgroup's quota amounts to (rounded up), 0 = no limit known. */
static int cgroup_cores(void) {
    long long quota = 0, period = 0;
    FILE *f = fopen("/sys/fs/cgroup/cpu.max", "re");
    if (f) {
        if (fscanf(f, "%lld %lld", &quota, &period) != 2) /* "max 100000": no quota */
            quota = 0;
        fclose(f);
    } else if ((f = fopen("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "re"))) {
        if (fscanf(f, "%lld", &quota) != 1)
            quota = 0;
        fclose(f);
        period = 100000;
    }
    return quota > 0 && period > 0 ? (int)((quota + period - 1) / period) : 0;
}

int kz_cpu_count(void) {
    int n = 0;
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        n = CPU_COUNT(&set);
#endif
    if (n <= 0)
        n = (int)sysconf(_SC_NPROCESSORS_ONLN);
    int quota = cgroup_cores();
    if (quota > 0 && quota < n)
        n = quota;
    return n > 0 ? n : 1;
}

/* A limit that a cgroup sets, 0 = none known. */
static uint64_t cgroup_memory(void) {
    static const char *const files[] = {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    unsigned long long n = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files && !n; i++) {
        FILE *f = fopen(files[i], "re");
        if (f && fscanf(f, "%llu", &n) != 1) /* "max" */
            n = 0;
        if (f)
            fclose(f);
    }
    return n;
}

uint64_t kz_memory_size(void) {
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    uint64_t all = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0, limit = cgroup_memory();
    return limit && (limit < all || !all) ? limit : all;
}

double kz_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
