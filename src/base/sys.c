/* sys.c: cores, memory and time.  SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"

/* The beginning of a small file, without stdio, which would take memory; false when it can't be read. */
static bool read_text(const char *path, char *text, size_t size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t used = 0;
    for (ssize_t n = fd < 0 ? 0 : 1; n > 0 && used < size - 1; used += n > 0 ? (size_t)n : 0)
        n = read(fd, text + used, size - 1 - used);
    if (fd >= 0)
        close(fd);
    text[used] = 0;
    return used > 0;
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

/* A group's folder below root; root's own for a group outside of what this namespace shows. */
static void group_folder(char dir[LONGEST_PATH], const char *root, const char *group) {
    int n = snprintf(dir, LONGEST_PATH, "%s%s", root, group);
    if (n < 0 || n >= LONGEST_PATH || strstr(group, "/.."))
        (void)snprintf(dir, LONGEST_PATH, "%s", root);
}

/* To the folder above, which limits it too; false at root. */
static bool go_up(char *dir, const char *root) {
    char *slash = strrchr(dir, '/');
    if (!slash || (size_t)(slash - dir) < strlen(root))
        return false;
    *slash = '\0';
    return true;
}

int kz_cgroup_cores(const char *root, const char *group) {
    long long quota, period;
    char dir[LONGEST_PATH];
    int cores = 0;
    group_folder(dir, root, group);
    do {
        if (read_numbers(dir, "cpu.max", &quota, &period))
            cores = fewer(cores, quota, period);
    } while (go_up(dir, root));
    if (read_numbers(root, "cpu/cpu.cfs_quota_us", &quota, &period)) { /* version 1 */
        long long unused;
        if (!read_numbers(root, "cpu/cpu.cfs_period_us", &period, &unused))
            period = 100000;
        cores = fewer(cores, quota, period);
    }
    return cores;
}

/* The lesser of two limits of which 0 is none. */
static uint64_t lesser(uint64_t a, uint64_t b) { return a && (a < b || !b) ? a : b; }

/* The least limit in the files of that name, from the group's folder up to root; 0 = none known. */
static uint64_t least_limit(const char *root, const char *group, const char *name) {
    long long limit, unused;
    char dir[LONGEST_PATH];
    uint64_t least = 0;
    group_folder(dir, root, group);
    do {
        if (read_numbers(dir, name, &limit, &unused) && limit > 0)
            least = lesser(least, (uint64_t)limit);
    } while (go_up(dir, root));
    return least;
}

uint64_t kz_cgroup_memory(const char *root, const char *group, const char *group_1) {
    char root_1[LONGEST_PATH];
    group_folder(root_1, root, "/memory");
    return lesser(least_limit(root, group, "memory.max"), least_limit(root_1, group_1, "memory.limit_in_bytes"));
}

/* The group in a line "number:controllers:/group" when the controller is one of those; else NULL. */
static const char *group_in(const char *line, const char *controller) {
    const char *list = strchr(line, ':'), *end = list ? strchr(list + 1, ':') : NULL;
    size_t n = strlen(controller), length;
    for (const char *p = end ? list + 1 : NULL; p && p <= end; p += length + 1) {
        length = strcspn(p, ",:");
        if (length == n && strncmp(p, controller, n) == 0)
            return end + 1;
    }
    return NULL;
}

void kz_cgroup_find(char *group, size_t size, const char *list, const char *controller) {
    char text[2 * LONGEST_PATH];
    group[0] = '\0';
    (void)read_text(list, text, sizeof text);
    for (char *line = text, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = '\0';
        const char *found = group_in(line, controller);
        if (found && *found == '/')
            (void)snprintf(group, size, "%s", found);
    }
}

static const char own_groups[] = "/proc/self/cgroup", groups_root[] = "/sys/fs/cgroup";

static int own_cgroup_cores(void) {
    char group[LONGEST_PATH];
    kz_cgroup_find(group, sizeof group, own_groups, "");
    return kz_cgroup_cores(groups_root, group);
}

static uint64_t own_cgroup_memory(void) {
    char group[LONGEST_PATH], group_1[LONGEST_PATH];
    kz_cgroup_find(group, sizeof group, own_groups, "");
    kz_cgroup_find(group_1, sizeof group_1, own_groups, "memory");
    return kz_cgroup_memory(groups_root, group, group_1);
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

uint64_t kz_memory_size(void) {
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    uint64_t all = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0, limit = own_cgroup_memory();
    return lesser(limit, all);
}

double kz_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
