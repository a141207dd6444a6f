/* journal.c: which items of a batch are done.  SPDX-License-Identifier: Apache-2.0 */
#include "journal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { JOURNAL_MAX = 1 << 28 };

static int compare(const void *a, const void *b) { return memcmp(a, b, KZ_HASH_TEXT); }

static bool is_key(const char *line, size_t n) {
    if (n < KZ_HASH_TEXT || line[KZ_HASH_TEXT - 1] != '\t')
        return false;
    for (size_t i = 0; i + 1 < KZ_HASH_TEXT; i++)
        if (!strchr("0123456789abcdef", line[i]) || !line[i])
            return false;
    return true;
}

static bool take_keys(kz_journal *j, const char *data, size_t n) {
    j->keys = malloc((n / KZ_HASH_TEXT + 1) * sizeof *j->keys);
    if (!j->keys)
        return false;
    for (size_t at = 0; at < n;) {
        const char *end = memchr(data + at, '\n', n - at);
        if (!end)
            break;
        size_t len = (size_t)(end - data) - at;
        if (is_key(data + at, len)) {
            memcpy(j->keys[j->n_read], data + at, KZ_HASH_TEXT - 1);
            j->keys[j->n_read++][KZ_HASH_TEXT - 1] = '\0';
        }
        at += len + 1;
    }
    if (j->n_read)
        qsort(j->keys, j->n_read, sizeof *j->keys, compare);
    return true;
}

int kz_journal_open(kz_journal *j, const char *path) {
    char *data = NULL;
    size_t n = 0;
    j->file = fopen(path, "ab+");
    if (!j->file)
        return kz_cli_fail(KZ_EXIT_FAILED, "can't write the journal '%s': %s", path, strerror(errno));
    int code = kz_cli_read_file(path, JOURNAL_MAX, "journal", KZ_EXIT_FORMAT, &data, &n);
    if (code == KZ_GO_ON && !take_keys(j, data, n))
        code = kz_cli_fail(KZ_EXIT_MEMORY, "out of memory for the journal");
    if (code == KZ_GO_ON && n && data[n - 1] != '\n') /* a line that was being written when something ended us */
        fputc('\n', j->file);
    free(data);
    return code;
}

bool kz_journal_has(const kz_journal *j, const char key[KZ_HASH_TEXT]) {
    return j->n_read && bsearch(key, j->keys, j->n_read, sizeof *j->keys, compare);
}

int kz_journal_add(kz_journal *j, const char key[KZ_HASH_TEXT], const char *out) {
    fprintf(j->file, "%s\t%s\n", key, out);
    if (fflush(j->file) != 0 || ferror(j->file))
        return kz_cli_fail(KZ_EXIT_FAILED, "can't write the journal: %s", strerror(errno));
    return KZ_GO_ON;
}

void kz_journal_close(kz_journal *j) {
    if (j->file)
        fclose(j->file);
    free(j->keys);
}
