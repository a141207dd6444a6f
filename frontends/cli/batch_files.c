/* batch_files.c: the files of `kztts batch`: what they are called, and that each is one.
 * SPDX-License-Identifier: Apache-2.0 */
#include "batch_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "same_file.h"
#include "sink.h"

/* ---- names ------------------------------------------------------------------------------------------------- */

/* A file of an item's: in the folder unless it has a path from the root. */
static void in_folder(char name[KZ_BATCH_PATH], const char *folder, const char *file, const char *dot,
                      const char *ending) {
    bool inside = folder && file[0] != '/';
    snprintf(name, KZ_BATCH_PATH, "%s%s%s%s%s", inside ? folder : "", inside ? "/" : "", file, dot, ending);
}

void kz_item_files_name(kz_item_files *files, const kz_args *args, const char *manifest, const kz_item *item) {
    const char *folder = args->value[KZ_OPT_FOLDER].text, *slash = strrchr(manifest, '/');
    char *const *f = item->field;
    const char *format = f[KZ_FIELD_FORMAT] ? f[KZ_FIELD_FORMAT] : args->value[KZ_OPT_FORMAT].text;
    *files->srt = *files->text = '\0';
    if (f[KZ_FIELD_ID])
        snprintf(files->id, sizeof files->id, "%s", f[KZ_FIELD_ID]);
    else
        snprintf(files->id, sizeof files->id, "%04d", item->line);
    if (f[KZ_FIELD_OUT])
        in_folder(files->out, folder, f[KZ_FIELD_OUT], "", "");
    else
        in_folder(files->out, folder, files->id, ".", format ? format : "wav");
    if (f[KZ_FIELD_SRT])
        in_folder(files->srt, folder, f[KZ_FIELD_SRT], "", "");
    if (f[KZ_FIELD_TEXT_FILE] && (f[KZ_FIELD_TEXT_FILE][0] == '/' || !slash))
        snprintf(files->text, sizeof files->text, "%s", f[KZ_FIELD_TEXT_FILE]);
    else if (f[KZ_FIELD_TEXT_FILE])
        snprintf(files->text, sizeof files->text, "%.*s/%s", (int)(slash - manifest), manifest, f[KZ_FIELD_TEXT_FILE]);
}

void kz_batch_journal(char path[KZ_BATCH_PATH], const kz_args *args, const char *manifest) {
    const char *asked = args->value[KZ_OPT_JOURNAL].text;
    snprintf(path, KZ_BATCH_PATH, "%s%s", asked ? asked : manifest, asked ? "" : ".journal");
}

/* ---- each is one ------------------------------------------------------------------------------------------- */

/* A file with what names it: a field of the item in `line`, or, when that is 0, the command line. */
typedef struct named {
    kz_file_id id;
    const char *what;
    int line;
    bool read; /* not written */
} named;

typedef struct list {
    named *at;
    size_t n;
} list;

/* Those that are written first, then by line. */
static int compare(const void *a, const void *b) {
    const named *x = a, *y = b;
    int order = kz_file_compare(&x->id, &y->id);
    if (!order)
        order = x->read - y->read;
    if (!order)
        order = (x->line > y->line) - (x->line < y->line);
    return order ? order : strcmp(x->what, y->what);
}

static void add(list *all, const char *path, const char *what, int line, bool read) {
    named *next = &all->at[all->n];
    *next = (named){.what = what, .line = line, .read = read};
    all->n += *path && kz_file_identify(&next->id, path);
}

static int later_line(const named *pair) { return pair[0].line > pair[1].line ? pair[0].line : pair[1].line; }

/* Two names, one behind the other, of a file that is written; the first in the manifest. */
static const named *find_pair(const list *all) {
    const named *found = NULL;
    for (size_t i = 1; i < all->n; i++) {
        const named *pair = &all->at[i - 1];
        if (kz_file_compare(&pair[0].id, &pair[1].id) == 0 && !pair[0].read &&
            (!found || later_line(pair) < later_line(found)))
            found = pair;
    }
    return found;
}

