/* distinct_files.c: no file of a request is written by two options, or read and written.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "same_file.h"
#include "user_voices.h"

/* A file with what names it. */
typedef struct named {
    const char *dashes, *option, *path;
} named;

static const kz_option_id written[] = {KZ_OPT_OUTPUT, KZ_OPT_CODES, KZ_OPT_SRT, KZ_OPT_VTT, KZ_OPT_JSON_TIMING};
enum { N_WRITTEN = sizeof written / sizeof written[0] };

static named of_option(const kz_args *args, kz_option_id id) {
    return (named){"--", kz_options[id].name, args->value[id].text};
}

static bool same(const named *a, const named *b) {
    kz_file_id x, y;
    return kz_file_identify(&x, a->path) && kz_file_identify(&y, b->path) && kz_file_compare(&x, &y) == 0;
}

static int refuse(const named *a, const named *b, const char *kind, const char *why) {
    bool spelled_alike = strcmp(a->path, b->path) == 0;
    return kz_cli_fail(KZ_EXIT_USAGE, "%s%s and %s%s name the same %s '%s'%s%s%s%s", a->dashes, a->option, b->dashes,
                       b->option, kind, a->path, spelled_alike ? "" : " ('", spelled_alike ? "" : b->path,
                       spelled_alike ? "" : "')", why);
}

static int check_read(const kz_args *args, named source) {
    for (int i = 0; i < N_WRITTEN; i++) {
        named target = of_option(args, written[i]);
        if (same(&source, &target))
            return refuse(&source, &target, "file", ": it would be overwritten");
    }
    return KZ_GO_ON;
}

/* Whether the option's value is a file: models and voices have names too. */
static bool is_file(const kz_args *args, kz_option_id id) {
    const char *path = args->value[id].text;
    kz_file_id file;
    if (id == KZ_OPT_VOICE)
        return path && kz_voice_is_path(path);
    return id != KZ_OPT_MODEL || (kz_file_identify(&file, path) && !file.name);
}

static int check_sources(const kz_args *args) {
    static const kz_option_id sources[] = {KZ_OPT_REF, KZ_OPT_REF_TEXT_FILE, KZ_OPT_VOICE, KZ_OPT_MODEL, KZ_OPT_CODEC};
    const kz_command *command = args->command;
    int code = KZ_GO_ON;
    for (int i = 0; i < args->n_file && code == KZ_GO_ON; i++)
        code = check_read(args, (named){"-", "f", args->files[i]});
    for (size_t i = 0; i < sizeof sources / sizeof sources[0] && code == KZ_GO_ON; i++)
        if (is_file(args, sources[i]))
            code = check_read(args, of_option(args, sources[i]));
    if (code == KZ_GO_ON && args->n_word == 1 && command == &kz_commands[KZ_CMD_DECODE])
        code = check_read(args, (named){"", "CODES_FILE", args->words[0]});
    if (code == KZ_GO_ON && args->n_word == 1 && command == &kz_commands[KZ_CMD_ENCODE])
        code = check_read(args, (named){"", "RECORDING", args->words[0]});
    return code;
}

int kz_cli_distinct_files(const kz_args *args) {
    for (int i = 0; i < N_WRITTEN; i++)
        for (int k = 0; k < i; k++) {
            named a = of_option(args, written[k]), b = of_option(args, written[i]);
            if (a.path && b.path && strcmp(a.path, "-") == 0 && strcmp(b.path, "-") == 0)
                return refuse(&a, &b, "output", "");
            if (same(&a, &b))
                return refuse(&a, &b, "file", "");
        }
    return check_sources(args);
}
