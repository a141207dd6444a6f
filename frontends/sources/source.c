/* source.c: loading a file, and the way from its bytes to samples.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

enum { FIRST_READ = 1 << 16 };

kztts_status kz_source_fail(const kz_job *job, kztts_status status, const char *fmt, ...) {
    if (job->message && job->message_size) {
        va_list args;
        va_start(args, fmt);
        vsnprintf(job->message, job->message_size, fmt, args);
        va_end(args);
    }
    return status;
}

kztts_status kz_source_fail_cut(const kz_job *job, uint64_t announced, uint64_t there) {
    return kz_source_fail(job, KZTTS_ERROR_FORMAT,
                          "%s is cut off: it announces %llu bytes of sound, %llu are there: copy it again", job->name,
                          (unsigned long long)announced, (unsigned long long)there);
}

static kztts_status no_memory(const kz_job *job) {
    return kz_source_fail(job, KZTTS_ERROR_MEMORY, "out of memory while reading %s", job->name);
}

/* "standard input" or 'name' into the buffer; too long a name is cut at its beginning. */
static const char *quoted(char *out, size_t size, const char *name) {
    if (strcmp(name, "-") == 0)
        return "standard input";
    size_t n = strlen(name), room = size - 6;
    if (n > room)
        snprintf(out, size, "'...%s'", name + (n - room));
    else
        snprintf(out, size, "'%s'", name);
    return out;
}

static size_t max_bytes(const kz_source_limits *limits) {
    return limits && limits->bytes ? limits->bytes : KZ_SOURCE_MAX_BYTES;
}

/* ---- loading ----------------------------------------------------------------------------------------------- */

static kztts_status too_large(const kz_job *job, unsigned long long size) {
    size_t max = max_bytes(job->limits);
    if (size)
        return kz_source_fail(job, KZTTS_ERROR_ARGUMENT, "%s has %llu bytes, the limit is %zu: cut the recording",
                              job->name, size, max);
    return kz_source_fail(job, KZTTS_ERROR_ARGUMENT, "%s has more than the limit of %zu bytes: cut the recording",
                          job->name, max);
}

