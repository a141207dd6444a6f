/* voices.h: the actions of `kztts voices` on the user's voices.  SPDX-License-Identifier: Apache-2.0
 *
 * Each gets the words behind its name. */
#ifndef KZ_VOICES_H
#define KZ_VOICES_H

#include "cli.h"

int kz_voices_list(const kz_args *args, char **words, int n);
int kz_voices_show(const kz_args *args, char **words, int n);
int kz_voices_check(const kz_args *args, char **words, int n);
int kz_voices_add(const kz_args *args, char **words, int n);
int kz_voices_rm(const kz_args *args, char **words, int n);
int kz_voices_export(const kz_args *args, char **words, int n);
int kz_voices_import(const kz_args *args, char **words, int n);

#endif
