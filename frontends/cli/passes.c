/* passes.c: what the passes of the code predictor take.  SPDX-License-Identifier: Apache-2.0 */
#include "passes.h"

static void add(kztts_pass_times *sum, const kztts_pass_times *t) {
    sum->input_s += t->input_s;
    sum->layers_s += t->layers_s;
    sum->head_s += t->head_s;
    sum->sampling_s += t->sampling_s;
}

void kz_passes_add(kz_passes *passes, const kztts_stream *stream) {
    kztts_summary summary = {.size = sizeof summary};
    kztts_pass_times t = {.size = sizeof t};
    if (kztts_stream_get_summary(stream, &summary) != KZTTS_OK)
        return;
    passes->n_frame += (double)summary.frames;
    for (int i = 0; i < KZ_PASSES_MAX && kztts_stream_get_pass(stream, i, &t) == KZTTS_OK; i++) {
        add(&passes->pass[i], &t);
        passes->n = i + 1;
    }
}

void kz_passes_merge(kz_passes *sum, const kz_passes *more) {
    sum->n_frame += more->n_frame;
    sum->n = more->n;
    for (int i = 0; i < more->n; i++)
        add(&sum->pass[i], &more->pass[i]);
}

kz_passes_ms kz_passes_frame(const kz_passes *passes, int first, int end) {
    kztts_pass_times sum = {.size = sizeof sum};
    for (int i = first; i < end; i++)
        add(&sum, &passes->pass[i]);
    const double ms = passes->n_frame > 0 ? 1e3 / passes->n_frame : 0;
    kz_passes_ms t = {ms * sum.input_s, ms * sum.layers_s, ms * sum.head_s, ms * sum.sampling_s, 0};
    t.all = t.input + t.layers + t.head + t.sampling;
    return t;
}

static void print_line(FILE *out, const kz_passes *passes, const char *name, int first, int end) {
    const kz_passes_ms t = kz_passes_frame(passes, first, end);
    fprintf(out, "%9s %9.3f %9.3f %9.3f %9.3f %9.3f\n", name, t.input, t.layers, t.head, t.sampling, t.all);
}

void kz_passes_print(FILE *out, const kz_passes *passes) {
    char name[24];
    fprintf(out, "%9s %9s %9s %9s %9s %9s\n", "pass", "input", "layers", "head", "sampling", "ms");
    for (int i = 0; i < passes->n; i++) {
        snprintf(name, sizeof name, "%d", i + 1);
        print_line(out, passes, name, i, i + 1);
    }
    print_line(out, passes, "all", 0, passes->n);
}
