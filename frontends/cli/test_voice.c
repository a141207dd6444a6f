/* test_voice.c: a voice to try a model with.  SPDX-License-Identifier: Apache-2.0 */
#include "test_voice.h"

#include <string.h>

enum { CLIP = 1 << 16 /* samples, 2.7 s */ };

kztts_status kz_test_voice(kztts_voice **voice, const kz_opened *m) {
    static float pcm[CLIP];
    if (strcmp(m->info.type, "custom_voice") == 0)
        return kztts_voice_preset(voice, m->model, NULL);
    if (strcmp(m->info.type, "voice_design") == 0)
        return kztts_voice_describe(voice, m->model, "A calm voice.");
    for (int i = 0; i < CLIP; i++) { /* a saw of 24000 / 200 = 120 Hz that swells and fades; exact in floats */
        int part = i % 4096;
        pcm[i] = ((float)(i % 200) / 256.0f - 0.390625f) * (float)(part < 2048 ? part : 4095 - part) / 4096.0f;
    }
    return kztts_voice_clone(voice, m->model, pcm, CLIP, NULL);
}
