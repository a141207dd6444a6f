/* voices.h: the actions of `kztts voices` on the user's voices.  SPDX-License-Identifier: Apache-2.0
 *
 * Each gets the words behind its name. */
#ifndef KZ_VOICES_H
#define KZ_VOICES_H

#include "cli.h"
#include "user_voices.h"

int kz_voices_list(const kz_args *args, char **words, int n);
int kz_voices_show(const kz_args *args, char **words, int n);
int kz_voices_check(const kz_args *args, char **words, int n);
int kz_voices_add(const kz_args *args, char **words, int n);
int kz_voices_rm(const kz_args *args, char **words, int n);
int kz_voices_export(const kz_args *args, char **words, int n);
int kz_voices_import(const kz_args *args, char **words, int n);

/* A folder of voices, in the layouts of other programs: NAME.wav and NAME.txt; NAME/ref.wav and ref.txt, or
 * NAME/instruct.txt; the same in folders of languages. All that the model can take become the user's. */
int kz_voices_import_tree(const kz_args *args, const char *folder);

/* folder/name; false when there is none. */
bool kz_voice_part(char out[KZ_PATH], const char *folder, const char *name);

/* Whether the folder is one voice: has ref.wav or instruct.txt. */
bool kz_is_voice_folder(const char *folder);

#endif
