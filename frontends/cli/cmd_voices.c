/* cmd_voices.c: `kztts voices`: the preset voices of a model.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "open_model.h"

int kz_cmd_voices(const kz_args *args);

static void print_json(const kztts_model *model) {
    const char *name;
    putchar('[');
    for (int i = 0; (name = kztts_model_speaker(model, i)) != NULL; i++) {
        fputs(i ? ",\n {\"name\": " : "\n {\"name\": ", stdout);
        kz_cli_print_json_string(name);
        printf(", \"default\": %s}", i ? "false" : "true");
    }
    puts(kztts_model_speaker(model, 0) ? "\n]" : "]");
}

static void print_lines(const kztts_model *model) {
    const char *name;
    for (int i = 0; (name = kztts_model_speaker(model, i)) != NULL; i++)
        puts(name);
}

int kz_cmd_voices(const kz_args *args) {
    kz_opened opened;
    int code = kz_cli_open_model(args, &opened);
    if (code == KZ_GO_ON) {
        if (args->value[KZ_OPT_JSON].flag)
            print_json(opened.model);
        else
            print_lines(opened.model);
        if (opened.info.speakers == 0)
            kz_cli_note(args->value[KZ_OPT_QUIET].flag, "%s has no preset voices (it is of type %s)%s", opened.path,
                        opened.info.type,
                        strcmp(opened.info.type, "voice_design") == 0 ? "; describe one with say -i" : "");
        code = kz_cli_flush();
    }
    kz_cli_close_model(&opened);
    return code;
}
