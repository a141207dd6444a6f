/* batch_files.h: the files of `kztts batch`: what they are called, and that each is one.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_BATCH_FILES_H
#define KZ_BATCH_FILES_H

#include "manifest.h"

enum { KZ_BATCH_NAME = 4096, KZ_BATCH_PATH = 2 * KZ_BATCH_NAME + 32 };

typedef struct kz_item_files {
    char id[KZ_BATCH_NAME];
    char out[KZ_BATCH_PATH], srt[KZ_BATCH_PATH]; /* srt "": none */
    char text[KZ_BATCH_PATH];                    /* text_file, from the manifest's folder; "": none */
} kz_item_files;

/* args: the command line, without what items say. manifest: its path. */
void kz_item_files_name(kz_item_files *files, const kz_args *args, const char *manifest, const kz_item *item);

/* The journal's path. */
void kz_batch_journal(char path[KZ_BATCH_PATH], const kz_args *args, const char *manifest);

/* What can be told before the model is loaded: -o's folder is there (6, 2), items' formats are some, and no file is written twice, or read and
 * written: 2 where --report or --journal is one of them, else 3 with both lines. */
int kz_batch_check_files(const kz_args *args, const char *path, const kz_manifest *manifest);

#endif
