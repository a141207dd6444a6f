/* same_file.c: whether two names are one file.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "same_file.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hash/hash.h"

enum { PATH_SIZE = 4096, LINKS_MAX = 16 };

static uint64_t sum(const char *s) { return kz_sum(s, strlen(s)); }

/* Puts what the link at `path` holds in its place; false: it is none, or what it holds is too long. */
static bool follow(char path[PATH_SIZE]) {
    char target[PATH_SIZE];
    ssize_t n = readlink(path, target, sizeof target);
    char *slash = strrchr(path, '/');
    size_t folder = n > 0 && target[0] != '/' && slash ? (size_t)(slash + 1 - path) : 0;
    if (n <= 0 || folder + (size_t)n >= PATH_SIZE)
        return false;
    memcpy(path + folder, target, (size_t)n);
    path[folder + (size_t)n] = '\0';
    return true;
}

/* One that isn't there. A link that leads nowhere counts as the file that writing through it would make. */
static void identify_new(kz_file_id *id, const char *path) {
    char place[PATH_SIZE];
    struct stat st;
    id->name = sum(path);
    if (strlen(path) >= sizeof place)
        return;
    memcpy(place, path, strlen(path) + 1);
    for (int i = 0; i < LINKS_MAX && follow(place); i++) {
    }
    char *slash = strrchr(place, '/'), *name = slash ? slash + 1 : place;
    uint64_t of_name = sum(name);
    *name = '\0';
    if (stat(slash ? place : ".", &st) != 0)
        return;
    *id = (kz_file_id){(uint64_t)st.st_dev, (uint64_t)st.st_ino, of_name};
}

bool kz_file_identify(kz_file_id *id, const char *path) {
    struct stat st;
    *id = (kz_file_id){0};
    if (!path || strcmp(path, "-") == 0)
        return false;
    if (stat(path, &st) != 0) {
        identify_new(id, path);
        return true;
    }
    *id = (kz_file_id){(uint64_t)st.st_dev, (uint64_t)st.st_ino, 0};
    return !S_ISCHR(st.st_mode);
}

static int order(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

int kz_file_compare(const kz_file_id *a, const kz_file_id *b) {
    int by_device = order(a->device, b->device), by_inode = order(a->inode, b->inode);
    return by_device ? by_device : by_inode ? by_inode : order(a->name, b->name);
}