static void describe(char *text, size_t size, const named *file) {
    if (file->line)
        snprintf(text, size, "%s of line %d", file->what, file->line);
    else
        snprintf(text, size, "%s", file->what);
}

static int refuse(const char *path, const named *pair) {
    const named *late = pair[0].line > pair[1].line ? &pair[0] : &pair[1], *early = late == pair ? pair + 1 : pair;
    char first[64], second[64];
    describe(first, sizeof first, early);
    describe(second, sizeof second, late);
    if (!pair[0].line)
        return kz_cli_fail(KZ_EXIT_USAGE, "%s: %s and %s name the same file; nothing was written", path, first, second);
    return kz_cli_fail(KZ_EXIT_TEXT, "%s, line %d: %s names the same file as %s; each needs one of its own", path,
                       late->line, late->what, first);
}

/* The format gives the file its ending. */
static int check_formats(const char *path, const kz_manifest *manifest) {
    for (int i = 0; i < manifest->n; i++) {
        const char *format = manifest->items[i].field[KZ_FIELD_FORMAT];
        if (format && !kz_sink_by_name(format))
            return kz_cli_fail(KZ_EXIT_TEXT, "%s, line %d: format '%s' isn't one of %s", path, manifest->items[i].line,
                               format, kz_options[KZ_OPT_FORMAT].argument);
    }
    return KZ_GO_ON;
}

static void add_items(list *all, const kz_args *args, const char *path, const kz_manifest *manifest) {
    kz_item_files files;
    for (int i = 0; i < manifest->n; i++) {
        const kz_item *item = &manifest->items[i];
        kz_item_files_name(&files, args, path, item);
        add(all, files.out, item->field[KZ_FIELD_OUT] || !item->field[KZ_FIELD_ID] ? "out" : "id", item->line, false);
        add(all, files.srt, "srt", item->line, false);
        add(all, files.text, "text_file", item->line, true);
    }
}

static int check_each(const kz_args *args, const char *path, const kz_manifest *manifest) {
    char journal[KZ_BATCH_PATH];
    const char *report = args->value[KZ_OPT_REPORT].text;
    list all = {.at = malloc((3 * (size_t)manifest->n + 3) * sizeof *all.at)};
    if (!all.at)
        return kz_cli_fail(KZ_EXIT_MEMORY, "out of memory for the names of the files");
    kz_batch_journal(journal, args, path);
    add(&all, path, "the manifest", 0, true);
    add(&all, journal, args->value[KZ_OPT_JOURNAL].text ? "--journal" : "the journal", 0, false);
    add(&all, report ? report : "", "--report", 0, false);
    add_items(&all, args, path, manifest);
    qsort(all.at, all.n, sizeof *all.at, compare);
    const named *pair = find_pair(&all);
    int code = pair ? refuse(path, pair) : KZ_GO_ON;
    free(all.at);
    return code;
}

static int check_folder(const char *folder) {
    struct stat st;
    if (!folder)
        return KZ_GO_ON;
    if (stat(folder, &st) != 0)
        return kz_cli_fail(errno == ENOENT || errno == ENOTDIR ? KZ_EXIT_NOT_FOUND : KZ_EXIT_FAILED,
                           "-o '%s': %s; it must be a folder that is there", folder, strerror(errno));
    return S_ISDIR(st.st_mode)
               ? KZ_GO_ON
               : kz_cli_fail(KZ_EXIT_USAGE, "-o '%s' is no folder; the files of a batch go into one", folder);
}

int kz_batch_check_files(const kz_args *args, const char *path, const kz_manifest *manifest) {
    const char *journal = args->value[KZ_OPT_JOURNAL].text;
    if (journal && strcmp(journal, "-") == 0)
        return kz_cli_fail(KZ_EXIT_USAGE, "--journal names a file: it is read again by the next run");
    int code = check_folder(args->value[KZ_OPT_FOLDER].text);
    if (code == KZ_GO_ON)
        code = check_formats(path, manifest);
    return code == KZ_GO_ON ? check_each(args, path, manifest) : code;
}
