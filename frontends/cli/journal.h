/* journal.h: which items of a batch are done, kept in a file.  SPDX-License-Identifier: Apache-2.0
 *
 * A line an item: its key, a tab, the file that was made; before that, while it is being made, one with zeros for a key. The
 * last line of a file says what is in it. Keys don't hold paths, so a moved folder is no new work. */
#ifndef KZ_JOURNAL_H
#define KZ_JOURNAL_H

#include <stdbool.h>
#include <stdio.h>

#include "hash/hash.h"
#include "same_file.h"

typedef struct kz_made {
    char key[KZ_HASH_TEXT];
    kz_file_id file;
    size_t line;
} kz_made;

/* The last line of each file, in an order. */
typedef struct kz_made_list {
    kz_made *at;
    size_t n;
} kz_made_list;

typedef struct kz_journal {
    const char *path;
    kz_made_list files, names; /* names: files in different folders are one if they are called the same */
    FILE *file;                /* open for adding */
} kz_journal;

/* Reads what is there and opens the file for adding. Lines that are none of ours are passed over: the last one may be
 * half written. path must stay. */
int kz_journal_open(kz_journal *journal, const char *path);

/* Whether `out` holds what the key stands for, by its last line; if it has none, as its folder was moved, by the last of
 * a file of that name. */
bool kz_journal_has(const kz_journal *journal, const char key[KZ_HASH_TEXT], const char *out);

int kz_journal_begin(kz_journal *journal, const char *out);
int kz_journal_add(kz_journal *journal, const char key[KZ_HASH_TEXT], const char *out);
void kz_journal_close(kz_journal *journal);

#endif
