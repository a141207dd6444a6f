/* opus.c: Opus in Ogg, with libopusfile.  SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

#ifdef KZ_WITH_OPUSFILE

#include <opusfile.h>
#include <stdio.h>
#include <stdlib.h>

/* Opus is always decoded at 48 kHz; 120 ms of 8 channels is the longest packet. */
enum { RATE = 48000, BLOCK = 5760 * 8 };

static kztts_status damaged(const kz_job *job, int error) {
    const char *what = error == OP_HOLE                                   ? "pages are missing"
                       : error == OP_EIMPL                                ? "it uses a feature that libopusfile lacks"
                       : error == OP_EVERSION                             ? "it is of an unknown version"
                       : error == OP_EBADPACKET                           ? "a packet can't be decoded"
                       : error == OP_EBADHEADER || error == OP_ENOTFORMAT ? "its header makes no sense"
                       : error == OP_EBADLINK                             ? "its pages are out of order"
                       : error == OP_EBADTIMESTAMP                        ? "its time stamps make no sense"
                                                                          : "libopusfile can't read it";
    return kz_source_fail(job, KZTTS_ERROR_FORMAT, "%s is Opus, but damaged: %s", job->name, what);
}

static kztts_status decode(kz_job *job, OggOpusFile *file, float *block) {
    ogg_int64_t total = op_pcm_total(file, -1);
    kztts_status status = kz_mono_begin(job, RATE, op_channel_count(file, 0), total > 0 ? (uint64_t)total : 0);
    snprintf(job->out->format, sizeof job->out->format, "Ogg, Opus");
    while (!status) {
        int link, n = op_read_float(file, block, BLOCK, &link);
        if (n == 0)
            break;
        status = n < 0 ? damaged(job, n) : kz_mono_add(job, block, (size_t)n, op_channel_count(file, link));
    }
    return status;
}

kztts_status kz_decode_opus(kz_job *job) {
    int error = 0;
    OggOpusFile *file = op_open_memory(job->data, job->n, &error);
    if (!file)
        return error == OP_EFAULT ? kz_source_fail(job, KZTTS_ERROR_MEMORY, "out of memory while reading %s", job->name)
                                  : damaged(job, error);
    float *block = malloc(BLOCK * sizeof *block);
    kztts_status status = block ? decode(job, file, block)
                                : kz_source_fail(job, KZTTS_ERROR_MEMORY, "out of memory while reading %s", job->name);
    free(block);
    op_free(file);
    return status;
}

#else

kztts_status kz_decode_opus(kz_job *job) {
    return kz_source_fail(job, KZTTS_ERROR_FORMAT,
                          "%s is Opus, and this program was built without libopusfile, which reads it; %s can be read",
                          job->name, kz_source_formats());
}

#endif
