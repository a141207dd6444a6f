/* cli.h: what the command line's files share: commands, options, messages.  SPDX-License-Identifier: Apache-2.0
 *
 * Functions that can end the program return its exit code, with the message already printed; KZ_GO_ON (-1) means that
 * nothing is wrong. Exit codes are those of kztts_status without the sign, see docs/man/kztts.1. */
#ifndef KZ_CLI_H
#define KZ_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "kztts/kztts.h"

#if defined(__GNUC__) || defined(__clang__)
#define KZ_CLI_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define KZ_CLI_PRINTF(f, a)
#endif

enum { KZ_GO_ON = -1 };

enum {
    KZ_EXIT_OK = 0,
    KZ_EXIT_FAILED = 1,
    KZ_EXIT_USAGE = 2,
    KZ_EXIT_TEXT = 3,
    KZ_EXIT_OUTPUT = 4,
    KZ_EXIT_VOICE = 5,
    KZ_EXIT_NOT_FOUND = 6,
    KZ_EXIT_FORMAT = 8,
    KZ_EXIT_MEMORY = 9,
    KZ_EXIT_GUARD = 10
};

/* ---- commands and options ---------------------------------------------------------------------------------- */

typedef enum kz_command_id {
#define COMMAND(id, name, arguments, summary) KZ_CMD_##id,
#include "commands.inc"
#undef COMMAND
    KZ_CMD_COUNT
} kz_command_id;

typedef enum kz_option_id {
#define OPTION(id, ...) KZ_OPT_##id,
#include "options.inc"
    KZ_OPT_COUNT
} kz_option_id;

typedef enum kz_option_kind {
    KZ_KIND_FLAG,
    KZ_KIND_TEXT,
    KZ_KIND_PATH,
    KZ_KIND_DIR,
    KZ_KIND_INTEGER,
    KZ_KIND_REAL,
    KZ_KIND_SEED,
    KZ_KIND_CHOICE
} kz_option_kind;

typedef struct kz_option {
    const char *name;
    char letter; /* or 0 */
    kz_option_kind kind;
    const char *argument; /* NULL for flags; a CHOICE lists its words separated by | */
    unsigned commands;    /* bit set of kz_command_id */
    double low, high;
    const char *help;
} kz_option;

typedef struct kz_args kz_args;

typedef struct kz_command {
    const char *name, *arguments, *summary;
    int (*run)(const kz_args *args);
} kz_command;

extern const kz_command kz_commands[KZ_CMD_COUNT];
extern const kz_option kz_options[KZ_OPT_COUNT];

/* An option's value. */
typedef struct kz_value {
    bool given;
    bool from_env;
    bool random;   /* SEED of -1 */
    bool flag;     /* FLAG */
    int integer;   /* INTEGER; for a CHOICE the word's number */
    uint64_t seed; /* SEED */
    double real;   /* REAL */
    const char *text;
} kz_value;

/* A parsed command line. Strings are those of argv and the environment. */
struct kz_args {
    const kz_command *command;
    kz_value value[KZ_OPT_COUNT];
    const char **files; /* of each -f */
    int n_file;
    char **words; /* what isn't an option */
    int n_word;
    char *hub_path;            /* of -hf, or NULL */
    bool literal;              /* words came after `--`: a single `-` isn't standard input */
    const char *predictor_cpu; /* or NULL; from KZTTS_CP_NO_NEON */
    bool predictor_uncached;   /* from KZTTS_CP_CACHE */
};

int kz_cli_main(int argc, char **argv);

/* argv[0] is the command's name. */
int kz_cli_parse(kz_args *args, const kz_command *command, int argc, char **argv);
/* Keeps the process on the cores of --cpu-mask; before any thread is started. */
int kz_cli_use_cores(const kz_args *args);

void kz_cli_args_free(kz_args *args);

/* Sets the option from a string. source: how messages call it, e.g. "--seed" or "KZTTS_SEED". */
int kz_cli_set(kz_value *value, const kz_option *option, const char *source, const char *text);

