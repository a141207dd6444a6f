/* mono.c: collects decoded blocks as mono samples, within the limits.  SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "internal.h"

enum { FIRST_CAPACITY = 1 << 16 };

static double max_seconds(const kz_job *job) {
    return job->limits && job->limits->seconds > 0 ? job->limits->seconds : (double)KZ_SOURCE_MAX_SECONDS;
}

kztts_status kz_mono_begin(kz_job *job, long rate, int channels, uint64_t frames) {
    if (rate < KZ_RATE_MIN || rate > KZ_RATE_MAX)
        return kz_source_fail(job, KZTTS_ERROR_FORMAT, "%s has %ld samples a second; %d to %d can be read", job->name,
                              rate, KZ_RATE_MIN, KZ_RATE_MAX);
    if (channels < 1 || channels > KZ_CHANNELS_MAX)
        return kz_source_fail(job, KZTTS_ERROR_FORMAT, "%s has %d channels; 1 to %d can be read", job->name, channels,
                              KZ_CHANNELS_MAX);
    double limit = max_seconds(job), most = limit * (double)rate;
    job->max_frames = most < (double)(SIZE_MAX / sizeof(float) / 4) ? (size_t)most : SIZE_MAX / sizeof(float) / 4;
    job->out->rate = job->rate;
    job->out->file_rate = (int)rate;
    job->out->channels = channels;
    if (frames > job->max_frames)
        return kz_source_fail(job, KZTTS_ERROR_ARGUMENT, "%s is %.1f s long, the limit is %g s: cut the recording",
                              job->name, (double)frames / (double)rate, limit);
    return KZTTS_OK;
}

static kztts_status make_room(kz_job *job, size_t frames) {
    kz_source_audio *out = job->out;
    if (frames > job->max_frames - out->n)
        return kz_source_fail(job, KZTTS_ERROR_ARGUMENT,
                              "%s is longer than %.1f s, the limit is %g s: cut the recording", job->name,
                              (double)job->max_frames / out->file_rate, max_seconds(job));
    size_t need = out->n + frames;
    if (need <= job->capacity)
        return KZTTS_OK;
    size_t capacity = job->capacity ? job->capacity * 2 : FIRST_CAPACITY;
    if (capacity < need)
        capacity = need;
    float *pcm = realloc(out->pcm, capacity * sizeof *pcm);
    if (!pcm)
        return kz_source_fail(job, KZTTS_ERROR_MEMORY, "out of memory while reading %s", job->name);
    out->pcm = pcm;
    job->capacity = capacity;
    return KZTTS_OK;
}

static kztts_status bad_sample(const kz_job *job, float x) {
    double at = (double)job->out->n / job->out->file_rate;
    if (isnan(x))
        return kz_source_fail(job, KZTTS_ERROR_FORMAT, "%s is damaged: a sample at %.3f s is not a number", job->name,
                              at);
    return kz_source_fail(job, KZTTS_ERROR_FORMAT,
                          "%s is damaged: a sample at %.3f s is %g, where -1 to 1 is the range of samples", job->name,
                          at, (double)x);
}

/* The mean is a sum in the channels' order, divided once: the official program's, bit for bit up to 7 channels. */
kztts_status kz_mono_add(kz_job *job, const float *block, size_t frames, int channels) {
    kztts_status status = make_room(job, frames);
    if (status)
        return status;
    float *to = job->out->pcm;
    float divisor = (float)channels;
    for (size_t i = 0; i < frames; i++) {
        float sum = 0;
        for (int c = 0; c < channels; c++) {
            float x = *block++;
            if (!(fabsf(x) <= KZ_SAMPLE_MAX))
                return bad_sample(job, x);
            sum += x;
        }
        to[job->out->n++] = channels == 1 ? sum : sum / divisor;
    }
    return KZTTS_OK;
}
