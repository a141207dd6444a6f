/* voice_choice.h: which voice `say` speaks with.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_VOICE_CHOICE_H
#define KZ_VOICE_CHOICE_H

#include "open_model.h"
#include "recording.h"
#include "user_voices.h"

typedef struct kz_voice_choice {
    kz_recording recording; /* of --ref */
    kz_text transcript;
    kztts_voice *voice;
    bool has_seed; /* the voice brings one */
    uint64_t seed;
    char label[256];             /* a word for the summary and for metadata */
    char snapshot[KZ_PATH + 16]; /* of a voice in the user's folder: beside it; "" = none */
} kz_voice_choice;

/* What can be wrong before the model is open; reads the recording. */
int kz_voice_choice_prepare(kz_voice_choice *c, const kz_args *args);

/* A preset by name, then a voice of the user's; a voice file; a recording; the description of -i; the default. */
int kz_voice_choice_open(kz_voice_choice *c, const kz_args *args, kztts_model *model, const kztts_model_info *info);

void kz_voice_choice_free(kz_voice_choice *c);

#endif
