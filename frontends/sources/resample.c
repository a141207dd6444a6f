/* resample.c: from the file's rate to the rate asked for, with libsoxr.  SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "internal.h"

#ifdef KZ_WITH_SOXR
#include <soxr.h>
#endif

size_t kz_resampled_length(size_t n, int from, int to) {
    uint64_t product = (uint64_t)n * (uint64_t)to;
    return (size_t)((product + (uint64_t)from - 1) / (uint64_t)from);
}

bool kz_source_resamples(void) {
#ifdef KZ_WITH_SOXR
    return true;
#else
    return false;
#endif
}

/* libsoxr's high quality: the filter of the official program. */
kztts_status kz_resample(kz_job *job) {
    kz_source_audio *audio = job->out;
    if (audio->file_rate == job->rate)
        return KZTTS_OK;
#ifdef KZ_WITH_SOXR
    size_t n = kz_resampled_length(audio->n, audio->file_rate, job->rate), done = 0;
    float *pcm = malloc(n * sizeof *pcm);
    if (!pcm)
        return kz_source_fail(job, KZTTS_ERROR_MEMORY, "out of memory while resampling %s", job->name);
    soxr_io_spec_t io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
    soxr_quality_spec_t quality = soxr_quality_spec(SOXR_HQ, 0);
    soxr_runtime_spec_t runtime = soxr_runtime_spec(1);
    soxr_error_t error = soxr_oneshot(audio->file_rate, job->rate, 1, audio->pcm, audio->n, NULL, pcm, n, &done, &io,
                                      &quality, &runtime);
    if (error) {
        free(pcm);
        return kz_source_fail(job, KZTTS_ERROR_FAILED, "can't resample %s from %d to %d Hz: libsoxr says \"%s\"",
                              job->name, audio->file_rate, job->rate, error);
    }
    while (done < n)
        pcm[done++] = 0;
    free(audio->pcm);
    audio->pcm = pcm;
    audio->n = n;
    return KZTTS_OK;
#else
    return kz_source_fail(
        job, KZTTS_ERROR_FORMAT,
        "%s has %d samples a second, and this program was built without libsoxr, which resamples: give "
        "a recording at %d Hz",
        job->name, audio->file_rate, job->rate);
#endif
}
