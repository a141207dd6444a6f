/* options.c: the option table and what a value of an option may be.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "cli.h"

enum {
#define COMMAND(id, name, arguments, summary) id = 1 << KZ_CMD_##id,
#include "commands.inc"
#undef COMMAND
};

const kz_option kz_options[KZ_OPT_COUNT] = {
#define OPTION(id, name, letter, kind, argument, commands, low, high, help)                                            \
    {name, letter, KZ_KIND_##kind, argument, commands, low, high, help},
#include "options.inc"
};

bool kz_cli_option_fits(const kz_option *option, const kz_command *command) {
    return (option->commands >> (command - kz_commands) & 1u) != 0;
}

void kz_cli_env_name(char *out, size_t size, const char *option_name) {
    snprintf(out, size, "KZTTS_%s", option_name);
    for (char *p = out; *p; p++) {
        if (*p >= 'a' && *p <= 'z')
            *p = (char)(*p - 'a' + 'A');
        else if (*p == '-')
            *p = '_';
    }
}

bool kz_cli_choice(const char *list, int i, char *out, size_t size) {
    for (; i > 0; i--) {
        list += strcspn(list, "|");
        if (*list == '\0')
            return false;
        list++;
    }
    size_t n = strcspn(list, "|");
    if (n >= size)
        n = size - 1;
    memcpy(out, list, n);
    out[n] = '\0';
    return n > 0;
}

static int set_flag(kz_value *value, const char *source, const char *text) {
    static const char *const yes[] = {"1", "on", "yes", "true"}, *const no[] = {"0", "off", "no", "false"};
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++) {
        if (strcmp(text, yes[i]) == 0 || strcmp(text, no[i]) == 0) {
            value->flag = strcmp(text, yes[i]) == 0;
            return KZ_GO_ON;
        }
    }
    return kz_cli_fail(KZ_EXIT_USAGE, "%s: '%s' isn't 1 or 0", source, text);
}

static int set_choice(kz_value *value, const kz_option *option, const char *source, const char *text) {
    char word[32];
    for (int i = 0; kz_cli_choice(option->argument, i, word, sizeof word); i++) {
        if (strcmp(word, text) == 0) {
            value->integer = i;
            return KZ_GO_ON;
        }
    }
    return kz_cli_fail(KZ_EXIT_USAGE, "%s: '%s' isn't one of %s", source, text, option->argument);
}

static int set_seed(kz_value *value, const char *source, const char *text) {
    const char *hint = "";
    value->random = strcmp(text, "-1") == 0;
    if (value->random || kz_cli_natural(text, &value->seed))
        return KZ_GO_ON;
    if ((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z'))
        hint = " (-s is the seed; a voice is chosen with -v)";
    return kz_cli_fail(KZ_EXIT_USAGE, "%s: '%s' isn't a whole number from -1 (random) to 18446744073709551615%s",
                       source, text, hint);
}

static int set_number(kz_value *value, const kz_option *option, const char *source, const char *text) {
    long long whole;
    if (option->kind == KZ_KIND_REAL) {
        if (kz_cli_real(text, option->low, option->high, &value->real))
            return KZ_GO_ON;
        return kz_cli_fail(KZ_EXIT_USAGE, "%s: '%s' isn't a number from %g to %g", source, text, option->low,
                           option->high);
    }
    if (!kz_cli_integer(text, (long long)option->low, (long long)option->high, &whole))
        return kz_cli_fail(KZ_EXIT_USAGE, "%s: '%s' isn't a whole number from %.0f to %.0f", source, text, option->low,
                           option->high);
    value->integer = (int)whole;
    return KZ_GO_ON;
}

static int check_path(const char *source, const char *text) {
    return *text ? KZ_GO_ON : kz_cli_fail(KZ_EXIT_USAGE, "%s: the name is empty", source);
}

int kz_cli_set(kz_value *value, const kz_option *option, const char *source, const char *text) {
    value->given = true;
    value->text = text;
    switch (option->kind) {
    case KZ_KIND_FLAG:
        return set_flag(value, source, text);
    case KZ_KIND_CHOICE:
        return set_choice(value, option, source, text);
    case KZ_KIND_SEED:
        return set_seed(value, source, text);
    case KZ_KIND_INTEGER:
    case KZ_KIND_REAL:
        return set_number(value, option, source, text);
    case KZ_KIND_PATH:
    case KZ_KIND_DIR:
        return check_path(source, text);
    case KZ_KIND_TEXT:
        break;
    }
    return KZ_GO_ON;
}
