/* bench.h: the parts of `kztts bench`.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_CLI_BENCH_H
#define KZ_CLI_BENCH_H

#include "cli.h"
#include "limits.h"
#include "passes.h"

enum { KZ_BENCH_LIST = 64, KZ_BENCH_MAX = 1000 };

typedef enum kz_bench_format { KZ_BENCH_MD, KZ_BENCH_CSV, KZ_BENCH_JSON, KZ_BENCH_JSONL } kz_bench_format;

/* ---- lists (bench_list.c) ---- */

/* Numbers and ranges from 0 to 256: "1,2", "1-4", "1-8+2", "1-8*2". n: how many, at most KZ_BENCH_LIST. Else a usage error;
 * source: how messages call it. */
int kz_bench_numbers(const char *source, const char *text, int out[KZ_BENCH_LIST], int *n);

/* ---- a row (bench_run.c) ---- */

/* Measured once a repetition. */
typedef enum kz_bench_metric {
    KZ_BENCH_PREFILL, /* ms */
    KZ_BENCH_FIRST,   /* ms to the first sound, voice new */
    KZ_BENCH_AGAIN,   /* the same, voice known */
    KZ_BENCH_TALKER,  /* ms a frame, and below */
    KZ_BENCH_PREDICTOR,
    KZ_BENCH_HEADS, /* of both: their heads, and drawing codes */
    KZ_BENCH_CODEC,
    KZ_BENCH_RTF, /* seconds of work a second of sound */
    KZ_BENCH_FRAMES_S,
    KZ_BENCH_METRICS
} kz_bench_metric;

enum { KZ_BENCH_STAGES = 4 }; /* prefill, talker, predictor, codec */

typedef struct kz_bench_row {
    char model[256], type[32], size[32], cpu[32], weights[96];
    int threads, codec_threads, prompt_rows, n_sample;
    unsigned long long frames;
    double load_ms, cold_ms; /* cold: the very first sound after opening */
    double peak_mib;
    double *sample[KZ_BENCH_METRICS]; /* [n_sample] each, one block of memory */
    kz_passes passes;                 /* of the predictor, all samples together */
    char md5[33];
    double read_all, read_predictor, fma, int8; /* limits: GB/s, GFLOP/s, Gop/s; 0: unknown */
    double codec_read, codec_fma;               /* of the codec's threads */
    double percent[KZ_BENCH_STAGES];            /* of the limit; 0: unknown */
} kz_bench_row;

typedef struct kz_bench_test {
    const char *quant; /* or NULL */
    int threads, codec_threads, repetitions;
    bool warm_up;
} kz_bench_test;

/* Opens the model anew, speaks, measures the limits. The row is freed by the caller whatever is returned. */
int kz_bench_measure(const kz_args *args, const kz_bench_test *test, kz_bench_row *row);
void kz_bench_row_free(kz_bench_row *row);

double kz_bench_median(const double *x, int n);    /* n: at most KZ_BENCH_MAX */
double kz_bench_deviation(const double *x, int n); /* of the sample; 0 for one */

/* ---- output (bench_print.c) ---- */

/* What a row says of machine and build. */
typedef struct kz_bench_machine {
    char cpu_name[128], build[160];
} kz_bench_machine;
void kz_bench_machine_find(kz_bench_machine *machine);

/* n_before: rows printed before; the end is called after the last one, if any. */
void kz_bench_print(FILE *out, kz_bench_format format, const kz_bench_machine *m, const kz_bench_row *row,
                    int n_before);
void kz_bench_print_end(FILE *out, kz_bench_format format, int n_row);

/* The predictor's passes as rows of a table for people. */
void kz_bench_print_passes(FILE *out, const kz_bench_row *row, int n_before);

/* ---- limits (bench_limits.c) ---- */

/* `kztts bench limits`. out[1] may be NULL. */
int kz_bench_limits(const int *threads, int n_threads, FILE *out[2], const kz_bench_format format[2]);

#endif
