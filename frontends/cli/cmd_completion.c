/* cmd_completion.c: `kztts completion`: scripts for shells from the tables.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "cli.h"

int kz_cmd_completion(const kz_args *args);

static void print_words(const char *list) {
    char word[32];
    for (int i = 0; kz_cli_choice(list, i, word, sizeof word); i++)
        printf("%s%s", i ? " " : "", word);
}

static void print_command_names(void) {
    for (int i = 0; i < KZ_CMD_COUNT; i++)
        printf("%s%s", i ? " " : "", kz_commands[i].name);
}

/* The word itself in a quoted string of all three shells: help texts have ' but no \. */
static void print_quoted(const char *text, const char *apostrophe, const char *specials) {
    for (; *text; text++) {
        if (*text == '\'')
            fputs(apostrophe, stdout);
        else if (strchr(specials, *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

#define VOICES_ACTIONS "list show check add rm export import"

/* ---- bash ---- */

static void bash_values(void) {
    for (int id = 0; id < KZ_OPT_COUNT; id++) {
        const kz_option *o = &kz_options[id];
        if (o->kind == KZ_KIND_FLAG)
            continue;
        printf("    --%s", o->name);
        if (o->letter)
            printf("|-%c", o->letter);
        fputs(") ", stdout);
        if (o->kind == KZ_KIND_CHOICE) {
            fputs("COMPREPLY=($(compgen -W '", stdout);
            print_words(o->argument);
            fputs("' -- \"$word\")); ", stdout);
        } else if (o->kind == KZ_KIND_PATH || o->kind == KZ_KIND_DIR) {
            printf("COMPREPLY=($(compgen -%c -- \"$word\")); ", o->kind == KZ_KIND_DIR ? 'd' : 'f');
        }
        puts("return ;;");
    }
}

static void bash_options(const kz_command *command) {
    printf("    %s) words='", command->name);
    if (command - kz_commands == KZ_CMD_COMPLETION)
        fputs("bash zsh fish ", stdout);
    if (command - kz_commands == KZ_CMD_VOICES)
        fputs(VOICES_ACTIONS " ", stdout);
    if (command - kz_commands == KZ_CMD_HELP) {
        print_command_names();
        fputs(" man ", stdout);
    }
    for (int id = 0; id < KZ_OPT_COUNT; id++)
        if (kz_cli_option_fits(&kz_options[id], command))
            printf("--%s ", kz_options[id].name);
    puts("' ;;");
}

static void print_bash(void) {
    fputs("# bash completion of kztts; load it with: source <(kztts completion bash)\n"
          "_kztts() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words=\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        COMPREPLY=($(compgen -W '",
          stdout);
    print_command_names();
    fputs(" --help --version' -- \"$word\"))\n        return\n    fi\n    case $previous in\n", stdout);
    bash_values();
    puts("    esac\n    case ${COMP_WORDS[1]} in");
    for (int i = 0; i < KZ_CMD_COUNT; i++)
        bash_options(&kz_commands[i]);
    puts("    esac\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "    case $word in -*) ;; *) COMPREPLY+=($(compgen -f -- \"$word\")) ;; esac\n"
         "}\n"
         "complete -o filenames -F _kztts kztts");
}

/* ---- zsh ---- */

static void zsh_option(const kz_option *o) {
    fputs("            ", stdout);
    if (o->letter)
        printf("'(-%c --%s)'{-%c,--%s}'", o->letter, o->name, o->letter, o->name);
    else
        printf("'--%s", o->name);
    putchar('[');
    print_quoted(o->help, "'\\''", "[]:");
    putchar(']');
    if (o->kind == KZ_KIND_CHOICE) {
        printf(":%s:(", o->name);
        print_words(o->argument);
        putchar(')');
    } else if (o->kind != KZ_KIND_FLAG) {
        printf(":%s:%s", o->argument, o->kind == KZ_KIND_DIR ? "_files -/" : o->kind == KZ_KIND_PATH ? "_files" : " ");
    }
    puts("' \\");
}

/* What isn't an option. */
static void zsh_words(int command) {
    if (command == KZ_CMD_COMPLETION) {
        puts("            ':shell:(bash zsh fish)' ;;");
    } else if (command == KZ_CMD_HELP) {
        fputs("            ':command:(", stdout);
        print_command_names();
        puts(" man)' ;;");
    } else if (command == KZ_CMD_VOICES) {
        puts("            '1:action:(" VOICES_ACTIONS ")' '*:file:_files' ;;");
    } else {
        puts("            '*:file:_files' ;;");
    }
}

static void print_zsh(void) {
    puts("#compdef kztts\n"
         "# zsh completion of kztts; put it into a folder of $fpath as _kztts\n"
         "_kztts() {\n"
         "    local -a commands=(");
    for (int i = 0; i < KZ_CMD_COUNT; i++) {
        printf("        '%s:", kz_commands[i].name);
        print_quoted(kz_commands[i].summary, "'\\''", ":");
        puts("'");
    }
    puts("    )\n"
         "    if (( CURRENT == 2 )); then\n"
         "        _describe command commands\n"
         "        return\n"
         "    fi\n"
         "    shift words\n"
         "    (( CURRENT-- ))\n"
         "    case $words[1] in");
    for (int i = 0; i < KZ_CMD_COUNT; i++) {
        printf("    %s)\n        _arguments -s \\\n", kz_commands[i].name);
        for (int id = 0; id < KZ_OPT_COUNT; id++)
            if (kz_cli_option_fits(&kz_options[id], &kz_commands[i]))
                zsh_option(&kz_options[id]);
        zsh_words(i);
    }
    puts("    esac\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _kztts ]; then _kztts \"$@\"; else compdef _kztts kztts; fi");
}

/* ---- fish ---- */

static void fish_option(const kz_option *o, const char *command) {
    printf("complete -c kztts -n '__fish_seen_subcommand_from %s'", command);
    if (o->letter)
        printf(" -s %c", o->letter);
    printf(" -l %s", o->name);
    if (o->kind == KZ_KIND_CHOICE) {
        fputs(" -x -a '", stdout);
        print_words(o->argument);
        putchar('\'');
    } else if (o->kind == KZ_KIND_DIR) {
        fputs(" -x -a '(__fish_complete_directories)'", stdout);
    } else if (o->kind != KZ_KIND_FLAG) {
        fputs(o->kind == KZ_KIND_PATH ? " -r" : " -x", stdout);
    }
    fputs(" -d '", stdout);
    print_quoted(o->help, "\\'", "");
    puts("'");
}

static void print_fish(void) {
    puts("# fish completion of kztts; load it with: kztts completion fish | source");
    for (int i = 0; i < KZ_CMD_COUNT; i++) {
        printf("complete -c kztts -n __fish_use_subcommand -f -a %s -d '", kz_commands[i].name);
        print_quoted(kz_commands[i].summary, "\\'", "");
        puts("'");
    }
    puts("complete -c kztts -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'");
    puts("complete -c kztts -n '__fish_seen_subcommand_from voices' -a '" VOICES_ACTIONS "'");
    fputs("complete -c kztts -n '__fish_seen_subcommand_from help' -f -a '", stdout);
    print_command_names();
    puts(" man'");
    for (int i = 0; i < KZ_CMD_COUNT; i++)
        for (int id = 0; id < KZ_OPT_COUNT; id++)
            if (kz_cli_option_fits(&kz_options[id], &kz_commands[i]))
                fish_option(&kz_options[id], kz_commands[i].name);
}

int kz_cmd_completion(const kz_args *args) {
    const char *shell = args->n_word == 1 ? args->words[0] : "";
    if (strcmp(shell, "bash") == 0)
        print_bash();
    else if (strcmp(shell, "zsh") == 0)
        print_zsh();
    else if (strcmp(shell, "fish") == 0)
        print_fish();
    else
        return kz_cli_usage(args->command, "name one shell: bash, zsh or fish");
    return kz_cli_flush();
}
