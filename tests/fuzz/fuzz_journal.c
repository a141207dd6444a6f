/* fuzz_journal.c: any bytes as the journal of `kztts batch`.  SPDX-License-Identifier: Apache-2.0
 *
 * Whatever the bytes, exactly the keys of whole lines are known, and more can be added. */
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "journal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint8_t *file;
static size_t n_file;

static void require(int condition) {
    if (!condition)
        abort();
}

/* In place of the program's: nothing of this input may fail. */
int kz_cli_fail(int exit_code, const char *fmt, ...) {
    (void)fmt;
    require(exit_code < 0);
    return exit_code;
}

/* In place of the program's: the input, with a NUL behind as there. */
int kz_cli_read_file(const char *path, size_t max, const char *what, int too_long_exit, char **data, size_t *n) {
    require(path && what && n_file <= max && too_long_exit > 0);
    *data = malloc(n_file + 1);
    require(*data != NULL);
    if (n_file)
        memcpy(*data, file, n_file);
    (*data)[n_file] = '\0';
    *n = n_file;
    return KZ_GO_ON;
}

/* The key at the beginning of a line of n bytes, by the rule of journal.h. */
static bool has_key(const uint8_t *line, size_t n, char key[KZ_HASH_TEXT]) {
    size_t i = 0;
    while (i < n && i + 1 < KZ_HASH_TEXT &&
           ((line[i] >= '0' && line[i] <= '9') || (line[i] >= 'a' && line[i] <= 'f'))) {
        key[i] = (char)line[i];
        i++;
    }
    key[i] = '\0';
    return i + 1 == KZ_HASH_TEXT && i < n && line[i] == '\t';
}

static void check(const kz_journal *j) {
    char key[KZ_HASH_TEXT];
    size_t n_key = 0, begin = 0;
    for (size_t i = 0; i < n_file; i++) {
        if (file[i] != '\n')
            continue;
        if (has_key(file + begin, i - begin, key)) {
            require(kz_journal_has(j, key));
            n_key++;
        }
        begin = i + 1;
    }
    require(n_key == j->n_read);
    memset(key, 'g', sizeof key - 1);
    key[sizeof key - 1] = '\0';
    require(!kz_journal_has(j, key));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char key[KZ_HASH_TEXT];
    kz_journal j = {0};
    file = data;
    n_file = size;
    require(kz_journal_open(&j, "/dev/null") == KZ_GO_ON);
    check(&j);
    memset(key, '0', sizeof key - 1);
    key[sizeof key - 1] = '\0';
    require(kz_journal_add(&j, key, "a.wav") == KZ_GO_ON);
    kz_journal_close(&j);
    return 0;
}
