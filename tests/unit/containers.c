/* containers.c: recordings in other programs' containers.  SPDX-License-Identifier: Apache-2.0 */
#include "containers.h"

#include <string.h>

#ifdef KZ_WITH_SNDFILE

#include <sndfile.h>

static sf_count_t io_length(void *user) { return (sf_count_t)((bytes *)user)->n; }
static sf_count_t io_at;
static sf_count_t io_seek(sf_count_t offset, int whence, void *user) {
    return io_at = offset + (whence == SEEK_SET ? 0 : whence == SEEK_CUR ? io_at : io_length(user));
}
static sf_count_t io_read(void *to, sf_count_t n, void *user) {
    bytes *b = user;
    if (n > (sf_count_t)b->n - io_at)
        n = (sf_count_t)b->n - io_at;
    memcpy(to, b->data + io_at, (size_t)n);
    io_at += n;
    return n;
}
static sf_count_t io_write(const void *data, sf_count_t n, void *user) {
    bytes *b = user;
    size_t end = (size_t)(io_at + n);
    while (b->n < end)
        bytes_number(b, 0, 1, 0);
    memcpy(b->data + io_at, data, (size_t)n);
    io_at += n;
    return n;
}
static sf_count_t io_tell(void *user) {
    (void)user;
    return io_at;
}

int encode_clip(bytes *b, int format, int rate, const float *pcm, size_t n) {
    SF_VIRTUAL_IO io = {io_length, io_seek, io_read, io_write, io_tell};
    SF_INFO info = {.samplerate = rate, .channels = 1, .format = format};
    io_at = 0;
    SNDFILE *file = sf_open_virtual(&io, SFM_WRITE, &info, b);
    if (!file)
        return 0;
    sf_count_t done = sf_writef_float(file, pcm, (sf_count_t)n);
    return sf_close(file) == 0 && done == (sf_count_t)n;
}

#else

typedef int nothing_without_libsndfile;

#endif
