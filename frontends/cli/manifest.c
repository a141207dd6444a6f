/* manifest.c: the list of texts that `kztts batch` speaks.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "kztts/kztts.h"

enum { MANIFEST_MAX = 1 << 28, COLUMNS_MAX = 32 };

const char *const kz_manifest_fields[KZ_FIELDS] = {"id",   "text", "text_file", "voice", "language", "instruct",
                                                   "seed", "out",  "format",    "speed", "srt"};

const char *const kz_manifest_help[KZ_FIELDS] = {
    "names the item in the report, and its file unless out does; default: the line's number, 0001 and so on",
    "what is spoken; this or text_file is needed",
    "a file with the text; its path counts from the manifest's folder",
    "as -v",
    "as -l",
    "as -i",
    "as -s, from 0 on",
    "the file to be written, in the folder of -o unless its path begins with /; default: id and the format's ending",
    "as --format",
    "as --speed",
    "subtitles (SubRip) are written to this file, in the folder of -o",
};

static void tell_unknown(char message[KZ_MANIFEST_WRONG], const char *name, size_t n_name) {
    int at =
        snprintf(message, KZ_MANIFEST_WRONG, "unknown field '%.*s'; known are", (int)(n_name < 60 ? n_name : 60), name);
    for (int f = 0; f < KZ_FIELDS && at > 0 && at < KZ_MANIFEST_WRONG; f++)
        at += snprintf(message + at, (size_t)(KZ_MANIFEST_WRONG - at), "%s %s", f ? "," : "", kz_manifest_fields[f]);
}

const char *kz_manifest_set(kz_item *item, const char *name, size_t n_name, const char *value, size_t n,
                            char message[KZ_MANIFEST_WRONG]) {
    for (int f = 0; f < KZ_FIELDS; f++) {
        if (strlen(kz_manifest_fields[f]) != n_name || memcmp(kz_manifest_fields[f], name, n_name) != 0)
            continue;
        if (item->field[f]) {
            snprintf(message, KZ_MANIFEST_WRONG, "%s is given twice", kz_manifest_fields[f]);
            return message;
        }
        if (!n)
            return NULL;
        item->field[f] = malloc(n + 1);
        if (!item->field[f])
            return "there is no memory for it";
        memcpy(item->field[f], value, n);
        item->field[f][n] = '\0';
        return NULL;
    }
    tell_unknown(message, name, n_name);
    return message;
}

static kz_item *new_item(kz_manifest *m, int line) {
    if (m->n == m->cap) {
        int cap = m->cap ? 2 * m->cap : 64;
        kz_item *items = realloc(m->items, (size_t)cap * sizeof *items);
        if (!items)
            return NULL;
        m->items = items;
        m->cap = cap;
    }
    kz_item *item = &m->items[m->n++];
    *item = (kz_item){.line = line};
    return item;
}

/* ---- tables ------------------------------------------------------------------------------------------------ */

/* A table's cells: the separator, quotes for CSV. */
typedef struct table {
    const char *p, *end;
    char separator;
    bool quotes;
    int line;
    char *cell; /* room for the longest */
    size_t n;
    char wrong[KZ_MANIFEST_WRONG];
} table;

/* The next cell; *last: the line ends behind it. NULL or what is wrong. */
static const char *take_cell(table *t, bool *last) {
    bool quoted = t->quotes && t->p < t->end && *t->p == '"';
    t->n = 0;
    t->p += quoted;
    while (t->p < t->end) {
        char c = *t->p;
        if (quoted && c == '"' && t->p + 1 < t->end && t->p[1] == '"')
            t->p++;
        else if (quoted && c == '"')
            break;
        else if (!quoted && (c == t->separator || c == '\n'))
            break;
        t->line += c == '\n';
        t->cell[t->n++] = c;
        t->p++;
    }
    if (quoted && t->p == t->end)
        return "a quote isn't closed";
    t->p += quoted;
    if (!quoted && t->n && t->cell[t->n - 1] == '\r')
        t->n--;
    if (quoted && t->p < t->end && *t->p == '\r')
        t->p++;
    *last = t->p == t->end || *t->p == '\n';
    if (!*last && *t->p != t->separator)
        return "something stands behind a closing quote";
    t->line += t->p < t->end && *t->p == '\n';
    t->p += t->p < t->end;
    return NULL;
}

static int fail_line(const char *path, int line, const char *wrong) {
    return kz_cli_fail(KZ_EXIT_TEXT, "%s, line %d: %s", path, line, wrong);
}

/* Names of the columns, one after another with a zero behind each. */
static const char *take_names(table *t, char *names[COLUMNS_MAX], int *n) {
    bool last = false;
    const char *wrong = NULL;
    while (!last && !wrong && *n < COLUMNS_MAX) {
        kz_item probe = {0};
        wrong = take_cell(t, &last);
        if (!wrong)
            wrong = kz_manifest_set(&probe, t->cell, t->n, "", 0, t->wrong);
        if (!wrong && !(names[*n] = strndup(t->cell, t->n)))
            wrong = "there is no memory for it";
        *n += !wrong;
    }
    return wrong || last ? wrong : "too many columns";
}

