/* journal.h: which items of a batch are done, kept in a file.  SPDX-License-Identifier: Apache-2.0
 *
 * A line an item: its key, a tab, the file that was made. Keys don't hold paths, so a moved folder is no new work. */
#ifndef KZ_JOURNAL_H
#define KZ_JOURNAL_H

#include <stdbool.h>
#include <stdio.h>

#include "hash/hash.h"

typedef struct kz_journal {
    char (*keys)[KZ_HASH_TEXT]; /* sorted up to n_read */
    size_t n_read;
    FILE *file; /* open for adding */
} kz_journal;

/* Reads what is there and opens the file for adding. Lines that are none of ours are passed over: the last one may be
 * half written. */
int kz_journal_open(kz_journal *journal, const char *path);
bool kz_journal_has(const kz_journal *journal, const char key[KZ_HASH_TEXT]);
int kz_journal_add(kz_journal *journal, const char key[KZ_HASH_TEXT], const char *out);
void kz_journal_close(kz_journal *journal);

#endif
