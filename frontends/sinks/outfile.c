/* outfile.c: a file or standard output being written.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes the file, or opens what is there without emptying it. */
static int open_path(kz_outfile *out, const char *path) {
    out->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (out->fd >= 0) {
        out->created = true;
        return 0;
    }
    if (errno != EEXIST)
        return errno;
    out->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    return out->fd >= 0 ? 0 : errno;
}

/* Whether what is written can be changed later. */
static void look_at(kz_outfile *out) {
    struct stat st;
    int flags = fcntl(out->fd, F_GETFL);
    if (fstat(out->fd, &st) != 0)
        return;
    out->pipe = S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode);
    out->seekable = S_ISREG(st.st_mode) && flags >= 0 && !(flags & O_APPEND) && lseek(out->fd, 0, SEEK_CUR) >= 0;
}

int kz_outfile_open(kz_outfile *out, const char *path) {
    memset(out, 0, sizeof *out);
    out->fd = -1;
    if (!path) {
        out->fd = STDOUT_FILENO;
        out->is_stdout = true;
        look_at(out);
        return 0;
    }
    size_t n = strlen(path) + 1;
    out->path = malloc(n);
    if (!out->path)
        return ENOMEM;
    memcpy(out->path, path, n);
    int error = open_path(out, path);
    if (error) {
        free(out->path);
        out->path = NULL;
    } else {
        look_at(out);
    }
    return error;
}

int kz_outfile_start(kz_outfile *out) {
    struct stat st;
    if (fstat(out->fd, &st) != 0)
        return errno;
    if (!out->seekable)
        return 0;
    if (!out->is_stdout && ftruncate(out->fd, 0) != 0)
        return errno;
    off_t at = lseek(out->fd, 0, SEEK_CUR);
    if (at < 0)
        out->seekable = false;
    else
        out->base = (long long)at;
    return 0;
}

bool kz_outfile_reader_gone(const kz_outfile *out) {
    struct pollfd poll_fd = {.fd = out->fd};
    return out->pipe && poll(&poll_fd, 1, 0) > 0 && (poll_fd.revents & (POLLERR | POLLHUP));
}

int kz_outfile_write(kz_outfile *out, const void *data, size_t n) {
    const unsigned char *p = data;
    while (n > 0) {
        ssize_t done = write(out->fd, p, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return errno;
        if (done == 0)
            return EIO;
        p += done;
        n -= (size_t)done;
    }
    return 0;
}

int kz_outfile_patch(kz_outfile *out, size_t offset, const void *data, size_t n) {
    const unsigned char *p = data;
    off_t at = (off_t)out->base + (off_t)offset;
    while (n > 0) {
        ssize_t done = pwrite(out->fd, p, n, at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? errno : EIO;
        p += done;
        at += done;
        n -= (size_t)done;
    }
    return 0;
}

int kz_outfile_close(kz_outfile *out, bool keep) {
    int error = 0;
    if (out->fd >= 0 && !out->is_stdout) {
        if (close(out->fd) != 0 && errno != EINTR)
            error = errno;
        if (out->created && (error || !keep))
            unlink(out->path);
    }
    out->fd = -1;
    free(out->path);
    out->path = NULL;
    return error;
}
