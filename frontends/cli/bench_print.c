/* bench_print.c: rows as a table, CSV or JSON.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "bench.h"

static const struct {
    const char *name, *head;
    int digits, stage; /* stage: which percentage stands beside it, or -1 */
} metrics[KZ_BENCH_METRICS] = {
    {"prefill_ms", "prefill ms", 1, 0}, {"first_ms", "first ms", 1, -1},
    {"again_ms", "again ms", 1, -1},    {"talker_ms", "talker ms", 2, 1},
    {"predictor_ms", "pred. ms", 2, 2}, {"heads_ms", "heads+sampling ms", 2, -1},
    {"codec_ms", "codec ms", 2, 3},     {"rtf", "rtf", 3, -1},
    {"frames_s", "frames/s", 1, -1},
};

enum { SINGLE_PASSES = 3 }; /* that the table for people shows one by one */

static const char *const stages[KZ_BENCH_STAGES] = {"prefill", "talker", "predictor", "codec"};

void kz_bench_machine_find(kz_bench_machine *m) {
    char line[256];
    FILE *f = fopen("/proc/cpuinfo", "r");
    snprintf(m->cpu_name, sizeof m->cpu_name, "unknown");
    while (f && fgets(line, sizeof line, f)) {
        const char *value = strchr(line, ':');
        if (!value || (strncmp(line, "model name", 10) != 0 && strncmp(line, "Hardware", 8) != 0))
            continue;
        value += 1 + strspn(value + 1, " \t");
        snprintf(m->cpu_name, sizeof m->cpu_name, "%.*s", (int)strcspn(value, "\n"), value);
        break;
    }
    if (f)
        fclose(f);
#if defined(__clang__)
    snprintf(m->build, sizeof m->build, "%s, %s", kztts_version(), __VERSION__);
#else
    snprintf(m->build, sizeof m->build, "%s, gcc %s", kztts_version(), __VERSION__);
#endif
}

/* ---- table ------------------------------------------------------------------------------------------------------- */

static void print_md_head(FILE *out, const kz_bench_machine *m) {
    fprintf(
        out,
        "%s; kztts %s; greedy; medians ± standard deviations. %%: of the limit measured beside it. Heads and sampling "
        "are part of talker and predictor\n\n",
        m->cpu_name, m->build);
    fputs("| model | weights | cpu | threads | frames | load ms | cold ms |", out);
    for (int i = 0; i < KZ_BENCH_METRICS; i++)
        fprintf(out, " %s |%s", metrics[i].head, metrics[i].stage >= 0 ? " % |" : "");
    fputs(" MiB | read GB/s | fma GFLOP/s | int8 Gop/s | md5 |\n| --- | --- | --- | --- | --- | --- | --- |", out);
    for (int i = 0; i < KZ_BENCH_METRICS; i++)
        fputs(metrics[i].stage >= 0 ? " --- | --- |" : " --- |", out);
    fputs(" --- | --- | --- | --- | --- |\n", out);
}

/* "-" for what isn't known. */
static void print_known(FILE *out, double value) {
    if (value > 0)
        fprintf(out, " %.0f |", value);
    else
        fputs(" - |", out);
}

/* The end of a cell: the codec's own limit, where it has another number of threads. */
static void print_codec_limit(FILE *out, const kz_bench_row *r, int digits, double limit) {
    if (r->codec_threads != r->threads && limit > 0)
        fprintf(out, ", codec %.*f", digits, limit);
    fputs(" |", out);
}

static void print_md(FILE *out, const kz_bench_row *r) {
    char codec[32] = "";
    if (r->codec_threads != r->threads)
        snprintf(codec, sizeof codec, ", codec %d", r->codec_threads);
    fprintf(out, "| %s %s | %s | %s | %d%s | %llu | %.0f | %.1f |", r->size, r->model, r->weights, r->cpu, r->threads,
            codec, r->frames, r->load_ms, r->cold_ms);
    for (int i = 0; i < KZ_BENCH_METRICS; i++) {
        const int digits = metrics[i].digits;
        fprintf(out, " %.*f ± %.*f |", digits, kz_bench_median(r->sample[i], r->n_sample), digits,
                kz_bench_deviation(r->sample[i], r->n_sample));
        if (metrics[i].stage >= 0)
            print_known(out, r->percent[metrics[i].stage]);
    }
    print_known(out, r->peak_mib);
    if (r->read_all > 0 && r->read_predictor > 0)
        fprintf(out, " %.1f, %.1f", r->read_all, r->read_predictor);
    else
        fputs(" -", out);
    print_codec_limit(out, r, 1, r->codec_read);
    if (r->fma > 0)
        fprintf(out, " %.0f", r->fma);
    else
        fputs(" -", out);
    print_codec_limit(out, r, 0, r->codec_fma);
    print_known(out, r->int8);
    fprintf(out, " %s |\n", r->md5);
}

