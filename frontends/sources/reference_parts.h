/* reference_parts.h: the measuring behind reference.h.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_REFERENCE_PARTS_H
#define KZ_REFERENCE_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "reference.h"

/* dB of a mean square; -120 is the least. */
double kz_db(double power);

/* The whole recording; n > 0. Fills seconds, peak, rms, dc, clipped. false: a sample isn't a finite number. */
bool kz_measure_samples(kz_reference_figures *f, const float *pcm, size_t n, int rate);

typedef enum kz_activity { KZ_ACTIVITY_SPEECH, KZ_ACTIVITY_SILENT, KZ_ACTIVITY_STEADY, KZ_ACTIVITY_SHORT } kz_activity;

/* Speech and pauses, from 20 ms frames; needs dc. Fills speech, start, end, speech_level, noise_floor, snr, ending_level.
 * *cut: the ending is cut off. SHORT: less than five frames; SILENT and STEADY: no speech found; then only noise_floor and
 * ending_level are filled. */
kz_activity kz_measure_speech(kz_reference_figures *f, const float *pcm, size_t n, int rate, bool *cut);

/* Fills characters, wide, usual. false: not UTF-8. */
bool kz_measure_transcript(kz_reference_figures *f, const char *transcript);

#endif
