/* file.c: whole files, mapped or read.  SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

/* The status for a path that can't be opened. */
static kztts_status fail_open(kz_err *err, const char *path) {
    int e = errno;
    kztts_status status = e == ENOENT || e == ENOTDIR ? KZTTS_ERROR_NOT_FOUND
                          : e == ENOMEM               ? KZTTS_ERROR_MEMORY
                                                      : KZTTS_ERROR_FAILED;
    return kz_fail(err, status, "%s: %s", path, strerror(e));
}

static kztts_status open_regular(int *fd, size_t *size, const char *path, kz_err *err) {
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe without a writer would hold it up */
    if (*fd < 0)
        return fail_open(err, path);
    struct stat st;
    if (fstat(*fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        close(*fd);
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: not a regular file", path);
    }
    if ((uintmax_t)st.st_size > SIZE_MAX) {
        close(*fd);
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: too large for this system", path);
    }
    *size = (size_t)st.st_size;
    return KZTTS_OK;
}

kztts_status kz_file_map(kz_file *file, const char *path, kz_err *err) {
    int fd;
    size_t size;
    *file = (kz_file){0};
    KZ_TRY(open_regular(&fd, &size, path, err));
    if (!size) {
        close(fd);
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: the file is empty", path);
    }
    void *p = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    int e = errno;
    close(fd);
    if (p == MAP_FAILED)
        return kz_fail(err, e == ENOMEM ? KZTTS_ERROR_MEMORY : KZTTS_ERROR_FAILED, "%s: %s", path, strerror(e));
    file->data = p;
    file->size = size;
    return KZTTS_OK;
}

void kz_file_unmap(kz_file *file) {
    if (file->data)
        munmap((void *)(uintptr_t)file->data, file->size);
    *file = (kz_file){0};
}

void kz_file_drop(const void *data, size_t n) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = ((uintptr_t)data + page - 1) & ~(page - 1), end = ((uintptr_t)data + n) & ~(page - 1);
    if (end > begin)
        (void)madvise((void *)begin, end - begin, MADV_DONTNEED);
}

kztts_status kz_file_read(char **out, size_t *n_byte, const char *path, size_t limit, kz_err *err) {
    int fd;
    size_t size, at = 0;
    *out = NULL;
    KZ_TRY(open_regular(&fd, &size, path, err));
    if (size > limit) {
        close(fd);
        return kz_fail(err, KZTTS_ERROR_FORMAT, "%s: %zu bytes are more than the limit of %zu", path, size, limit);
    }
    char *text = kz_alloc(size + 1, 1);
    if (!text) {
        close(fd);
        return kz_fail_memory(err, size, path);
    }
    while (at < size) {
        ssize_t n = read(fd, text + at, size - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            kz_fail(err, KZTTS_ERROR_FAILED, "%s: %s", path, n < 0 ? strerror(errno) : "shorter than its size says");
            close(fd);
            kz_free(text);
            return KZTTS_ERROR_FAILED;
        }
        at += (size_t)n;
    }
    close(fd);
    *out = text;
    *n_byte = size;
    return KZTTS_OK;
}

bool kz_file_exists(const char *path) {
    struct stat st;
    return stat(path, &st) == 0;
}

bool kz_file_is_dir(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool kz_file_same(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

char *kz_path_join(const char *dir, const char *name) {
    size_t a = strlen(dir), b = strlen(name);
    bool slash = a && dir[a - 1] != '/';
    char *path = kz_alloc(a + b + 2, 1);
    if (!path)
        return NULL;
    memcpy(path, dir, a);
    if (slash)
        path[a] = '/';
    memcpy(path + a + slash, name, b);
    return path;
}
