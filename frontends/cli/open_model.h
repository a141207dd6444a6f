/* open_model.h: opening a model for commands that only look at it.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_OPEN_MODEL_H
#define KZ_OPEN_MODEL_H

#include "cli.h"

typedef struct kz_opened {
    char *path;
    kztts_model *model;
    kztts_model_info info;
} kz_opened;

/* Refuses words on the command line, finds the model and opens it. */
int kz_cli_open_model(const kz_args *args, kz_opened *opened);

/* Opens the one that is asked for, NULL = the default. log: warnings about it are printed. */
int kz_cli_open_model_at(const kz_args *args, const char *asked, bool log, kz_opened *opened);
void kz_cli_close_model(kz_opened *opened);

/* What `kztts info` prints, and in a few words what the model is for. */
void kz_info_print(const kz_opened *opened);
void kz_info_print_json(const kz_opened *opened);
const char *kz_info_can(const kztts_model_info *info);

#endif
