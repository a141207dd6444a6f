/* sys.c: cores, memory and time.  SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

enum { LONGEST_PATH = 4096 };

/* Two numbers of dir/name, or one, with 100000 for the second; false when there are none ("max 100000": no quota). */
static bool read_numbers(const char *dir, const char *name, long long *a, long long *b) {
    char path[LONGEST_PATH], text[64];
    int n = snprintf(path, sizeof path, "%s/%s", dir, name);
    *b = 100000;
    return n > 0 && (size_t)n < sizeof path && read_text(path, text, sizeof text) &&
           sscanf(text, "%lld %lld", a, b) >= 1;
}

/* The fewer of n and the cores that the folder's quota amounts to, rounded up; 0: no limit known. */
static int fewer(int n, long long quota, long long period) {
    if (quota <= 0 || period <= 0)
        return n;
    long long cores = (quota - 1) / period + 1;
    return n && n < cores ? n : (int)(cores < 1 << 20 ? cores : 1 << 20);
}

int kz_cgroup_cores(const char *root, const char *group) {
    long long quota, period;
    char dir[LONGEST_PATH];
    int cores = 0, n = snprintf(dir, sizeof dir, "%s%s", root, group);
    if (n < 0 || (size_t)n >= sizeof dir || strstr(group, "/..")) /* a group outside of what this namespace shows */
        snprintf(dir, sizeof dir, "%s", root);
    for (;;) { /* every folder above limits it too */
        if (read_numbers(dir, "cpu.max", &quota, &period))
            cores = fewer(cores, quota, period);
        char *slash = strrchr(dir, '/');
        if (!slash || (size_t)(slash - dir) < strlen(root))
            break;
        *slash = '\0';
    }
    if (read_numbers(root, "cpu/cpu.cfs_quota_us", &quota, &period)) { /* version 1 */
        long long unused;
        if (!read_numbers(root, "cpu/cpu.cfs_period_us", &period, &unused))
            period = 100000;
        cores = fewer(cores, quota, period);
    }
    return cores;
}

/* Where this process is: the line "0::/group". */
static int own_cgroup_cores(void) {
    char line[LONGEST_PATH], group[LONGEST_PATH] = "";
    FILE *f = fopen("/proc/self/cgroup", "re");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "0::/", 4) == 0)
            snprintf(group, sizeof group, "%.*s", (int)strcspn(line + 3, "\n"), line + 3);
    if (f)
        fclose(f);
    return kz_cgroup_cores("/sys/fs/cgroup", group);
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
    int quota = own_cgroup_cores();
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
