/* plain_wav.c: 16-bit and float WAV without a library.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "internal.h"

enum { BLOCK = 4096, TAG_PCM = 1, TAG_FLOAT = 3 };

static float sample_s16(const unsigned char *p, bool big_endian) {
    int32_t x = (int32_t)(big_endian ? kz_be16(p) : kz_le16(p));
    return (float)(x >= 0x8000 ? x - 0x10000 : x) / 32768.0f;
}

static float sample_f32(const unsigned char *p, bool big_endian) {
    uint32_t bits = big_endian ? kz_be32(p) : kz_le32(p);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

kztts_status kz_decode_plain(kz_job *job, const kz_riff *riff) {
    bool pcm = riff->tag == TAG_PCM && riff->bits == 16;
    unsigned width = pcm ? 2 : 4;
    if (!pcm && !(riff->tag == TAG_FLOAT && riff->bits == 32))
        return kz_source_fail(
            job, KZTTS_ERROR_FORMAT,
            "%s is WAV of %u bits and format %u, and this program was built without libsndfile, which "
            "reads it; 16-bit and float WAV can be read",
            job->name, riff->bits, riff->tag);
    if (riff->channels == 0 || riff->channels > KZ_CHANNELS_MAX || riff->block != width * riff->channels)
        return kz_source_fail(job, KZTTS_ERROR_FORMAT, "%s is damaged: %u channels in blocks of %u bytes", job->name,
                              riff->channels, riff->block);
    size_t frames = riff->data_size / riff->block;
    kztts_status status = kz_mono_begin(job, (long)riff->rate, (int)riff->channels, frames);
    snprintf(job->out->format, sizeof job->out->format, "WAV, %s", pcm ? "16-bit PCM" : "32-bit float");
    const unsigned char *p = job->data + riff->data_at;
    size_t step = BLOCK / riff->channels;
    while (!status && frames > 0) {
        float block[BLOCK];
        size_t part = frames < step ? frames : step;
        for (size_t i = 0; i < part * riff->channels; i++, p += width)
            block[i] = pcm ? sample_s16(p, riff->big_endian) : sample_f32(p, riff->big_endian);
        status = kz_mono_add(job, block, part, (int)riff->channels);
        frames -= part;
    }
    return status;
}
