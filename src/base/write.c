/* write.c: a file that appears whole or not at all.  SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
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
    return 0;
}

static int sync_file(int fd) {
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

/* ---- in pieces --------------------------------------------------------------------------------------------- */

struct kz_writer {
    char *path, *folder, *temp;
    int fd;
    bool overwrite;
    int failed; /* errno of the first failed write */
};

static kztts_status check_space(const kz_writer *w, uint64_t n, kz_err *err) {
    struct statvfs fs;
    if (fstatvfs(w->fd, &fs) != 0 || !fs.f_blocks)
        return KZTTS_OK; /* a file system that doesn't tell */
    uint64_t room = (uint64_t)fs.f_bavail * fs.f_frsize;
    if (room >= n)
        return KZTTS_OK;
    return kz_fail(err, KZTTS_ERROR_FAILED, "%s: %.1f MiB are needed, %.1f MiB are free there", w->path,
                   (double)n / 1048576, (double)room / 1048576);
}

static kztts_status open_writer(kz_writer *w, const char *path, uint64_t n_expected, kz_err *err) {
    w->path = kz_strndup(path, strlen(path));
    w->folder = folder_of(path);
    if (!w->path || !w->folder)
        return kz_fail_memory(err, strlen(path), "a path");
    KZ_TRY(check_place(path, w->overwrite, err));
    KZ_TRY(open_temp(&w->fd, &w->temp, path, w->folder, err));
    return check_space(w, n_expected, err);
}

kztts_status kz_writer_open(kz_writer **out, const char *path, uint64_t n_expected, bool overwrite, kz_err *err) {
    *out = NULL;
    kz_writer *w = kz_alloc(1, sizeof *w);
    if (!w)
        return kz_fail_memory(err, sizeof *w, path);
    w->fd = -1;
    w->overwrite = overwrite;
    kztts_status status = open_writer(w, path, n_expected, err);
    if (status < 0) {
        (void)kz_writer_close(w, false, NULL);
        return status;
    }
    *out = w;
    return KZTTS_OK;
}

kztts_status kz_writer_put(kz_writer *w, const void *data, size_t n, kz_err *err) {
    if (!w->failed)
        w->failed = write_all(w->fd, data, n);
    return w->failed ? fail_errno(err, w->path, w->failed) : KZTTS_OK;
}

static kztts_status keep_writer(const kz_writer *w, kz_err *err) {
    int e = w->failed ? w->failed : sync_file(w->fd);
    return e ? fail_errno(err, w->path, e) : put_in_place(w->temp, w->path, w->overwrite, err);
}

kztts_status kz_writer_close(kz_writer *w, bool keep, kz_err *err) {
    kztts_status status = KZTTS_OK;
    if (!w)
        return status;
    if (keep)
        status = keep_writer(w, err);
    if (w->fd >= 0) {
        (void)close(w->fd); /* what it held has been synced */
        if (!keep || status < 0)
            (void)unlink(w->temp);
        else
            sync_folder(w->folder);
    }
    kz_free(w->temp);
    kz_free(w->folder);
    kz_free(w->path);
    kz_free(w);
    return status;
}

kztts_status kz_file_write(const char *path, const void *data, size_t n, bool overwrite, kz_err *err) {
    kz_writer *w;
    KZ_TRY(kz_writer_open(&w, path, n, overwrite, err));
    kztts_status status = kz_writer_put(w, data, n, err);
    if (status < 0) {
        (void)kz_writer_close(w, false, NULL);
        return status;
    }
    return kz_writer_close(w, true, err);
}
