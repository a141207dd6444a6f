/* cmd_voices.c: `kztts voices`: the voices of a model and the user's.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "open_model.h"
#include "user_voices.h"
#include "voice_info.h"
#include "voices.h"

int kz_cmd_voices(const kz_args *args);

/* A voice of the user's, as far as its file can be read. */
typedef struct listed {
    kztts_voice *voice;
    kztts_voice_info info;
    const char *wrong; /* NULL: info is valid */
    bool fits;
} listed;

static void look(listed *l, const char *name, const kztts_model_info *model) {
    char path[KZ_PATH];
    memset(l, 0, sizeof *l);
    l->info.size = sizeof l->info;
    if (!kz_user_voice(name, path)) {
        l->wrong = "its name is too long";
        return;
    }
    kztts_status status = kztts_voice_inspect(&l->voice, path);
    if (status >= 0)
        status = kztts_voice_get_info(l->voice, &l->info);
    if (status < 0)
        l->wrong =
            l->voice && *kztts_voice_message(l->voice) ? kztts_voice_message(l->voice) : kztts_status_text(status);
    else if (l->info.kind == KZTTS_VOICE_CLONE && model->voice_width)
        l->fits = l->info.d_model == model->voice_width;
    else
        l->fits = l->info.description && strcmp(model->type, "voice_design") == 0;
}

static void print_line(const char *name, const listed *l) {
    char text[256], line[600];
    kz_voice_summary(&l->info, text, sizeof text);
    if (l->wrong)
        snprintf(line, sizeof line, "unusable: %s", l->wrong);
    else
        snprintf(line, sizeof line, "%s%s", text, l->fits ? "" : "; doesn't fit this model");
    kz_print_row(name, line);
}

static void print_object(const char *name, const listed *l, bool first) {
    fputs(first ? "\n {\"name\": " : ",\n {\"name\": ", stdout);
    kz_cli_print_json_string(name);
    fputs(", \"default\": false, \"kind\": ", stdout);
    kz_cli_print_json_string(l->wrong ? "unusable" : kz_voice_kind_name(l->info.kind));
    if (l->info.d_model)
        printf(", \"width\": %d", l->info.d_model);
    if (l->info.model_size) {
        fputs(", \"model_size\": ", stdout);
        kz_cli_print_json_string(l->info.model_size);
    }
    printf(", \"fits\": %s}", l->fits ? "true" : "false");
}

static bool print_presets(const kztts_model *model, bool json) {
    const char *name;
    for (int i = 0; (name = kztts_model_speaker(model, i)) != NULL; i++) {
        if (json) {
            fputs(i ? ",\n {\"name\": " : "\n {\"name\": ", stdout);
            kz_cli_print_json_string(name);
            printf(", \"default\": %s}", i ? "false" : "true");
        } else {
            puts(name);
        }
    }
    return kztts_model_speaker(model, 0) != NULL;
}

static int print_all(const kz_opened *opened, bool json) {
    char **names;
    int n, code = kz_user_voice_names(&names, &n);
    if (code != KZ_GO_ON)
        return code;
    if (json)
        putchar('[');
    bool any = print_presets(opened->model, json);
    for (int i = 0; i < n; i++) {
        listed l;
        look(&l, names[i], &opened->info);
        if (json)
            print_object(names[i], &l, !any);
        else
            print_line(names[i], &l);
        any = true;
        kztts_voice_close(&l.voice);
    }
    if (json)
        puts(any ? "\n]" : "]");
    free(names);
    return KZ_GO_ON;
}

static const char *advice(const char *type) {
    if (strcmp(type, "voice_design") == 0)
        return "; describe one with say -i";
    return strcmp(type, "base") == 0 ? "; kztts clone makes one of a recording" : "";
}

int kz_voices_list(const kz_args *args, char **words, int n) {
    kz_opened opened;
    if (n > 0)
        return kz_cli_usage(args->command, "'%s' is too much", words[0]);
    int code = kz_cli_open_model_at(args, args->value[KZ_OPT_MODEL].text, true, &opened);
    if (code == KZ_GO_ON)
        code = print_all(&opened, args->value[KZ_OPT_JSON].flag);
    if (code == KZ_GO_ON) {
        if (opened.info.speakers == 0)
            kz_cli_note(args->value[KZ_OPT_QUIET].flag, "%s has no preset voices (it is of type %s)%s", opened.path,
                        opened.info.type, advice(opened.info.type));
        code = kz_cli_flush();
    }
    kz_cli_close_model(&opened);
    return code;
}

int kz_cmd_voices(const kz_args *args) {
    static const struct {
        const char *name;
        int (*run)(const kz_args *args, char **words, int n);
    } actions[] = {{"list", kz_voices_list},     {"show", kz_voices_show},    {"check", kz_voices_check},
                   {"add", kz_voices_add},       {"rm", kz_voices_rm},        {"remove", kz_voices_rm},
                   {"export", kz_voices_export}, {"import", kz_voices_import}};
    if (args->n_word == 0)
        return kz_voices_list(args, NULL, 0);
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(args->words[0], actions[i].name) == 0)
            return actions[i].run(args, args->words + 1, args->n_word - 1);
    return kz_cli_usage(args->command, "'%s' is too much: it is no action", args->words[0]);
}