static void print_pass_row(FILE *out, const kz_bench_row *r, const char *name, int first, int end) {
    const kz_passes_ms t = kz_passes_frame(&r->passes, first, end);
    fprintf(out, "| %s | %d | %s | %.3f | %.3f | %.3f | %.3f | %.3f |\n", r->weights, r->threads, name, t.input,
            t.layers, t.head, t.sampling, t.all);
}

void kz_bench_print_passes(FILE *out, const kz_bench_row *r, int n_before) {
    char name[32];
    const int n = r->passes.n;
    if (n_before == 0)
        fputs("\nThe code predictor's passes, milliseconds a frame, means of all frames:\n\n"
              "| weights | threads | pass | input | layers | head | sampling | sum |\n"
              "| --- | --- | --- | --- | --- | --- | --- | --- |\n",
              out);
    for (int i = 0; i < n && i < SINGLE_PASSES; i++) {
        snprintf(name, sizeof name, "%d", i + 1);
        print_pass_row(out, r, name, i, i + 1);
    }
    if (n > SINGLE_PASSES) {
        snprintf(name, sizeof name, "%d to %d", SINGLE_PASSES + 1, n);
        print_pass_row(out, r, name, SINGLE_PASSES, n);
    }
    print_pass_row(out, r, "all", 0, n);
}

/* ---- CSV --------------------------------------------------------------------------------------------------------- */

static void print_quoted(FILE *out, const char *text) {
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
    fputs("\",", out);
}

static void print_csv_head(FILE *out) {
    fputs("build,cpu_name,model,type,size,weights,cpu,threads,codec_threads,frames,prompt_rows,repetitions,load_ms,"
          "cold_ms,",
          out);
    for (int i = 0; i < KZ_BENCH_METRICS; i++)
        fprintf(out, "%s,%s_sd,", metrics[i].name, metrics[i].name);
    for (int i = 0; i < KZ_BENCH_STAGES; i++)
        fprintf(out, "%s_percent,", stages[i]);
    fputs("predictor_input_ms,predictor_layers_ms,predictor_head_ms,predictor_sampling_ms,", out);
    fputs("peak_mib,read_gb_s,read_predictor_gb_s,fma_gflop_s,int8_gop_s,codec_read_gb_s,codec_fma_gflop_s,md5\n", out);
}

/* An empty field for what isn't known. */
static void csv_known(FILE *out, int digits, double value) {
    if (value > 0)
        fprintf(out, "%.*f", digits, value);
    putc(',', out);
}

