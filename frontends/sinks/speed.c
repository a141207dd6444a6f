/* speed.c: faster or slower with the pitch kept, with libsonic.  SPDX-License-Identifier: Apache-2.0
 *
 * libsonic takes or repeats whole periods of the voice. It works on 16 bit inside. */
#include <errno.h>
#include <stdlib.h>

#include "parts.h"

#ifdef KZ_WITH_SONIC

#include <sonic.h>

enum { BLOCK = 1024 };

const char *const kz_speed_lacks = NULL;

struct kz_speed {
    sonicStream stream;
    float block[BLOCK];
    size_t n;     /* in block */
    int64_t kept; /* by libsonic, to look for periods in: two of 65 Hz, about, once it has had so many */
    int64_t n_in;
};

kz_speed *kz_speed_open(int sample_rate, double speed) {
    kz_speed *s = malloc(sizeof *s);
    if (!s)
        return NULL;
    s->n = 0;
    s->n_in = 0;
    s->kept = 2 * sample_rate / 65;
    s->stream = sonicCreateStream(sample_rate, 1);
    if (!s->stream) {
        free(s);
        return NULL;
    }
    sonicSetSpeed(s->stream, (float)speed);
    return s;
}

static int take_out(kz_speed *s, kz_emit emit, void *user) {
    float out[BLOCK];
    int n, error = 0;
    while (!error && (n = sonicReadFloatFromStream(s->stream, out, BLOCK)) > 0)
        error = emit(user, out, (size_t)n);
    return error;
}

/* Whole blocks only: the result doesn't depend on how the samples come. */
static int put_in(kz_speed *s, kz_emit emit, void *user) {
    int n = (int)s->n;
    s->n = 0;
    s->n_in += n;
    if (!sonicWriteFloatToStream(s->stream, s->block, n))
        return ENOMEM;
    return take_out(s, emit, user);
}

/* libsonic wraps around what is beyond full scale. */
static float clip(float x) { return x > 1 ? 1 : x < -1 ? -1 : x == x ? x : 0; }

int kz_speed_run(kz_speed *s, const float *pcm, size_t n, bool last, kz_emit emit, void *user) {
    int error = 0;
    for (size_t i = 0; i < n && !error; i++) {
        s->block[s->n++] = clip(pcm[i]);
        if (s->n == BLOCK)
            error = put_in(s, emit, user);
    }
    if (!error && last && s->n)
        error = put_in(s, emit, user);
    if (error || !last)
        return error;
    return sonicFlushStream(s->stream) ? take_out(s, emit, user) : ENOMEM;
}

int64_t kz_speed_waiting(const kz_speed *s) { return (int64_t)s->n + (s->n_in < s->kept ? s->n_in : s->kept); }

void kz_speed_close(kz_speed *s) {
    if (s)
        sonicDestroyStream(s->stream);
    free(s);
}

#else

const char *const kz_speed_lacks = "libsonic (package libsonic-dev), which changes the speed";

kz_speed *kz_speed_open(int sample_rate, double speed) {
    (void)sample_rate, (void)speed;
    return NULL;
}

int kz_speed_run(kz_speed *s, const float *pcm, size_t n, bool last, kz_emit emit, void *user) {
    (void)s, (void)pcm, (void)n, (void)last, (void)emit, (void)user;
    return ENOSYS;
}

int64_t kz_speed_waiting(const kz_speed *s) {
    (void)s;
    return 0;
}

void kz_speed_close(kz_speed *s) { (void)s; }

#endif
