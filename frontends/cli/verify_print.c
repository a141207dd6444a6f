/* verify_print.c: the figures of `kztts verify`.  SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>

#include "verify.h"

static double part(uint64_t of, uint64_t all) { return all ? (double)of / (double)all : 1; }
static double mean(double sum, uint64_t n) { return n ? sum / (double)n : 0; }

/* Of all groups, or all but the first. */
static kz_agreement sum_groups(const kz_verify *v, int from) {
    kz_agreement a = {0};
    for (int k = from; k < v->n_group; k++) {
        const kz_agreement *g = &v->group[k];
        a.n += g->n;
        a.equal += g->equal;
        a.top1 += g->top1;
        a.top5 += g->top5;
        a.kl += g->kl;
        a.error += g->error;
        a.max_error = fmax(a.max_error, g->max_error);
    }
    return a;
}

static double snr(const kz_sound_error *e) {
    return e->noise > 0 ? 10 * log10(fmax(e->signal, 1e-30) / e->noise) : INFINITY;
}

static bool same_samples(const kz_sound_error *e) { return e->noise <= 0 && e->missing == 0; }

static double mel_distance(const kz_verify *v) { return v->mel.n_text ? v->mel.sum / v->mel.n_text : NAN; }

static double seconds(const kz_verify *v, int which) {
    const kztts_model_info *in = &v->model[which].info;
    return (double)v->frames[which] * in->frame_samples / in->sample_rate;
}

static void print_model(const kz_verify *v, int which) {
    const kztts_model_info *in = &v->model[which].info;
    printf("%-10s%s: talker %s, predictor %s\n", which ? "B" : "A", v->model[which].path, in->talker_weights,
           in->predictor_weights);
}

static void print_group(const char *name, const kz_agreement *g) {
    printf("  %-8s%9.2f %9.2f %9.2f %10.5f %10.4f %10.4f\n", name, 100 * part(g->equal, g->n),
           100 * part(g->top1, g->n), 100 * part(g->top5, g->n), mean(g->kl, g->n), mean(g->error, g->n), g->max_error);
}

static void print_samples(const char *what, const kz_sound_error *e) {
    printf("  %-27s", what);
    if (!e->n_text)
        puts("not compared");
    else if (same_samples(e))
        puts("the same samples");
    else if (isfinite(snr(e)))
        printf("%.1f dB\n", snr(e));
    else
        puts("the same but for silence at the end");
}

static void print_mel(const kz_verify *v) {
    const kz_mel_sum *m = &v->mel;
    printf("  %-27s", "log-mel distance");
    if (!m->n_text) {
        puts("-");
        return;
    }
    printf("%.2f dB", mel_distance(v));
    if (m->n_text < v->n_text)
        printf(" (%d of %d texts)", m->n_text, v->n_text);
    if (m->n_cut_text)
        printf(" (of %d texts the first %d s)", m->n_cut_text, KZ_MEL_SECONDS);
    putchar('\n');
}

/* Texts that weren't spoken to their ends. */
static void print_cut(const kz_verify *v) {
    static const char *const names[] = {"A", "B"};
    for (int i = 0; i < 2; i++)
        if (v->n_cut[i])
            printf("%-10s%s doesn't end %d of %d texts within %d frames (--max-frames)\n", "cut", names[i], v->n_cut[i],
                   v->n_text, kz_verify_limit(v, i));
}

