/* parse.c: command line and environment into values.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { FIRST = 1000 }; /* getopt's number of a long option is FIRST + its id */

static const struct {
    const char *name;
    kz_option_id id;
} aliases[] = {
#define OPTION(id, ...)
#define ALIAS(name, id) {name, KZ_OPT_##id},
#include "options.inc"
};

enum { N_ALIAS = sizeof aliases / sizeof aliases[0], N_LONG = KZ_OPT_COUNT + N_ALIAS };

static void add_long(struct option *to, const char *name, kz_option_id id) {
    to->name = name;
    to->has_arg = kz_options[id].kind == KZ_KIND_FLAG ? no_argument : required_argument;
    to->flag = NULL;
    to->val = FIRST + (int)id;
}

/* getopt's two tables for a command. */
static void make_tables(const kz_command *command, struct option *longs, char *letters) {
    int n = 0;
    *letters++ = ':'; /* a missing argument is told from an unknown option */
    for (int id = 0; id < KZ_OPT_COUNT; id++) {
        const kz_option *o = &kz_options[id];
        if (!kz_cli_option_fits(o, command))
            continue;
        add_long(&longs[n++], o->name, (kz_option_id)id);
        if (o->letter)
            *letters++ = o->letter;
        if (o->letter && o->kind != KZ_KIND_FLAG)
            *letters++ = ':';
    }
    for (int i = 0; i < N_ALIAS; i++)
        if (kz_cli_option_fits(&kz_options[aliases[i].id], command))
            add_long(&longs[n++], aliases[i].name, aliases[i].id);
    memset(&longs[n], 0, sizeof longs[n]);
    *letters = '\0';
}

static const kz_option *option_by_letter(const kz_command *command, int letter) {
    for (int id = 0; id < KZ_OPT_COUNT; id++)
        if (kz_options[id].letter == letter && letter && kz_cli_option_fits(&kz_options[id], command))
            return &kz_options[id];
    return NULL;
}

/* A long option that getopt doesn't know: misspelt, ambiguous, or a flag with a value. */
static int bad_long_option(const kz_command *command, const struct option *longs, const char *word) {
    char name[64];
    const char *near = NULL;
    int best = -1, same_start = 0;
    size_t n = strcspn(word + 2, "=");
    snprintf(name, sizeof name, "%.*s", (int)(n < 63 ? n : 63), word + 2);
    for (const struct option *o = longs; o->name; o++) {
        int distance = kz_cli_distance(name, o->name);
        if (strcmp(o->name, name) == 0)
            return kz_cli_fail(KZ_EXIT_USAGE, "--%s takes no value", name);
        same_start += strncmp(o->name, name, n) == 0;
        if (distance >= 0 && (best < 0 || distance < best)) {
            best = distance;
            near = o->name;
        }
    }
    if (same_start > 1)
        return kz_cli_fail(KZ_EXIT_USAGE, "option '--%s' is short for more than one; kztts help %s lists them", name,
                           command->name);
    if (near)
        return kz_cli_fail(KZ_EXIT_USAGE, "kztts %s has no option '--%s'; did you mean '--%s'?", command->name, name,
                           near);
    return kz_cli_fail(KZ_EXIT_USAGE, "kztts %s has no option '--%s'; kztts help %s lists them", command->name, name,
                       command->name);
}

static int bad_option(const kz_command *command, const struct option *longs, const char *word) {
    if (optopt >= FIRST || (optopt == 0 && strncmp(word, "--", 2) == 0))
        return bad_long_option(command, longs, word);
    return kz_cli_fail(
        KZ_EXIT_USAGE,
        "kztts %s has no option '-%c'; kztts help %s lists them (a text that begins with - comes after --)",
        command->name, optopt, command->name);
}

static int missing_argument(int given) {
    const kz_option *o;
    if (given >= FIRST) {
        o = &kz_options[given - FIRST];
        return kz_cli_fail(KZ_EXIT_USAGE, "--%s needs a value: %s", o->name, o->argument);
    }
    return kz_cli_fail(KZ_EXIT_USAGE, "-%c needs a value", given);
}

/* One option as getopt found it: `found` is a letter or FIRST + id. */
static int take_option(kz_args *args, int found) {
    char source[72];
    const kz_option *o = found >= FIRST ? &kz_options[found - FIRST] : option_by_letter(args->command, found);
    kz_option_id id = (kz_option_id)(o - kz_options);
    if (found >= FIRST)
        snprintf(source, sizeof source, "--%s", o->name);
    else
        snprintf(source, sizeof source, "-%c", found);
    if (id == KZ_OPT_FILE)
        args->files[args->n_file++] = optarg;
    return kz_cli_set(&args->value[id], o, source, o->kind == KZ_KIND_FLAG ? "1" : optarg);
}

