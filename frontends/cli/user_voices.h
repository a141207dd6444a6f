/* user_voices.h: voices that are files: the user's folder, names and paths.  SPDX-License-Identifier: Apache-2.0
 *
 * The folder is $XDG_DATA_HOME/kztts/voices, or ~/.local/share/kztts/voices. A voice NAME of it is NAME.kzvoice. */
#ifndef KZ_USER_VOICES_H
#define KZ_USER_VOICES_H

#include "cli.h"

#define KZ_VOICE_ENDING ".kzvoice"

enum { KZ_PATH = 4096 };

/* false when there is no home folder (or its name is too long). */
bool kz_user_folder(char out[KZ_PATH]);

/* Whether the word names a file rather than a voice: it has a slash, or ends in .kzvoice. */
bool kz_voice_is_path(const char *word);

/* The file of a voice of the user's folder; false when there is none of that name. */
bool kz_user_voice(const char *name, char out[KZ_PATH]);

/* The file beside a voice where the library keeps what the voice's recording leaves behind. */
void kz_voice_snapshot(const char *path, char *out, size_t size);

/* The file that NAME or a path stands for: must be there. */
int kz_voice_find(const char *word, char out[KZ_PATH]);

/* Names in the folder, sorted; one block, free(). No folder: none. */
int kz_user_voice_names(char ***names, int *n);

/* Name in the folder that may be meant, "" = none. */
void kz_user_voice_near(const char *word, char *out, size_t size);

/* Where a new voice goes. */
typedef struct kz_voice_target {
    char path[KZ_PATH];
    bool user; /* in the user's folder */
} kz_voice_target;

/* From -o NAME, or `name` without. Refuses what is no name of a voice file, and a file that is there, unless force. */
int kz_voice_target_from(kz_voice_target *target, const kz_args *args, const char *name);

/* Makes the user's folder where it is needed. */
int kz_voice_target_folder(const kz_voice_target *target);

/* Bare name of a path: without folder and ending. Cut to what fits. */
void kz_bare_name(const char *path, char *out, size_t size);

#endif
