/* rate.c: another sample rate, while streaming, with libsoxr.  SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>

#include "parts.h"

#ifdef KZ_WITH_SOXR

#include <soxr.h>

enum { BLOCK = 1024 };

const char *const kz_rate_lacks = NULL;

struct kz_rate {
    soxr_t soxr;
};

kz_rate *kz_rate_open(int from, int to) {
    soxr_error_t error = NULL;
    soxr_io_spec_t io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
    soxr_quality_spec_t quality = soxr_quality_spec(SOXR_HQ, 0);
    soxr_runtime_spec_t runtime = soxr_runtime_spec(1);
    kz_rate *rate = malloc(sizeof *rate);
    if (!rate)
        return NULL;
    rate->soxr = soxr_create(from, to, 1, &error, &io, &quality, &runtime);
    if (error || !rate->soxr) {
        free(rate);
        return NULL;
    }
    return rate;
}

int kz_rate_run(kz_rate *rate, const float *pcm, size_t n, bool last, kz_emit emit, void *user) {
    float out[BLOCK];
    size_t used, made;
    do {
        /* NULL ends the input: then it gives what it kept back */
        if (soxr_process(rate->soxr, last ? NULL : pcm, last ? 0 : n, &used, out, BLOCK, &made))
            return ENOMEM;
        if (!last) {
            pcm += used;
            n -= used;
        }
        int error = made ? emit(user, out, made) : 0;
        if (error)
            return error;
    } while (n > 0 || made == BLOCK);
    return 0;
}

void kz_rate_close(kz_rate *rate) {
    if (rate)
        soxr_delete(rate->soxr);
    free(rate);
}

#else

const char *const kz_rate_lacks = "libsoxr (package libsoxr-dev), which resamples";

kz_rate *kz_rate_open(int from, int to) {
    (void)from, (void)to;
    return NULL;
}

int kz_rate_run(kz_rate *rate, const float *pcm, size_t n, bool last, kz_emit emit, void *user) {
    (void)rate, (void)pcm, (void)n, (void)last, (void)emit, (void)user;
    return ENOSYS;
}

void kz_rate_close(kz_rate *rate) { (void)rate; }

#endif