void kz_verify_print(const kz_verify *v) {
    kz_agreement all = sum_groups(v, 0);
    char name[24];
    print_model(v, 0);
    print_model(v, 1);
    printf("%-10s%d texts, %.1f s as A speaks them\n", "on", v->n_text, seconds(v, 0));
    print_cut(v);
    puts("\nafter the same codes (A's)");
    puts("  group    equal %   top-1 %   top-5 %    mean KL   mean err    max err");
    for (int k = 0; k < v->n_group; k++) {
        snprintf(name, sizeof name, "%d", k);
        print_group(name, &v->group[k]);
    }
    print_group("all", &all);
    printf("  %-27s%.1f %% of %llu\n", "same choice at the end", 100 * part(v->end_equal, v->n_end),
           (unsigned long long)v->n_end);
    print_samples("B's codec on A's codes", &v->codec);
    puts("\neach alone");
    printf("  %-27s%d of %d\n", "texts with equal codes", v->n_same, v->n_text);
    printf("  %-27smean %.1f frames, least %llu\n", "until the first difference",
           mean((double)v->first_sum, (uint64_t)v->n_text), (unsigned long long)v->first_min);
    printf("  %-27s%.2f s and %.2f s (%+.1f %%)\n", "duration", seconds(v, 0), seconds(v, 1),
           100 * (seconds(v, 1) / fmax(seconds(v, 0), 1e-9) - 1));
    print_mel(v);
    print_samples("samples", &v->free);
}

static void json_group(const kz_agreement *g) {
    printf("{\"codes\": %llu, \"equal\": %.6f, \"top1\": %.6f, \"top5\": %.6f, \"kl\": %.8g, \"mean_error\": %.6g, "
           "\"max_error\": %.6g}",
           (unsigned long long)g->n, part(g->equal, g->n), part(g->top1, g->n), part(g->top5, g->n), mean(g->kl, g->n),
           mean(g->error, g->n), g->max_error);
}

static void json_number(const char *key, double value) {
    printf(",\n  \"%s\": ", key);
    if (isfinite(value))
        printf("%.6g", value);
    else
        fputs("null", stdout);
}

static void json_samples(const char *key, const kz_sound_error *e, bool decoder) {
    const char *state = same_samples(e) ? "same" : "differ";
    char snr_key[32];
    if (!e->n_text)
        state = decoder ? "not compared" : "no decoder";
    snprintf(snr_key, sizeof snr_key, "%s_snr_db", key);
    printf(",\n  \"%s_samples\": \"%s\"", key, state);
    json_number(snr_key, e->n_text ? snr(e) : NAN);
}

static void json_model(const char *key, const kz_verify *v, int which) {
    const kztts_model_info *in = &v->model[which].info;
    printf("%s\"%s\": {\"model\": ", which ? ",\n  " : "", key);
    kz_cli_print_json_string(v->model[which].path);
    printf(", \"talker_weights\": \"%s\", \"predictor_weights\": \"%s\"}", in->talker_weights, in->predictor_weights);
}

void kz_verify_print_json(const kz_verify *v) {
    kz_agreement all = sum_groups(v, 0);
    fputs("{\n  ", stdout);
    json_model("a", v, 0);
    json_model("b", v, 1);
    json_number("texts", v->n_text);
    fputs(",\n  \"groups\": [", stdout);
    for (int k = 0; k < v->n_group; k++) {
        fputs(k ? ",\n    " : "\n    ", stdout);
        json_group(&v->group[k]);
    }
    fputs("],\n  \"all\": ", stdout);
    json_group(&all);
    json_number("ends", (double)v->n_end);
    json_number("ends_equal", part(v->end_equal, v->n_end));
    json_samples("codec", &v->codec, v->decoder != NULL);
    json_number("texts_cut_a", v->n_cut[0]);
    json_number("texts_cut_b", v->n_cut[1]);
    json_number("texts_equal", v->n_same);
    json_number("frames_until_difference", mean((double)v->first_sum, (uint64_t)v->n_text));
    json_number("frames_until_difference_min", (double)v->first_min);
    json_number("seconds_a", seconds(v, 0));
    json_number("seconds_b", seconds(v, 1));
    json_number("mel_distance_db", mel_distance(v));
    json_number("mel_texts", v->mel.n_text);
    json_number("mel_texts_cut", v->mel.n_cut_text);
    json_samples("free", &v->free, true);
    puts("\n}");
}
