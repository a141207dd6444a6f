/* journal.c: which items of a batch are done.  SPDX-License-Identifier: Apache-2.0 */
#include "journal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { JOURNAL_MAX = 1 << 28 };

static const char begun[] = "0000000000000000000000000000000000000000000000000000000000000000";

/* By file, then by line. */
static int compare_made(const void *a, const void *b) {
    const kz_made *x = a, *y = b;
    int by_file = kz_file_compare(&x->file, &y->file);
    return by_file ? by_file : (x->line > y->line) - (x->line < y->line);
}

static bool is_key(const char *line, size_t n) {
    if (n < KZ_HASH_TEXT || line[KZ_HASH_TEXT - 1] != '\t')
        return false;
    for (size_t i = 0; i + 1 < KZ_HASH_TEXT; i++)
        if (!strchr("0123456789abcdef", line[i]) || !line[i])
            return false;
    return true;
}

/* Of the lines of a file the last one counts. */
static void keep_last(kz_made_list *list) {
    size_t n = 0;
    if (list->n)
        qsort(list->at, list->n, sizeof *list->at, compare_made);
    for (size_t i = 0; i < list->n; i++)
        if (i + 1 == list->n || kz_file_compare(&list->at[i].file, &list->at[i + 1].file) != 0)
            list->at[n++] = list->at[i];
    list->n = n;
}

static kz_file_id name_alone(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return (kz_file_id){.name = kz_sum(name, strlen(name))};
}

/* line: ends in a zero in place of its newline. */
static void take_line(kz_journal *j, const char *line, size_t n, size_t number) {
    const char *path = line + KZ_HASH_TEXT;
    kz_made made = {.line = number};
    if (!is_key(line, n))
        return;
    memcpy(made.key, line, KZ_HASH_TEXT - 1);
    kz_file_identify(&made.file, path);
    j->files.at[j->files.n++] = made;
    made.file = name_alone(path);
    j->names.at[j->names.n++] = made;
}

static bool take_lines(kz_journal *j, char *data, size_t n) {
    size_t cap = n / KZ_HASH_TEXT + 1;
    j->files.at = malloc(cap * sizeof *j->files.at);
    j->names.at = malloc(cap * sizeof *j->names.at);
    if (!j->files.at || !j->names.at)
        return false;
    for (size_t at = 0, line = 1; at < n; line++) {
        char *end = memchr(data + at, '\n', n - at);
        if (!end)
            break;
        *end = '\0';
        take_line(j, data + at, (size_t)(end - data) - at, line);
        at = (size_t)(end - data) + 1;
    }
    keep_last(&j->files);
    keep_last(&j->names);
    return true;
}

static int write_error(const kz_journal *j) {
    return kz_cli_fail(KZ_EXIT_FAILED, "can't write the journal '%s': %s", j->path, strerror(errno));
}

int kz_journal_open(kz_journal *j, const char *path) {
    char *data = NULL;
    size_t n = 0;
    j->path = path;
    j->file = fopen(path, "ab+");
    if (!j->file)
        return write_error(j);
    int code = kz_cli_read_file(path, JOURNAL_MAX, "journal", KZ_EXIT_FORMAT, &data, &n);
    bool cut = code == KZ_GO_ON && n && data[n - 1] != '\n'; /* a line that was being written when something ended us */
    if (code == KZ_GO_ON && !take_lines(j, data, n))
        code = kz_cli_fail(KZ_EXIT_MEMORY, "out of memory for the journal");
    if (code == KZ_GO_ON && cut)
        fputc('\n', j->file);
    free(data);
    return code;
}

static const kz_made *find(const kz_made_list *list, const kz_file_id *file) {
    size_t low = 0, high = list->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = kz_file_compare(&list->at[middle].file, file);
        if (order == 0)
            return &list->at[middle];
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}

bool kz_journal_has(const kz_journal *j, const char key[KZ_HASH_TEXT], const char *out) {
    kz_file_id file, name = name_alone(out);
    const kz_made *made = kz_file_identify(&file, out) ? find(&j->files, &file) : NULL;
    if (!made)
        made = find(&j->names, &name);
    return made && memcmp(made->key, key, KZ_HASH_TEXT) == 0;
}

int kz_journal_add(kz_journal *j, const char key[KZ_HASH_TEXT], const char *out) {
    fprintf(j->file, "%s\t%s\n", key, out);
    return fflush(j->file) != 0 || ferror(j->file) ? write_error(j) : KZ_GO_ON;
}

int kz_journal_begin(kz_journal *j, const char *out) { return kz_journal_add(j, begun, out); }

void kz_journal_close(kz_journal *j) {
    if (j->file)
        fclose(j->file);
    free(j->files.at);
    free(j->names.at);
}
