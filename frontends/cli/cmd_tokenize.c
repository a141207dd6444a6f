/* cmd_tokenize.c: `kztts tokenize`: the token ids of a text.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

int kz_cmd_tokenize(const kz_args *args);

typedef struct tokenize_run {
    const kz_args *args;
    kztts_tokenizer *tokenizer;
    int special;
} tokenize_run;

static void print_ids(const int32_t *ids, size_t n, bool json) {
    if (json)
        putchar('[');
    for (size_t i = 0; i < n; i++)
        printf("%s%ld", i == 0 ? "" : json ? ", " : " ", (long)ids[i]);
    puts(json ? "]" : "");
}

/* Ids of one text to standard output. line 0: not from a list. */
static int print_text(tokenize_run *run, const char *text, size_t n, size_t line) {
    int32_t *ids = NULL;
    size_t n_id = 0;
    kztts_status status = kztts_tokenizer_encode(run->tokenizer, text, n, run->special, &ids, &n_id);
    if (status < 0 && line > 0)
        return kz_cli_fail(-(int)status, "line %zu: %s", line, kztts_tokenizer_message(run->tokenizer));
    if (status < 0)
        return kz_cli_fail_status(status, kztts_tokenizer_message(run->tokenizer));
    print_ids(ids, n_id, line > 0);
    kztts_free(ids);
    return KZ_GO_ON;
}

static int one_line(tokenize_run *run, const char *line, size_t n, char *text, size_t number) {
    size_t n_text;
    if (n > 6 * (size_t)KZ_TEXT_MAX)
        return kz_cli_fail(KZ_EXIT_TEXT, "line %zu: longer than %d bytes, which is the limit", number, 6 * KZ_TEXT_MAX);
    const char *wrong = kz_cli_json_string(line, n, text, &n_text);
    if (wrong)
        return kz_cli_fail(KZ_EXIT_TEXT, "line %zu: %s; expected one JSON string a line", number, wrong);
    int code = print_text(run, text, n_text, number);
    /* line by line, for programs that wait for the answer */
    if (code == KZ_GO_ON && fflush(stdout) != 0)
        code = kz_cli_flush();
    return code;
}

static int all_lines(tokenize_run *run) {
    char *line = NULL, *text = NULL;
    size_t cap = 0, text_cap = 0, number = 0;
    ssize_t n;
    int code = KZ_GO_ON;
    while (code == KZ_GO_ON && (n = getline(&line, &cap, stdin)) >= 0) {
        if (cap > text_cap) {
            free(text);
            text = malloc(text_cap = cap);
        }
        code = text ? one_line(run, line, (size_t)n, text, ++number) : kz_cli_fail(KZ_EXIT_MEMORY, "out of memory");
    }
    if (code == KZ_GO_ON && ferror(stdin))
        code = kz_cli_fail(KZ_EXIT_FAILED, "can't read standard input: %s", strerror(errno));
    free(line);
    free(text);
    return code;
}

static int open_tokenizer(tokenize_run *run) {
    char *path;
    int code = kz_cli_model_path(run->args, &path);
    if (code != KZ_GO_ON)
        return code;
    kztts_pattern pattern =
        run->args->value[KZ_OPT_PATTERN].integer == 1 ? KZTTS_PATTERN_MISTRAL : KZTTS_PATTERN_NATIVE;
    kztts_status status = kztts_tokenizer_open(&run->tokenizer, path, pattern);
    free(path);
    if (status < 0)
        return kz_cli_fail_status(status, run->tokenizer ? kztts_tokenizer_message(run->tokenizer) : NULL);
    return KZ_GO_ON;
}

static int run_all(tokenize_run *run) {
    kz_text text = {0};
    bool jsonl = run->args->value[KZ_OPT_JSONL].flag;
    int code;
    if (jsonl && (run->args->n_word > 0 || run->args->n_file > 0))
        return kz_cli_usage(run->args->command, "--jsonl reads standard input; it takes no TEXT and no -f");
    if (!jsonl && (code = kz_cli_text(run->args, &text)) != KZ_GO_ON)
        return code;
    code = open_tokenizer(run);
    if (code == KZ_GO_ON)
        code = jsonl ? all_lines(run) : print_text(run, text.data, text.n, 0);
    free(text.data);
    return code;
}

int kz_cmd_tokenize(const kz_args *args) {
    tokenize_run run = {.args = args, .special = args->value[KZ_OPT_SPECIAL].flag};
    int code = run_all(&run);
    kztts_tokenizer_close(&run.tokenizer);
    int flushed = kz_cli_flush();
    return code == KZ_GO_ON ? flushed : code;
}