/* *size: bytes to expect, 0 = not known. */
static kztts_status check_file(const kz_job *job, int fd, size_t *size) {
    struct stat st;
    if (fstat(fd, &st) != 0)
        return kz_source_fail(job, KZTTS_ERROR_FAILED, "can't read %s: %s", job->name, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return kz_source_fail(job, KZTTS_ERROR_FORMAT, "%s is a folder, not a recording", job->name);
    if (fd == STDIN_FILENO && isatty(fd))
        return kz_source_fail(job, KZTTS_ERROR_ARGUMENT,
                              "standard input is a terminal: name a recording, or send one through a pipe");
    *size = 0;
    if (!S_ISREG(st.st_mode) || st.st_size <= 0)
        return KZTTS_OK;
    if ((unsigned long long)st.st_size > max_bytes(job->limits))
        return too_large(job, (unsigned long long)st.st_size);
    *size = (size_t)st.st_size;
    return KZTTS_OK;
}

/* Makes room for one byte more than the limit at most, so that a longer file is noticed. */
static bool grow(unsigned char **data, size_t *capacity, size_t max) {
    size_t want = *capacity < max / 2 ? *capacity * 2 : max + 1;
    unsigned char *fresh = realloc(*data, want);
    if (!fresh)
        return false;
    *data = fresh;
    *capacity = want;
    return true;
}

static kztts_status read_all(const kz_job *job, int fd, size_t size, unsigned char **data, size_t *n) {
    size_t max = max_bytes(job->limits), capacity = size ? size + 1 : FIRST_READ;
    if (capacity > max)
        capacity = max + 1;
    *data = malloc(capacity);
    if (!*data)
        return no_memory(job);
    for (;;) {
        ssize_t got = read(fd, *data + *n, capacity - *n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return kz_source_fail(job, KZTTS_ERROR_FAILED, "can't read %s: %s", job->name, strerror(errno));
        if (got == 0)
            break;
        *n += (size_t)got;
        if (*n > max)
            return too_large(job, 0);
        if (*n == capacity && !grow(data, &capacity, max))
            return no_memory(job);
    }
    if (*n == 0)
        return kz_source_fail(job, KZTTS_ERROR_FORMAT, "%s is empty", job->name);
    return KZTTS_OK;
}

kztts_status kz_source_load(const char *path, const kz_source_limits *limits, unsigned char **data, size_t *n,
                            char *message, size_t message_size) {
    char name[KZ_SOURCE_MESSAGE - 250];
    kz_job job = {.limits = limits, .message = message, .message_size = message_size};
    job.name = quoted(name, sizeof name, path);
    *data = NULL;
    *n = 0;
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        kztts_status status = errno == ENOENT || errno == ENOTDIR ? KZTTS_ERROR_NOT_FOUND : KZTTS_ERROR_FAILED;
        return kz_source_fail(&job, status, "can't open %s: %s", job.name, strerror(errno));
    }
    size_t size;
    kztts_status status = check_file(&job, fd, &size);
    if (!status)
        status = read_all(&job, fd, size, data, n);
    if (!is_stdin)
        close(fd);
    if (status) {
        free(*data);
        *data = NULL;
        *n = 0;
    }
    return status;
}

/* ---- decoding ---------------------------------------------------------------------------------------------- */

static kztts_status refuse(const kz_job *job, const char *seems) {
    if (seems)
        return kz_source_fail(job, KZTTS_ERROR_FORMAT, "%s is %s, which can't be read as a recording; %s can",
                              job->name, seems, kz_source_formats());
    return kz_source_fail(job, KZTTS_ERROR_FORMAT, "%s is of no kind that is known here; %s can be read", job->name,
                          kz_source_formats());
}

static kztts_status check_container(const kz_job *job, kz_kind kind, kz_riff *riff) {
    switch (kind) {
    case KZ_KIND_WAV:
        return kz_riff_check(job, riff);
    case KZ_KIND_AIFF:
        return kz_aiff_check(job);
    case KZ_KIND_AU:
        return kz_au_check(job);
    case KZ_KIND_CAF:
        return kz_caf_check(job);
    case KZ_KIND_FLAC:
        return kz_flac_check(job);
    case KZ_KIND_OGG_VORBIS:
    case KZ_KIND_OGG_FLAC:
    case KZ_KIND_OGG_OPUS:
        return kz_ogg_check(job, kind);
    case KZ_KIND_MP3:
        return kz_mp3_check(job);
    case KZ_KIND_OTHER:
        break;
    }
    return KZTTS_OK;
}

static kztts_status decode_kind(kz_job *job, kz_kind kind) {
    kz_riff riff = {0};
    kztts_status status = check_container(job, kind, &riff);
    if (status)
        return status;
    if (kind == KZ_KIND_OGG_OPUS)
        return kz_decode_opus(job);
#ifdef KZ_WITH_SNDFILE
    return kz_decode_sndfile(job, kind, kind == KZ_KIND_WAV ? &riff : NULL);
#else
    if (kind == KZ_KIND_WAV)
        return kz_decode_plain(job, &riff);
    return kz_source_fail(job, KZTTS_ERROR_FORMAT,
                          "%s is %s, and this program was built without libsndfile, which reads it; %s can be read",
                          job->name, kz_kind_name(kind), kz_source_formats());
#endif
}

kztts_status kz_source_decode(const void *data, size_t n, const char *name, int rate, const kz_source_limits *limits,
                              kz_source_audio *out, char *message, size_t message_size) {
    char quote[KZ_SOURCE_MESSAGE - 250];
    const char *seems = NULL;
    kz_job job = {.data = data,
                  .n = n,
                  .limits = limits,
                  .rate = rate,
                  .out = out,
                  .message = message,
                  .message_size = message_size};
    job.name = quoted(quote, sizeof quote, name);
    if (message && message_size)
        message[0] = '\0';
    memset(out, 0, sizeof *out);
    if (n == 0)
        return kz_source_fail(&job, KZTTS_ERROR_FORMAT, "%s is empty", job.name);
    kz_kind kind = kz_identify(job.data, n, &seems);
    kztts_status status = kind == KZ_KIND_OTHER ? refuse(&job, seems) : decode_kind(&job, kind);
    if (!status && out->n == 0)
        status = kz_source_fail(&job, KZTTS_ERROR_FORMAT, "%s has no sound in it: not one sample", job.name);
    if (!status) {
        out->seconds = (double)out->n / out->file_rate;
        status = kz_resample(&job);
    }
    if (status)
        kz_source_free(out);
    return status;
}

kztts_status kz_source_read(const char *path, int rate, const kz_source_limits *limits, kz_source_audio *out,
                            char *message, size_t message_size) {
    unsigned char *data;
    size_t n;
    memset(out, 0, sizeof *out);
    kztts_status status = kz_source_load(path, limits, &data, &n, message, message_size);
    if (!status)
        status = kz_source_decode(data, n, path, rate, limits, out, message, message_size);
    free(data);
    return status;
}

void kz_source_free(kz_source_audio *audio) {
    free(audio->pcm);
    memset(audio, 0, sizeof *audio);
}

const char *kz_source_formats(void) {
#ifdef KZ_WITH_SNDFILE
#ifdef KZ_WITH_OPUSFILE
    return kz_sndfile_reads_mp3() ? "WAV, AIFF, AU, CAF, FLAC, Ogg Vorbis, MP3 and Opus"
                                  : "WAV, AIFF, AU, CAF, FLAC, Ogg Vorbis and Opus";
#else
    return kz_sndfile_reads_mp3() ? "WAV, AIFF, AU, CAF, FLAC, Ogg Vorbis and MP3"
                                  : "WAV, AIFF, AU, CAF, FLAC and Ogg Vorbis";
#endif
#elif defined KZ_WITH_OPUSFILE
    return "WAV (16-bit and float) and Opus";
#else
    return "WAV (16-bit and float)";
#endif
}
