/* golden_engine.h: cases spoken by the engine itself, as an application would.  SPDX-License-Identifier: Apache-2.0 */
#ifndef GOLDEN_ENGINE_H
#define GOLDEN_ENGINE_H

#include "golden_model.h"
#include "kztts/kztts.h"

/* What an utterance gave; memory of the case. */
typedef struct golden_utterance {
    size_t n_frame, n_code, n_sample;
    kz_code *codes; /* [n_frame, n_code] */
    float *pcm;     /* [n_sample] */
    kztts_finish_reason finish;
} golden_utterance;

/* Speaks item `item` greedily. False after recording a failure. */
bool golden_engine_speak(golden_utterance *out, golden_case *c, size_t item, const golden_clone *clone);

#endif
