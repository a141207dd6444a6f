/* seed.c: the seed of an utterance.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

/* 32 bits, so that people can type it again. */
static uint64_t random_seed(void) {
    uint32_t seed = 0;
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (fd < 0 || read(fd, &seed, sizeof seed) != (ssize_t)sizeof seed)
        seed = (uint32_t)time(NULL) * 2654435761u ^ (uint32_t)getpid();
    if (fd >= 0)
        close(fd);
    return seed;
}

uint64_t kz_cli_seed(const kz_value *value) { return value->random ? random_seed() : value->seed; }
