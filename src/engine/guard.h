/* guard.h: how an utterance that goes wrong is noticed, for this folder (docs/guards.md).
 * SPDX-License-Identifier: Apache-2.0
 *
 * in         a text's length; first codes, frame after frame; samples of a frame
 * out        a bound of frames; whether it goes in circles; whether nothing is heard
 * state      kz_watch, kz_hush: of one utterance
 * threads    any
 * memory     none */
#ifndef KZ_ENGINE_GUARD_H
#define KZ_ENGINE_GUARD_H

#include "base/base.h"
#include "flow.h"

/* ---- length ------------------------------------------------------------------------------------------------ */

/* Seconds that a text takes to say, about: by script, digits and marks counted by what is read out. */
double kz_guard_seconds(const char *text, size_t n);

/* Frames after which an utterance of so many seconds has run away, and below which it ended too early. rate: frames a
 * second. */
size_t kz_guard_most_frames(double seconds, double rate);
size_t kz_guard_least_frames(double seconds, double rate);

/* ---- repetition -------------------------------------------------------------------------------------------- */

enum { KZ_WATCH_PERIOD = 8 };

/* For each period, how many codes in a row were those of a period before. */
typedef struct kz_watch {
    kz_code last[KZ_WATCH_PERIOD]; /* ring */
    size_t n, run[KZ_WATCH_PERIOD];
} kz_watch;

/* Takes the next first code; true when the codes have been going in circles for longer than speech does. */
bool kz_watch_code(kz_watch *watch, kz_code code, double rate);

/* ---- silence ----------------------------------------------------------------------------------------------- */

typedef struct kz_hush {
    size_t n_quiet; /* samples since anything was heard */
} kz_hush;

/* Takes n samples; true when nothing has been heard for longer than a pause lasts. */
bool kz_hush_samples(kz_hush *hush, const float *pcm, size_t n, int sample_rate);

#endif