static void print_csv(FILE *out, const kz_bench_machine *m, const kz_bench_row *r) {
    const char *const texts[] = {m->build, m->cpu_name, r->model, r->type, r->size, r->weights, r->cpu};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        print_quoted(out, texts[i]);
    fprintf(out, "%d,%d,%llu,%d,%d,%.3f,%.3f,", r->threads, r->codec_threads, r->frames, r->prompt_rows, r->n_sample,
            r->load_ms, r->cold_ms);
    for (int i = 0; i < KZ_BENCH_METRICS; i++)
        fprintf(out, "%.4f,%.4f,", kz_bench_median(r->sample[i], r->n_sample),
                kz_bench_deviation(r->sample[i], r->n_sample));
    for (int i = 0; i < KZ_BENCH_STAGES; i++)
        csv_known(out, 1, r->percent[i]);
    const kz_passes_ms t = kz_passes_frame(&r->passes, 0, r->passes.n);
    fprintf(out, "%.4f,%.4f,%.4f,%.4f,", t.input, t.layers, t.head, t.sampling);
    csv_known(out, 1, r->peak_mib);
    csv_known(out, 2, r->read_all);
    csv_known(out, 2, r->read_predictor);
    csv_known(out, 1, r->fma);
    csv_known(out, 1, r->int8);
    csv_known(out, 2, r->codec_read);
    csv_known(out, 1, r->codec_fma);
    fprintf(out, "%s\n", r->md5);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void json_text(FILE *out, const char *name, const char *text) {
    fprintf(out, "\"%s\": ", name);
    kz_cli_write_json_string(out, text);
    fputs(", ", out);
}

/* null for what isn't known */
static void json_known(FILE *out, const char *name, double value, const char *after) {
    if (value > 0)
        fprintf(out, "\"%s\": %.2f%s", name, value, after);
    else
        fprintf(out, "\"%s\": null%s", name, after);
}

static void json_passes(FILE *out, const kz_passes *passes) {
    fputs("\"predictor_passes\": [", out);
    for (int i = 0; i < passes->n; i++) {
        const kz_passes_ms t = kz_passes_frame(passes, i, i + 1);
        fprintf(out, "%s{\"input_ms\": %.4f, \"layers_ms\": %.4f, \"head_ms\": %.4f, \"sampling_ms\": %.4f}",
                i ? ", " : "", t.input, t.layers, t.head, t.sampling);
    }
    fputs("], ", out);
}

static void print_json(FILE *out, const kz_bench_machine *m, const kz_bench_row *r) {
    putc('{', out);
    json_text(out, "build", m->build);
    json_text(out, "cpu_name", m->cpu_name);
    json_text(out, "model", r->model);
    json_text(out, "type", r->type);
    json_text(out, "size", r->size);
    json_text(out, "weights", r->weights);
    json_text(out, "cpu", r->cpu);
    json_text(out, "md5", r->md5);
    fprintf(out, "\"threads\": %d, \"codec_threads\": %d, \"frames\": %llu, \"prompt_rows\": %d, ", r->threads,
            r->codec_threads, r->frames, r->prompt_rows);
    fprintf(out, "\"load_ms\": %.3f, \"cold_ms\": %.3f, ", r->load_ms, r->cold_ms);
    for (int i = 0; i < KZ_BENCH_METRICS; i++) {
        fprintf(out, "\"%s\": {\"median\": %.4f, \"sd\": %.4f, \"samples\": [", metrics[i].name,
                kz_bench_median(r->sample[i], r->n_sample), kz_bench_deviation(r->sample[i], r->n_sample));
        for (int k = 0; k < r->n_sample; k++)
            fprintf(out, "%s%.4f", k ? ", " : "", r->sample[i][k]);
        fputs("]}, ", out);
    }
    json_passes(out, &r->passes);
    fputs("\"percent\": {", out);
    for (int i = 0; i < KZ_BENCH_STAGES; i++)
        json_known(out, stages[i], r->percent[i], i + 1 < KZ_BENCH_STAGES ? ", " : "}, ");
    json_known(out, "peak_mib", r->peak_mib, ", \"limits\": {");
    json_known(out, "read_gb_s", r->read_all, ", ");
    json_known(out, "read_predictor_gb_s", r->read_predictor, ", ");
    json_known(out, "fma_gflop_s", r->fma, ", ");
    json_known(out, "int8_gop_s", r->int8, ", ");
    json_known(out, "codec_read_gb_s", r->codec_read, ", ");
    json_known(out, "codec_fma_gflop_s", r->codec_fma, "}}");
}

void kz_bench_print(FILE *out, kz_bench_format format, const kz_bench_machine *m, const kz_bench_row *row,
                    int n_before) {
    switch (format) {
    case KZ_BENCH_MD:
        if (n_before == 0)
            print_md_head(out, m);
        print_md(out, row);
        break;
    case KZ_BENCH_CSV:
        if (n_before == 0)
            print_csv_head(out);
        print_csv(out, m, row);
        break;
    case KZ_BENCH_JSON:
        fputs(n_before ? ",\n " : "[\n ", out);
        print_json(out, m, row);
        break;
    case KZ_BENCH_JSONL:
        print_json(out, m, row);
        putc('\n', out);
        break;
    }
    fflush(out);
}

void kz_bench_print_end(FILE *out, kz_bench_format format, int n_row) {
    if (format == KZ_BENCH_JSON && n_row > 0)
        fputs("\n]\n", out);
}
