/* sys.c: cores and time.  SPDX-License-Identifier: Apache-2.0 */
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

double kz_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
