/* passes.h: what the passes of the code predictor take.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_PASSES_H
#define KZ_PASSES_H

#include <stdio.h>

#include "kztts/kztts.h"

enum { KZ_PASSES_MAX = 63 };

/* Seconds of each pass, added up over n_frame frames. */
typedef struct kz_passes {
    kztts_pass_times pass[KZ_PASSES_MAX];
    int n;
    double n_frame;
} kz_passes;

/* What a stream has spent so far. */
void kz_passes_add(kz_passes *passes, const kztts_stream *stream);

void kz_passes_merge(kz_passes *sum, const kz_passes *more);

/* Milliseconds a frame of passes [first, end), by part and in all. */
typedef struct kz_passes_ms {
    double input, layers, head, sampling, all;
} kz_passes_ms;

kz_passes_ms kz_passes_frame(const kz_passes *passes, int first, int end);

/* That as a table. */
void kz_passes_print(FILE *out, const kz_passes *passes);

#endif
