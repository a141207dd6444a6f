/* cmd_help.c: `kztts help`.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli.h"

int kz_cmd_help(const kz_args *args);

int kz_cmd_help(const kz_args *args) {
    if (args->n_word > 1)
        return kz_cli_usage(args->command, "one command at a time");
    if (args->n_word == 0) {
        kz_cli_print_help(NULL);
        return kz_cli_flush();
    }
    if (strcmp(args->words[0], "man") == 0) {
        kz_cli_print_man();
        return kz_cli_flush();
    }
    for (int i = 0; i < KZ_CMD_COUNT; i++) {
        if (strcmp(args->words[0], kz_commands[i].name) == 0) {
            kz_cli_print_help(&kz_commands[i]);
            return kz_cli_flush();
        }
    }
    return kz_cli_fail(KZ_EXIT_USAGE, "there is no command '%s'; kztts help lists them", args->words[0]);
}
