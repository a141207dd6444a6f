/* sys.c: cores, memory and time.  SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"

/* The beginning of a small file, without stdio, which would take memory; false when it can't be read. */
static bool read_text(const char *path, char *text, size_t size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = 0;
    return n > 0;
}

/* Cores that the cgroup's quota amounts to (rounded up), 0 = no limit known. */
static int cgroup_cores(void) {
    long long quota = 0, period = 100000;
    char text[64];
    if (read_text("/sys/fs/cgroup/cpu.max", text, sizeof text)) {
        if (sscanf(text, "%lld %lld", &quota, &period) != 2) /* "max 100000": no quota */
            quota = 0;
    } else if (read_text("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", text, sizeof text)) {
        quota = strtoll(text, NULL, 10);
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
    char text[64];
    bool known = read_text("/sys/fs/cgroup/memory.max", text, sizeof text) ||
                 read_text("/sys/fs/cgroup/memory/memory.limit_in_bytes", text, sizeof text);
    return known ? strtoull(text, NULL, 10) : 0; /* "max" is none */
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
