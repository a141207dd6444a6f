/* help.c: help texts from the option table.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "manifest.h"

enum { COLUMN = 34, WIDTH = 110 };

/* "-s, --seed N" */
static void option_head(char *out, size_t size, const kz_option *o) {
    char letter[8] = "    ";
    if (o->letter)
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(out, size, "%s--%s%s%s", letter, o->name, o->argument ? " " : "", o->argument ? o->argument : "");
}

/* Words from COLUMN on, broken before WIDTH. */
static void print_wrapped(const char *text) {
    size_t at = COLUMN;
    while (*text) {
        size_t n = strcspn(text, " ");
        if (at > COLUMN && at + 1 + n > WIDTH) {
            printf("\n%*s", COLUMN, "");
            at = COLUMN;
        } else if (at > COLUMN) {
            putchar(' ');
            at++;
        }
        printf("%.*s", (int)n, text);
        at += n;
        text += n;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void print_option(const kz_option *o) {
    char head[96];
    option_head(head, sizeof head, o);
    if (strlen(head) + 2 < COLUMN - 1)
        printf("  %-*s", COLUMN - 2, head);
    else
        printf("  %s\n%*s", head, COLUMN, "");
    print_wrapped(o->help);
}

static void print_fields(void) {
    puts("\nAn item is a line of JSON, or a row of a table whose first line names the fields:");
    for (int f = 0; f < KZ_FIELDS; f++) {
        printf("  %-*s", COLUMN - 2, kz_manifest_fields[f]);
        print_wrapped(kz_manifest_help[f]);
    }
}

static void print_program_help(void) {
    printf("kztts %s: speech from Qwen3-TTS 12 Hz models\n\nusage: kztts COMMAND [OPTION]...\n\n", kztts_version());
    for (int i = 0; i < KZ_CMD_COUNT; i++)
        printf("  %-12s %s\n", kz_commands[i].name, kz_commands[i].summary);
    printf(
        "\nTo begin with: kztts say 'Hello there.' -o hello.wav\n"
        "kztts help COMMAND shows a command's options, kztts help man the manual page. -V, --version: the version.\n");
}

void kz_cli_print_help(const kz_command *command) {
    if (!command) {
        print_program_help();
        return;
    }
    printf("usage: kztts %s %s\n\n%s\n\n", command->name, command->arguments, command->summary);
    for (int id = 0; id < KZ_OPT_COUNT; id++)
        if (kz_cli_option_fits(&kz_options[id], command))
            print_option(&kz_options[id]);
    if (command == &kz_commands[KZ_CMD_BATCH])
        print_fields();
    if (command - kz_commands < KZ_CMD_COMPLETION)
        printf("\nEach option can also be set by a variable: --max-frames by KZTTS_MAX_FRAMES, and so on.\n"
               "Exit codes and everything else: kztts help man\n");
}
