/* fuzz_manifest.c: any bytes as a manifest of `kztts batch`.  SPDX-License-Identifier: Apache-2.0
 *
 * The first byte chooses: c CSV, t TSV, else JSON lines. Whatever follows, the answer is items that can be spoken, each of a
 * line of the file, or an exit code with a sentence. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint8_t *file;
static size_t n_file;
static int n_message;

static void require(int condition) {
    if (!condition)
        abort();
}

/* In place of the program's: counted, not printed. */
int kz_cli_fail(int exit_code, const char *fmt, ...) {
    char message[1024];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    require(n > 0 && exit_code > 0);
    n_message++;
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

static void check(const kz_manifest *m) {
    int lines = 1;
    for (size_t i = 0; i < n_file; i++)
        lines += file[i] == '\n';
    require(m->n > 0);
    for (int i = 0; i < m->n; i++) {
        char *const *field = m->items[i].field;
        require(m->items[i].line > (i ? m->items[i - 1].line : 0) && m->items[i].line <= lines);
        require(!field[KZ_FIELD_TEXT] != !field[KZ_FIELD_TEXT_FILE]);
        for (int f = 0; f < KZ_FIELDS; f++)
            require(!field[f] || *field[f]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    kz_manifest m = {0};
    if (!size)
        return 0;
    file = data + 1;
    n_file = size - 1;
    n_message = 0;
    int code = kz_manifest_read(&m, *data == 'c' ? "m.csv" : *data == 't' ? "m.tsv" : "m.jsonl");
    require(n_message == (code != KZ_GO_ON));
    if (code == KZ_GO_ON)
        check(&m);
    kz_manifest_free(&m);
    return 0;
}
