/* bench_limits.c: `kztts bench limits`: what this machine can do at most.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "bench.h"

/* From what the second cache holds to what none does; bytes of all threads together. */
static const int kib[] = {256, 1024, 4096, 16384, 65536, 262144, 524288};

typedef struct value {
    const char *what, *level, *unit;
    int kib, threads; /* kib: 0 where it isn't about memory */
    double rate;
} value;

typedef struct printer {
    FILE *out[2];
    const kz_bench_format *format;
    int n_row;
} printer;

static void print_one(FILE *out, kz_bench_format format, const value *v, int n_before) {
    switch (format) {
    case KZ_BENCH_MD:
        if (n_before == 0)
            fputs("| what | threads | rate |\n| --- | --- | --- |\n", out);
        if (v->kib)
            fprintf(out, "| %s %g MiB | %d | %.1f %s |\n", v->what, v->kib / 1024.0, v->threads, v->rate, v->unit);
        else
            fprintf(out, "| %s, %s | %d | %.0f %s |\n", v->what, v->level, v->threads, v->rate, v->unit);
        break;
    case KZ_BENCH_CSV:
        if (n_before == 0)
            fputs("what,level,kib,threads,rate,unit\n", out);
        fprintf(out, "%s,%s,%d,%d,%.2f,%s\n", v->what, v->level, v->kib, v->threads, v->rate, v->unit);
        break;
    case KZ_BENCH_JSON:
    case KZ_BENCH_JSONL:
        if (format == KZ_BENCH_JSON)
            fputs(n_before ? ",\n " : "[\n ", out);
        fprintf(out,
                "{\"what\": \"%s\", \"level\": \"%s\", \"kib\": %d, \"threads\": %d, \"rate\": %.2f, \"unit\": \"%s\"}",
                v->what, v->level, v->kib, v->threads, v->rate, v->unit);
        if (format == KZ_BENCH_JSONL)
            putc('\n', out);
        break;
    }
}

static void print(printer *p, const value *v) {
    if (v->rate <= 0) /* no loop for this level */
        return;
    for (int i = 0; i < 2; i++)
        if (p->out[i])
            print_one(p->out[i], p->format[i], v, p->n_row);
    p->n_row++;
}

static int measure(printer *p, int threads) {
    kz_limits *limits = kz_limits_open(threads);
    const char *level;
    int usable = 0;
    if (!limits)
        return kz_cli_fail(KZ_EXIT_MEMORY, "out of memory for %d threads", threads);
    for (size_t i = 0; i < sizeof kib / sizeof *kib; i++)
        print(p, &(value){"reading", "", "GB/s", kib[i], threads, kz_limits_read(limits, (size_t)kib[i] << 10)});
    for (int i = 0; (level = kztts_cpu_level(i, &usable)) != NULL; i++) {
        if (!usable)
            continue;
        print(p, &(value){"f32 fma", level, "GFLOP/s", 0, threads, kz_limits_fma(limits, level)});
        print(p, &(value){"int8 products", level, "Gop/s", 0, threads, kz_limits_int8(limits, level)});
    }
    kz_limits_close(limits);
    return KZ_GO_ON;
}

int kz_bench_limits(const int *threads, int n_threads, FILE *out[2], const kz_bench_format format[2]) {
    printer p = {{out[0], out[1]}, format, 0};
    int code = KZ_GO_ON;
    for (int i = 0; i < n_threads && code == KZ_GO_ON; i++)
        code = measure(&p, threads[i]);
    for (int i = 0; i < 2; i++)
        if (out[i])
            kz_bench_print_end(out[i], format[i], p.n_row);
    return code;
}