static const char *take_row(table *t, kz_item *item, char *const *names, int n_name) {
    bool last = false;
    const char *wrong = NULL;
    for (int i = 0; !last && !wrong; i++) {
        wrong = take_cell(t, &last);
        if (!wrong && i == n_name)
            wrong = "more cells than the first line has names";
        if (!wrong)
            wrong = kz_manifest_set(item, names[i], strlen(names[i]), t->cell, t->n, t->wrong);
    }
    return wrong;
}

static int read_table(kz_manifest *m, const char *path, const kz_text *text, bool csv) {
    char *names[COLUMNS_MAX] = {NULL};
    int n_name = 0;
    table t = {.p = text->data, .end = text->data + text->n, .separator = csv ? ',' : '\t', .quotes = csv, .line = 1};
    t.cell = malloc(text->n + 1);
    const char *wrong = t.cell ? take_names(&t, names, &n_name) : "there is no memory for it";
    int line = 1;
    while (!wrong && t.p < t.end) {
        line = t.line;
        if (*t.p == '\n') {
            t.p++;
            t.line++;
            continue;
        }
        kz_item *item = new_item(m, line);
        wrong = item ? take_row(&t, item, names, n_name) : "there is no memory for it";
    }
    for (int i = 0; i < n_name; i++)
        free(names[i]);
    free(t.cell);
    return wrong ? fail_line(path, line, wrong) : KZ_GO_ON;
}

/* ---- JSON lines -------------------------------------------------------------------------------------------- */

static int read_lines(kz_manifest *m, const char *path, const kz_text *text) {
    char message[KZ_MANIFEST_WRONG];
    const char *end = text->data + text->n;
    int line = 1;
    for (const char *p = text->data; p < end; line++) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        size_t n = stop ? (size_t)(stop - p) : (size_t)(end - p);
        if (strspn(p, " \t\r") < n) {
            kz_item *item = new_item(m, line);
            const char *wrong = item ? kz_manifest_json(item, p, n, message) : "there is no memory for it";
            if (wrong)
                return fail_line(path, line, wrong);
        }
        p += n + 1;
    }
    return KZ_GO_ON;
}

/* ---- all --------------------------------------------------------------------------------------------------- */

/* What can be seen to be wrong without speaking. */
static int check_item(const char *path, const kz_item *item) {
    char *const *f = item->field;
    uint64_t seed;
    double speed;
    if (!f[KZ_FIELD_TEXT] && !f[KZ_FIELD_TEXT_FILE])
        return fail_line(path, item->line, "there is no text: one of text and text_file is needed");
    if (f[KZ_FIELD_TEXT] && f[KZ_FIELD_TEXT_FILE])
        return fail_line(path, item->line, "text and text_file are both given; an item has one of them");
    if (f[KZ_FIELD_SEED] && !kz_cli_natural(f[KZ_FIELD_SEED], &seed))
        return fail_line(path, item->line, "seed is a whole number from 0");
    if (f[KZ_FIELD_SPEED] && !kz_cli_real(f[KZ_FIELD_SPEED], 0.25, 4, &speed))
        return fail_line(path, item->line, "speed is a number from 0.25 to 4");
    if ((f[KZ_FIELD_OUT] && !strcmp(f[KZ_FIELD_OUT], "-")) || (f[KZ_FIELD_SRT] && !strcmp(f[KZ_FIELD_SRT], "-")))
        return fail_line(path, item->line, "out and srt name files; standard output has the report");
    if (f[KZ_FIELD_ID] && strpbrk(f[KZ_FIELD_ID], "/\n") && !f[KZ_FIELD_OUT])
        return fail_line(path, item->line, "id names the file, so it can't hold a slash or newline; or give out");
    return KZ_GO_ON;
}

int kz_manifest_read(kz_manifest *m, const char *path) {
    const char *dot = strrchr(path, '.');
    kz_text text = {0};
    bool csv = dot && !strcasecmp(dot, ".csv"), tsv = dot && !strcasecmp(dot, ".tsv");
    if (!csv && !tsv && !(dot && (!strcasecmp(dot, ".jsonl") || !strcasecmp(dot, ".ndjson"))))
        return kz_cli_fail(KZ_EXIT_USAGE, "%s: a manifest ends in .jsonl, .csv or .tsv", path);
    int code = kz_cli_read_file(path, MANIFEST_MAX, "manifest", KZ_EXIT_TEXT, &text.data, &text.n);
    if (code != KZ_GO_ON)
        return code;
    size_t mark = text.n >= 3 && memcmp(text.data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    kz_text body = {text.data + mark, text.n - mark};
    if (memchr(text.data, 0, text.n))
        code = kz_cli_fail(KZ_EXIT_TEXT, "%s: a NUL byte; a manifest is UTF-8 text", path);
    else
        code = csv || tsv ? read_table(m, path, &body, csv) : read_lines(m, path, &body);
    free(text.data);
    for (int i = 0; i < m->n && code == KZ_GO_ON; i++)
        code = check_item(path, &m->items[i]);
    if (code == KZ_GO_ON && !m->n)
        code = kz_cli_fail(KZ_EXIT_TEXT, "%s: there is no item in it", path);
    return code;
}

void kz_manifest_free(kz_manifest *m) {
    for (int i = 0; i < m->n; i++)
        for (int f = 0; f < KZ_FIELDS; f++)
            free(m->items[i].field[f]);
    free(m->items);
    *m = (kz_manifest){0};
}