/* Fills what the command line left open from KZTTS_* variables. */
int kz_cli_environment(kz_args *args);

/* "KZTTS_TOP_K" for "top-k". */
void kz_cli_env_name(char *out, size_t size, const char *option_name);

bool kz_cli_option_fits(const kz_option *option, const kz_command *command);

/* The i-th word of a CHOICE's list into out; false past the end. */
bool kz_cli_choice(const char *list, int i, char *out, size_t size);

/* ---- numbers and near matches ------------------------------------------------------------------------------ */

/* The whole string as a number: no blanks, no rest, no nan or inf. */
bool kz_cli_integer(const char *text, long long low, long long high, long long *out);
bool kz_cli_natural(const char *text, uint64_t *out);
bool kz_cli_real(const char *text, double low, double high, double *out);

/* Whether `word` may be a misspelling of `candidate`; smaller is nearer, negative = not near. */
int kz_cli_distance(const char *word, const char *candidate);

/* ---- messages ---------------------------------------------------------------------------------------------- */

/* "kztts: ..." on standard error; returns exit_code. */
int kz_cli_fail(int exit_code, const char *fmt, ...) KZ_CLI_PRINTF(2, 3);
/* "kztts: note: ..." unless quiet. */
void kz_cli_note(bool quiet, const char *fmt, ...) KZ_CLI_PRINTF(2, 3);
/* A line of a report on standard error. */
void kz_cli_line(const char *fmt, ...) KZ_CLI_PRINTF(1, 2);
/* A library call failed: its message (or the status in words when it has none). Returns the exit code. */
int kz_cli_fail_status(kztts_status status, const char *message);
/* A usage error of a command, with a pointer to its help. */
int kz_cli_usage(const kz_command *command, const char *fmt, ...) KZ_CLI_PRINTF(2, 3);
/* For kztts_model_options.log; user points to a bool: quiet. */
void kz_cli_log(void *user, kztts_log_level level, const char *message);
/* Flushes standard output: the exit code for what was printed there. A closed pipe is fine. */
int kz_cli_flush(void);

void kz_cli_print_help(const kz_command *command); /* NULL: the program's */
void kz_cli_print_man(void);

/* ---- parts of commands ------------------------------------------------------------------------------------- */

/* The text of a request. */
typedef struct kz_text {
    char *data;
    size_t n;
} kz_text;

enum { KZ_TEXT_MAX = 1 << 20 };

/* A text file ("-": standard input), or a word of the command line, checked and tidied as the text of a request is.
 * text->data is fresh memory, NULL on failure. name: for messages. */
int kz_cli_text_file(const char *path, kz_text *text);
int kz_cli_text_word(const char *word, const char *name, kz_text *text);

/* Words, -f files or standard input, in this order; checked to be UTF-8 without NUL; BOM dropped, CRLF made LF, newlines
 * at the end dropped. */
int kz_cli_text(const kz_args *args, kz_text *text);

/* Whole file (NULL: standard input) of at most `max` bytes into fresh memory, with a NUL behind. what: "text". */
int kz_cli_read_file(const char *path, size_t max, const char *what, int too_long_exit, char **data, size_t *n);

/* The model directory to use, fresh memory. asked: a directory, an installed model's name, or NULL for the default. */
int kz_cli_model_path(const kz_args *args, char **path);
int kz_cli_model_path_of(const char *asked, char **path);

/* --seed: a random one for -1. */
uint64_t kz_cli_seed(const kz_value *value);

void kz_cli_model_options(const kz_args *args, kztts_model_options *options);

/* Seconds since some fixed moment. */
double kz_cli_now(void);

/* A JSON string with quotes, on standard output or anywhere. */
void kz_cli_print_json_string(const char *s);
void kz_cli_write_json_string(FILE *out, const char *s);

/* Decodes one JSON string (the whole of `line`, blanks around allowed) into out, which has room for n bytes; *n_out
 * receives the length. Returns NULL or what is wrong. U+0000 is allowed, so out isn't a C string. */
const char *kz_cli_json_string(const char *line, size_t n, char *out, size_t *n_out);

#endif
