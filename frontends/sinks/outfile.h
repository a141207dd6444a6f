/* outfile.h: a file or standard output being written, with its clean-up rules.  SPDX-License-Identifier: Apache-2.0
 *
 * An existing file isn't touched before kz_outfile_start(): a request that fails early leaves it as it was. A file made
 * by kz_outfile_open() is removed by kz_outfile_close() unless it is to be kept.
 * Functions that can fail return 0 or an errno value (EPIPE: the reader of a pipe has gone).
 * Threads: one at a time. */
#ifndef KZ_OUTFILE_H
#define KZ_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct kz_outfile {
    int fd; /* -1 = closed */
    bool is_stdout;
    bool created;   /* by open: the file was not there before */
    bool pipe;      /* or a socket: somebody reads it while it is written */
    bool seekable;  /* bytes can be patched later: a regular file that isn't open for appending */
    long long base; /* where our first byte is */
    char *path;     /* NULL for standard output */
} kz_outfile;

/* path NULL: standard output. */
int kz_outfile_open(kz_outfile *out, const char *path);

/* Empties the file (not standard output) and notes where writing begins. */
int kz_outfile_start(kz_outfile *out);

/* Whether nobody reads the pipe any more; false for anything else. */
bool kz_outfile_reader_gone(const kz_outfile *out);

int kz_outfile_write(kz_outfile *out, const void *data, size_t n);

/* Overwrites n bytes at `offset` from our first byte; only when seekable. */
int kz_outfile_patch(kz_outfile *out, size_t offset, const void *data, size_t n);

/* keep false: removes the file when it was created by open. Closing twice is harmless. */
int kz_outfile_close(kz_outfile *out, bool keep);

#endif
