/* base.h: errors, memory, files and threads. libc and the operating system only.  SPDX-License-Identifier: Apache-2.0
 *
 * Threads: everything may be used from any thread; an object by one at a time, except kz_pool (see there). */
#ifndef KZ_BASE_H
#define KZ_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kztts/status.h"

#if defined(__GNUC__) || defined(__clang__)
#define KZ_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define KZ_PRINTF(f, a)
#endif

/* ---- errors ------------------------------------------------------------------------------------------------ */

/* What went wrong, in a sentence for people. */
typedef struct kz_err {
    char message[512];
} kz_err;

/* Writes the message (err may be NULL) and returns `status`, so that `return kz_fail(...)` reads well. */
kztts_status kz_fail(kz_err *err, kztts_status status, const char *fmt, ...) KZ_PRINTF(3, 4);

/* Out of memory, in the same words everywhere. */
kztts_status kz_fail_memory(kz_err *err, size_t n_byte, const char *what);

/* Forwards a failure; states (>= 0) go on. */
#define KZ_TRY(expr)                                                                                                   \
    do {                                                                                                               \
        kztts_status kz_try_ = (expr);                                                                                 \
        if (kz_try_ < 0)                                                                                               \
            return kz_try_;                                                                                            \
    } while (0)

/* ---- memory ------------------------------------------------------------------------------------------------ */

enum { KZ_ALIGN = 64 };

/* a * b and a + b; false when the result doesn't fit. */
bool kz_mul(size_t a, size_t b, size_t *out);
bool kz_add(size_t a, size_t b, size_t *out);

/* A little-endian number of up to 8 bytes, at any address. */
uint64_t kz_little(const unsigned char *p, size_t n_byte);

/* Zeroed memory for count * size bytes, KZ_ALIGN-aligned; NULL when there is none or the product overflows.
 * Large blocks are taken from the system lazily: untouched pages cost nothing. Freed with kz_free (NULL is fine). */
void *kz_alloc(size_t count, size_t size);
void kz_free(void *p);

/* Asks for large pages behind a block that will be used whole, such as packed weights. Only a hint. */
void kz_advise_huge(void *p, size_t n);

/* Lasting blocks, side by side in large pages: {0} is an empty slab. take: zeroed, KZ_ALIGN-aligned, or NULL; by any
 * thread. A block is dropped (NULL is fine) before or after its slab is closed, by any thread. */
typedef struct kz_chunk kz_chunk;
typedef struct kz_slab {
    kz_chunk *chunk; /* the last one */
} kz_slab;

void *kz_slab_take(kz_slab *slab, size_t n_byte);
void kz_slab_drop(void *block);
void kz_slab_close(kz_slab *slab);

/* How often kz_alloc was called in this process; counted in debug builds (without NDEBUG), else always 0. */
uint64_t kz_alloc_count(void);

/* Copy of a string (of at most n bytes), or NULL. */
char *kz_strndup(const char *s, size_t n);

/* One block cut into pieces. Layout code runs twice over the same arena: first measuring (kz_arena_take returns NULL
 * and only counts), then, after kz_arena_alloc, for real. So plan and use can't drift. */
typedef struct kz_arena {
    unsigned char *base;
    size_t size, used;
    bool overflow;
} kz_arena;

void *kz_arena_take(kz_arena *arena, size_t count, size_t size); /* zeroed, KZ_ALIGN-aligned */
kztts_status kz_arena_alloc(kz_arena *arena, kz_err *err, const char *what);
void kz_arena_free(kz_arena *arena);

/* ---- files ------------------------------------------------------------------------------------------------- */

/* A whole file, mapped read-only. */
typedef struct kz_file {
    const unsigned char *data;
    size_t size;
} kz_file;

kztts_status kz_file_map(kz_file *file, const char *path, kz_err *err); /* NOT_FOUND, FORMAT (empty), FAILED */
void kz_file_unmap(kz_file *file);

