/* cmd_bench.c: `kztts bench`: speed of a model on this machine, beside the machine's limits.
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "bench.h"

int kz_cmd_bench(const kz_args *args);

enum { REPETITIONS = 5 };

typedef struct bench_run {
    const kz_args *args;
    int threads[KZ_BENCH_LIST], n_threads;
    int codec_threads[KZ_BENCH_LIST], n_codec_threads;
    const char *quant[KZ_BENCH_LIST];
    int n_quant;
    char *quant_text;
    FILE *out[2];
    kz_bench_format format[2];
    kz_bench_machine machine;
    int n_row;
    FILE *passes; /* a table that follows the one of the rows */
    char *passes_text;
    size_t n_passes;
} bench_run;

static int read_threads(bench_run *run) {
    const kz_value *v = &run->args->value[KZ_OPT_BENCH_THREADS];
    const char *source = v->from_env ? "threads of the environment" : "--threads";
    int code = kz_bench_numbers(source, v->text ? v->text : "0", run->threads, &run->n_threads);
    for (int i = 0; i < run->n_threads && code == KZ_GO_ON; i++) {
        kz_limits *limits = run->threads[i] ? NULL : kz_limits_open(0);
        run->threads[i] = limits ? kz_limits_threads(limits) : run->threads[i];
        kz_limits_close(limits);
    }
    return code;
}

static int read_codec_threads(bench_run *run) {
    const kz_value *v = &run->args->value[KZ_OPT_BENCH_CODEC_THREADS];
    const char *source = v->from_env ? "threads of the codec of the environment" : "--codec-threads";
    return kz_bench_numbers(source, v->text ? v->text : "0", run->codec_threads, &run->n_codec_threads);
}

/* TYPES/TYPES/...: the types of a set have commas themselves. "stored" or nothing: as they are stored. */
static int read_quants(bench_run *run) {
    const char *text = run->args->value[KZ_OPT_QUANT].text;
    run->quant_text = strdup(text ? text : "");
    if (!run->quant_text)
        return kz_cli_fail(KZ_EXIT_MEMORY, "out of memory");
    for (char *p = run->quant_text, *slash; p; p = slash) {
        slash = strchr(p, '/');
        if (slash)
            *slash++ = '\0';
        if (run->n_quant == KZ_BENCH_LIST)
            return kz_cli_fail(KZ_EXIT_USAGE, "--quant: more than %d sets of types", KZ_BENCH_LIST);
        run->quant[run->n_quant++] = *p ? p : NULL;
    }
    return KZ_GO_ON;
}

static int one_row(bench_run *run, const kz_bench_test *test) {
    kz_bench_row row;
    int code = kz_bench_measure(run->args, test, &row);
    for (int i = 0; i < 2 && code == KZ_GO_ON; i++)
        if (run->out[i])
            kz_bench_print(run->out[i], run->format[i], &run->machine, &row, run->n_row);
    if (code == KZ_GO_ON && run->passes)
        kz_bench_print_passes(run->passes, &row, run->n_row);
    run->n_row += code == KZ_GO_ON;
    kz_bench_row_free(&row);
    return code;
}

/* For people, behind the rows. */
static void print_passes(bench_run *run) {
    if (!run->passes || fclose(run->passes) != 0)
        return;
    for (int i = 0; i < 2; i++)
        if (run->out[i] && run->format[i] == KZ_BENCH_MD)
            fputs(run->passes_text, run->out[i]);
    free(run->passes_text);
}

static int all_rows(bench_run *run) {
    const kz_value *repetitions = &run->args->value[KZ_OPT_REPETITIONS];
    kz_bench_test test = {.warm_up = !run->args->value[KZ_OPT_NO_WARMUP].flag};
    int code = KZ_GO_ON;
    test.repetitions = repetitions->given || repetitions->from_env ? repetitions->integer : REPETITIONS;
    kz_bench_machine_find(&run->machine);
    run->passes = open_memstream(&run->passes_text, &run->n_passes);
    const int n_pair = run->n_threads * run->n_codec_threads;
    for (int i = 0; i < run->n_quant * n_pair && code == KZ_GO_ON; i++) {
        test.quant = run->quant[i / n_pair];
        test.threads = run->threads[i % n_pair / run->n_codec_threads];
        test.codec_threads = run->codec_threads[i % run->n_codec_threads];
        code = one_row(run, &test);
    }
    for (int i = 0; i < 2; i++)
        if (run->out[i])
            kz_bench_print_end(run->out[i], run->format[i], run->n_row);
    print_passes(run);
    return code;
}

static int run_all(bench_run *run) {
    const kz_args *args = run->args;
    const kz_value *second = &args->value[KZ_OPT_BENCH_ERR];
    bool limits = args->n_word > 0 && strcmp(args->words[0], "limits") == 0;
    int code;
    if (args->n_word > (limits ? 1 : 0))
        return kz_cli_usage(args->command,
                            "'%s' is too much; bench takes `limits` or nothing, a model is named with -m",
                            args->words[limits ? 1 : 0]);
    run->out[0] = stdout;
    run->format[0] = (kz_bench_format)args->value[KZ_OPT_BENCH_OUTPUT].integer;
    run->out[1] = second->given || second->from_env ? stderr : NULL;
    run->format[1] = (kz_bench_format)second->integer;
    if ((code = read_threads(run)) != KZ_GO_ON || (code = read_codec_threads(run)) != KZ_GO_ON ||
        (code = read_quants(run)) != KZ_GO_ON)
        return code;
    return limits ? kz_bench_limits(run->threads, run->n_threads, run->out, run->format) : all_rows(run);
}

int kz_cmd_bench(const kz_args *args) {
    bench_run run = {.args = args};
    int code = run_all(&run);
    free(run.quant_text);
    int flushed = kz_cli_flush();
    return code == KZ_GO_ON ? flushed : code;
}
