/* clone.h: a recording into a voice file: what clone, voices add and design share.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_CLONE_H
#define KZ_CLONE_H

#include "cli.h"
#include "open_model.h"
#include "user_voices.h"

typedef struct kz_clone_job {
    const char *path;        /* "-": standard input */
    const char *transcript;  /* or NULL */
    const char *language;    /* a name of the model's; NULL: what the options say */
    const char *consent;     /* NULL: what the options say, else it is asked for */
    const kz_opened *opened; /* the model; NULL: the options' is opened for this */
} kz_clone_job;

/* A recording into target's file; everything from the check of the recording to the line at the end. */
int kz_clone(const kz_args *args, const kz_clone_job *job, const kz_voice_target *target);

/* Fills name, licence, created and overwrite from the options. */
void kz_voice_meta_from(kztts_voice_meta *meta, const kz_args *args, const char *language, char created[32]);

/* Saves to target's file and prints the line at the end. */
int kz_voice_save(const kz_args *args, kztts_voice *voice, const kz_voice_target *target, const kztts_voice_meta *meta);

/* "base" of a model that is another: exit 5. what: "clones a recording". */
int kz_needs_type(const char *path, const kztts_model_info *info, const char *type, const char *what);

#endif
