/* same_file.h: whether two names are one file.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_SAME_FILE_H
#define KZ_SAME_FILE_H

#include "cli.h"

/* What a name stands for, whatever it is spelled like and over whatever links it leads: device and inode of the file; for
 * one that isn't there, those of the folder that it would be in, and its name's checksum, which is 0 otherwise. */
typedef struct kz_file_id {
    uint64_t device, inode, name;
} kz_file_id;

/* false: nothing that is lost by being named twice: NULL, "-", a device. The folder missing too: what is written counts. */
bool kz_file_identify(kz_file_id *id, const char *path);

/* An order, 0 = the same file. */
int kz_file_compare(const kz_file_id *a, const kz_file_id *b);

/* Exit code 2 when a file is named to be written, and to be read or written by another option or word too. Before any is
 * opened for writing. */
int kz_cli_distinct_files(const kz_args *args);

#endif