static int check_together(const kz_args *args) {
    const kz_value *greedy = &args->value[KZ_OPT_GREEDY], *sample = &args->value[KZ_OPT_SAMPLE];
    if (greedy->flag && sample->flag && greedy->from_env == sample->from_env)
        return kz_cli_fail(KZ_EXIT_USAGE, "--greedy and --sample contradict each other");
    if (args->n_word > 0 && args->n_file > 0 && !args->value[KZ_OPT_FILE].from_env)
        return kz_cli_fail(KZ_EXIT_USAGE,
                           "give the text as words or with -f FILE, not both (-f is the input; -o names the output)");
    return KZ_GO_ON;
}

/* -hf, -hff, -hft and -oe, as another engine has them, are words for getopt only in their long form. */
static void lengthen(const kz_command *command, int argc, char **argv) {
    static char repo[] = "--hf-repo", file[] = "--hf-file", token[] = "--hf-token", err[] = "--output-err";
    static char *const words[] = {repo, file, token, err};
    static const char *const letters[] = {"-hf", "-hff", "-hft", "-oe"};
    static const kz_option_id ids[] = {KZ_OPT_HF_REPO, KZ_OPT_HF_FILE, KZ_OPT_HF_TOKEN, KZ_OPT_BENCH_ERR};
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        for (int k = 0; k < 4; k++)
            if (strcmp(argv[i], letters[k]) == 0 && kz_cli_option_fits(&kz_options[ids[k]], command))
                argv[i] = words[k];
}

int kz_cli_parse(kz_args *args, const kz_command *command, int argc, char **argv) {
    struct option longs[N_LONG + 1];
    char letters[2 * KZ_OPT_COUNT + 2];
    int found, code;
    memset(args, 0, sizeof *args);
    args->command = command;
    args->files = calloc((size_t)argc + 1, sizeof *args->files);
    if (!args->files)
        return kz_cli_fail(KZ_EXIT_MEMORY, "out of memory");
    make_tables(command, longs, letters);
    lengthen(command, argc, argv);
    opterr = 0;
    while ((found = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        if (found == '?')
            return bad_option(command, longs, argv[optind - 1]);
        if (found == ':')
            return missing_argument(optopt);
        if ((code = take_option(args, found)) != KZ_GO_ON)
            return code;
    }
    args->words = argv + optind;
    args->n_word = argc - optind;
    args->literal = optind > 1 && strcmp(argv[optind - 1], "--") == 0;
    if (args->value[KZ_OPT_HELP].flag) {
        kz_cli_print_help(command);
        return kz_cli_flush();
    }
    if ((code = kz_cli_environment(args)) != KZ_GO_ON)
        return code;
    return check_together(args);
}

void kz_cli_args_free(kz_args *args) {
    free(args->files);
    args->files = NULL;
    free(args->hub_path);
    args->hub_path = NULL;
}

/* The variable's text, NULL when unset or empty. */
static const char *variable(const char *name) {
    const char *text = getenv(name);
    return text && *text ? text : NULL;
}

static int variable_flag(const char *name, bool *flag) {
    const char *text = variable(name);
    kz_value value = {0};
    if (!text)
        return KZ_GO_ON;
    int code = kz_cli_set(&value, &kz_options[KZ_OPT_QUIET], name, text);
    *flag = value.flag;
    return code;
}

static int option_from_environment(kz_args *args, kz_option_id id) {
    char name[72];
    kz_value *value = &args->value[id];
    kz_cli_env_name(name, sizeof name, kz_options[id].name);
    const char *text = variable(name);
    if (!text && (id == KZ_OPT_THREADS || id == KZ_OPT_BENCH_THREADS)) {
        snprintf(name, sizeof name, "GGML_NUM_THREADS");
        text = variable(name);
    }
    if (value->given || !text)
        return KZ_GO_ON;
    if (id == KZ_OPT_FILE)
        args->files[args->n_file++] = text;
    value->from_env = true;
    return kz_cli_set(value, &kz_options[id], name, text);
}

int kz_cli_environment(kz_args *args) {
    bool no_neon = false, cache = true;
    int code;
    for (int id = 0; id < KZ_OPT_COUNT; id++) {
        if (id == KZ_OPT_HELP || !kz_cli_option_fits(&kz_options[id], args->command))
            continue;
        if ((code = option_from_environment(args, (kz_option_id)id)) != KZ_GO_ON)
            return code;
    }
    if ((code = variable_flag("KZTTS_CP_NO_NEON", &no_neon)) != KZ_GO_ON ||
        (code = variable_flag("KZTTS_CP_CACHE", &cache)) != KZ_GO_ON)
        return code;
    args->predictor_cpu = no_neon ? "c" : NULL;
    args->predictor_uncached = !cache;
    return KZ_GO_ON;
}
