/* cmd_convert.c: `kztts convert` and `kztts quantize`: a model as another kind of file.  SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "progress.h"
#include "signals.h"

int kz_cmd_convert(const kz_args *args);
int kz_cmd_quantize(const kz_args *args);

typedef struct request {
    const char *source, *target, *quant;
} request;

/* Before it there is no file yet, and loading can simply be ended. */
static int on_progress(void *user, uint64_t done, uint64_t total) {
    kz_signals_graceful();
    kz_progress_bytes(user, done, total);
    return kz_signals_seen();
}

static double mib(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 ? (double)st.st_size / 1048576 : 0;
}

static int convert(const kz_args *args, const request *r, const char *source) {
    char message[512] = "", what[] = "writing";
    kztts_convert_options options;
    double start = kz_cli_now();
    kztts_convert_options_init(&options, sizeof options);
    options.threads = args->value[KZ_OPT_THREADS].integer;
    options.quant = r->quant;
    options.codec = args->value[KZ_OPT_CODEC].text;
    options.overwrite = args->value[KZ_OPT_FORCE].flag;
    options.on_progress = on_progress;
    options.on_progress_user = what;
    options.log = kz_cli_log;
    options.log_user = (void *)(uintptr_t)&args->value[KZ_OPT_QUIET].flag;
    kz_progress_begin(args->value[KZ_OPT_QUIET].flag, 0);
    kztts_status status = kztts_convert(source, r->target, &options, message, sizeof message);
    kz_progress_end();
    if (status == KZTTS_END) {
        kz_cli_line("interrupted; %s was not written", r->target);
        return 128 + kz_signals_seen();
    }
    if (status == KZTTS_ERROR_ARGUMENT && strstr(message, "is there already"))
        return kz_cli_fail(KZ_EXIT_USAGE, "'%s' is there already; choose another name, or give --force", r->target);
    if (status < 0)
        return kz_cli_fail_status(status, message);
    if (!args->value[KZ_OPT_QUIET].flag)
        kz_cli_line("ok size=%.1fMiB wall=%.1fs out=%s", mib(r->target), kz_cli_now() - start, r->target);
    return KZ_EXIT_OK;
}

static int run(const kz_args *args, const request *r) {
    char *source;
    int code = kz_cli_model_path_of(r->source, &source);
    if (code != KZ_GO_ON)
        return code;
    kz_signals_install();
    code = convert(args, r, source);
    free(source);
    return code;
}

int kz_cmd_convert(const kz_args *args) {
    const char *target = args->value[KZ_OPT_OUTPUT].text;
    if (args->n_word != 1)
        return kz_cli_usage(args->command, args->n_word ? "one model at a time" : "convert which model?");
    if (!target)
        return kz_cli_usage(args->command, "-o says where to");
    return run(args, &(request){.source = args->words[0], .target = target, .quant = args->value[KZ_OPT_QUANT].text});
}

int kz_cmd_quantize(const kz_args *args) {
    if (args->n_word != 3)
        return kz_cli_usage(args->command, "a model, a file to be written and the types of weights are needed");
    return run(args, &(request){.source = args->words[0], .target = args->words[1], .quant = args->words[2]});
}
