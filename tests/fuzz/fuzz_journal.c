/* fuzz_journal.c: any bytes as the journal of `kztts batch`.  SPDX-License-Identifier: Apache-2.0
 *
 * Whatever the bytes, exactly the keys of each file's last whole line are known, and more can be added. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
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

/* In place of the program's, which looks at the disk: each spelling is a file. */
bool kz_file_identify(kz_file_id *id, const char *path) {
    *id = (kz_file_id){.name = kz_sum(path, strlen(path))};
    return true;
}

int kz_file_compare(const kz_file_id *a, const kz_file_id *b) { return (a->name > b->name) - (a->name < b->name); }

enum { LINES_MAX = 300 };

typedef struct line {
    char key[KZ_HASH_TEXT];
    char out[256];
} line;

static line lines[LINES_MAX];

/* The lines with a key, but those with a longer name, or more than LINES_MAX of them. */
static int take_lines(void) {
    int n = 0;
    size_t begin = 0;
    for (size_t i = 0; i < n_file && n < LINES_MAX; i++) {
        if (file[i] != '\n')
            continue;
        const uint8_t *name = file + begin + KZ_HASH_TEXT;
        if (has_key(file + begin, i - begin, lines[n].key)) {
            size_t n_name = (size_t)(file + i - name);
            if (n_name >= sizeof lines[n].out)
                return -1;
            memcpy(lines[n].out, name, n_name);
            lines[n++].out[n_name] = '\0';
        }
        begin = i + 1;
    }
    return n < LINES_MAX ? n : -1;
}

static const char *base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Of each file the last line counts; of one that no line is of, the last of that name does. */
static void check(const kz_journal *j) {
    char none[KZ_HASH_TEXT], elsewhere[300];
    int n = take_lines();
    memset(none, 'g', sizeof none - 1);
    none[sizeof none - 1] = '\0';
    require(!kz_journal_has(j, none, "a.wav") && !kz_journal_has(j, none, "a\nb"));
    for (int i = 0; i < n; i++) {
        int last = i, named = i;
        for (int k = i; k < n; k++) {
            last = strcmp(lines[k].out, lines[i].out) == 0 ? k : last;
            named = strcmp(base(lines[k].out), base(lines[i].out)) == 0 ? k : named;
        }
        bool counts = memcmp(lines[i].key, lines[last].key, KZ_HASH_TEXT) == 0;
        require(kz_journal_has(j, lines[i].key, lines[i].out) == counts);
        snprintf(elsewhere, sizeof elsewhere, "a\n/%s", base(lines[i].out));
        require(kz_journal_has(j, lines[named].key, elsewhere));
    }
    require(n != 0 || j->files.n == 0);
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