/* Tells the system that [data, data + n) of a mapping won't be read soon: its pages leave our memory. */
void kz_file_drop(const void *data, size_t n);

/* Reads a text file of at most `limit` bytes; NUL-terminated, freed with kz_free. */
kztts_status kz_file_read(char **out, size_t *n_byte, const char *path, size_t limit, kz_err *err);

bool kz_file_exists(const char *path);
bool kz_file_is_dir(const char *path);

/* The names in a folder, sorted by their bytes, at most `limit` of them (what comes behind is left out). */
kztts_status kz_dir_list(char ***names, size_t *n_name, const char *path, size_t limit, kz_err *err);
void kz_dir_list_free(char **names, size_t n_name);

/* Writes a whole file at once: beside its place first, then under its name, so that nobody ever sees half of it and a
 * failure leaves what was there. ARGUMENT when there is a file of that name and overwrite is false, or something that is
 * no file; NOT_FOUND (the folder), FAILED. */
kztts_status kz_file_write(const char *path, const void *data, size_t n, bool overwrite, kz_err *err);

/* The same in pieces. n_expected: bytes that will come; FAILED when the file system has no room for them, or fills up on
 * the way. close: keep puts the file under its name, else nothing is left; NULL is fine. */
typedef struct kz_writer kz_writer;
kztts_status kz_writer_open(kz_writer **out, const char *path, uint64_t n_expected, bool overwrite, kz_err *err);
kztts_status kz_writer_put(kz_writer *w, const void *data, size_t n, kz_err *err);
kztts_status kz_writer_close(kz_writer *w, bool keep, kz_err *err);

/* Whether both names lead to one file that is there. */
bool kz_file_same(const char *a, const char *b);

/* "dir/name" in fresh memory (kz_free), or NULL. */
char *kz_path_join(const char *dir, const char *name);

/* ---- threads ----------------------------------------------------------------------------------------------- */

typedef struct kz_pool kz_pool;

/* Does items [begin, end) of a job. Called from several threads at once; `worker` (0 .. kz_pool_threads - 1) is a
 * different one in each, so that it can index scratch memory. */
typedef void (*kz_job)(void *arg, size_t begin, size_t end, int worker);

/* n_thread counts the caller: 1 spawns nothing. n_thread 0 = one per core this process may use. */
kztts_status kz_pool_new(kz_pool **out, int n_thread, kz_err *err);
void kz_pool_free(kz_pool *pool); /* NULL is fine */
int kz_pool_threads(const kz_pool *pool);
int kz_pool_width(const kz_pool *pool); /* threads that work at once: no more than there were cores */

/* Runs the job over [0, n), handed out in pieces of `grain`, on the workers and the caller; returns when all is done.
 * May be called from several threads: while the pool is busy with another caller's job, the job runs on the calling
 * thread alone. pool may be NULL (the caller does it all). */
void kz_pool_run(kz_pool *pool, size_t n, size_t grain, kz_job job, void *arg);

/* Cores this process may use (affinity and cgroup limits counted), at least 1. */
int kz_cpu_count(void);

/* Bytes of memory that this process may fill (the machine's, or a cgroup's limit), 0 = unknown. */
uint64_t kz_memory_size(void);

/* Cores that a control group's quota and those above it amount to, 0 = no limit known. root: where groups are mounted; group:
 * "" or "/a/b". For kz_cpu_count and its test. */
int kz_cgroup_cores(const char *root, const char *group);

/* The same for memory, in bytes; group_1: the group of version 1's memory controller, below root/memory. For kz_memory_size. */
uint64_t kz_cgroup_memory(const char *root, const char *group, const char *group_1);

/* A process's group, "" when there is none, from a list as /proc/self/cgroup is one. controller: "" in version 2. */
void kz_cgroup_find(char *group, size_t size, const char *list, const char *controller);

/* Monotonic seconds. */
double kz_now(void);

#endif
