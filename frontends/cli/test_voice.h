/* test_voice.h: a voice to try a model with.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_TEST_VOICE_H
#define KZ_TEST_VOICE_H

#include "open_model.h"

/* The model's first voice, a described one, or for a base model a clone of a made-up sound: nobody's voice is needed to see
 * whether the parts of cloning work. */
kztts_status kz_test_voice(kztts_voice **voice, const kz_opened *opened);

#endif
