/* config_files.h: the three files of settings, written into a folder of their own.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Include cmocka.h and what it wants first. */
#ifndef KZ_TEST_CONFIG_FILES_H
#define KZ_TEST_CONFIG_FILES_H

#include "weights/weights.h"

enum { CONFIG, GENERATION, CODEC, N_FILE };

extern const char *const config_names[N_FILE];
extern const char *const config_good[N_FILE]; /* a custom_voice model */
extern char config_dir[64];

/* Setup and teardown: config_dir with the good files. */
int config_make(void **state);
int config_remove(void **state);

const char *config_path(const char *name); /* valid until the next call */
void config_write(int file, const char *text);

/* The text with the first `from` (NULL: all of it) after `after` (NULL: from the beginning) replaced; freed by the
 * caller. */
char *config_replaced(const char *text, const char *after, const char *from, const char *to);

void config_read_good(kz_config *c); /* fails the test otherwise */
void config_check_failure(kztts_status status, kztts_status expected, const kz_err *err, const char *fragment,
                          const char *what);

#endif
