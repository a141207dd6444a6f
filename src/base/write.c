/* write.c: a file that appears whole or not at all.  SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

static kztts_status fail_errno(kz_err *err, const char *path, int e) {
    kztts_status status = e == ENOENT || e == ENOTDIR ? KZTTS_ERROR_NOT_FOUND
                          : e == ENOMEM               ? KZTTS_ERROR_MEMORY
                                                      : KZTTS_ERROR_FAILED;
    return kz_fail(err, status, "%s: can't be written: %s", path, strerror(e));
}

static kztts_status fail_exists(kz_err *err, const char *path) {
    return kz_fail(err, KZTTS_ERROR_ARGUMENT, "%s: is there already; allow overwriting or choose another name", path);
}

/* A device or a pipe must not be replaced by a file. */
static kztts_status check_place(const char *path, bool overwrite, kz_err *err) {
    struct stat st;
    if (stat(path, &st) != 0)
        return KZTTS_OK;
    if (!S_ISREG(st.st_mode))
        return kz_fail(err, KZTTS_ERROR_ARGUMENT, "%s: is there and not a regular file", path);
    return overwrite ? KZTTS_OK : fail_exists(err, path);
}

/* The folder of a path, "" for the working folder, in fresh memory. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return kz_strndup(path, slash ? (size_t)(slash - path) + 1 : 0);
}

/* A new file of its own name in the folder; *temp is fresh memory. */
static kztts_status open_temp(int *fd, char **temp, const char *path, const char *folder, kz_err *err) {
    enum { TRIES = 1000, ROOM = 64 };
    size_t n = strlen(folder) + ROOM;
    *fd = -1;
    if (!(*temp = kz_alloc(n, 1)))
        return kz_fail_memory(err, n, "a path");
    errno = EEXIST;
    for (int i = 0; i < TRIES && *fd < 0 && errno == EEXIST; i++) {
        (void)snprintf(*temp, n, "%s.kztts-%ld-%d.tmp", folder, (long)getpid(), i);
        *fd = open(*temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    return *fd < 0 ? fail_errno(err, path, errno) : KZTTS_OK;
}

static int write_all(int fd, const void *data, size_t n) {
    const unsigned char *p = data;
    while (n) {
        ssize_t done = write(fd, p, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? errno : EIO;
        p += done;
        n -= (size_t)done;
    }
    return fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP ? errno : 0; /* some file systems know no fsync */
}

/* A link can't replace what another program has made meanwhile; where there are no links, looking must do. */
static kztts_status put_in_place(const char *temp, const char *path, bool overwrite, kz_err *err) {
    if (!overwrite) {
        if (link(temp, path) == 0) {
            (void)unlink(temp);
            return KZTTS_OK;
        }
        if (errno == EEXIST || kz_file_exists(path))
            return fail_exists(err, path);
    }
    return rename(temp, path) == 0 ? KZTTS_OK : fail_errno(err, path, errno);
}

static void sync_folder(const char *folder) {
    int fd = open(*folder ? folder : ".", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)fsync(fd);
    close(fd);
}

static kztts_status write_temp(const char *path, const char *folder, const void *data, size_t n, bool overwrite,
                               kz_err *err) {
    char *temp;
    int fd;
    kztts_status status = open_temp(&fd, &temp, path, folder, err);
    if (status == KZTTS_OK) {
        int e = write_all(fd, data, n);
        if (close(fd) != 0 && !e)
            e = errno;
        status = e ? fail_errno(err, path, e) : put_in_place(temp, path, overwrite, err);
        if (status < 0)
            (void)unlink(temp);
        else
            sync_folder(folder);
    }
    kz_free(temp);
    return status;
}

kztts_status kz_file_write(const char *path, const void *data, size_t n, bool overwrite, kz_err *err) {
    KZ_TRY(check_place(path, overwrite, err));
    char *folder = folder_of(path);
    if (!folder)
        return kz_fail_memory(err, strlen(path), "a path");
    kztts_status status = write_temp(path, folder, data, n, overwrite, err);
    kz_free(folder);
    return status;
}
