/* codec.c: milliseconds a frame of the codec's decoder, layer by layer.  SPDX-License-Identifier: Apache-2.0
 *
 *   bench_codec MODEL [frames a call (1)] [threads (0 = all)] [cpu level] [calls (20)]
 *
 * Fixed codes. Arithmetic is counted from the shapes, convolutions as if they were plain; the peak is that of a loop of fused
 * multiply-adds that runs on all threads after every call, for clocks change. All figures are medians; the first call doesn't count. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/decoder.h"
#include "peak.h"

enum { MAX_STEP = 96, MAX_CALL = 1000 };

typedef struct step {
    char name[32];
    double ms[MAX_CALL];
    double flop;
} step;

static struct bench {
    step step[MAX_STEP];
    size_t n_step, call;
    double last;
} bench;

static step *find(const char *name) {
    for (size_t i = 0; i < bench.n_step; i++)
        if (strcmp(bench.step[i].name, name) == 0)
            return &bench.step[i];
    if (bench.n_step < MAX_STEP - 1)
        bench.n_step++;
    step *s = &bench.step[bench.n_step - 1];
    (void)snprintf(s->name, sizeof s->name, "%s", name);
    return s;
}

/* The time since the last tap belongs to this one. */
static void on_tap(void *user, const char *stage, int index, const float *data, size_t n_row, size_t n_col) {
    const double now = kz_now();
    char name[32];
    (void)user;
    (void)data;
    (void)n_row;
    (void)n_col;
    (void)snprintf(name, sizeof name, "%s %d", stage, index);
    step *s = find(name);
    s->ms[bench.call] += 1e3 * (now - bench.last);
    bench.last = kz_now();
}

/* ---- arithmetic, in multiply-adds a frame ---------------------------------------------------------------------- */

static double transformer_layer(const kz_stack_config *c) {
    const double d = (double)c->d_model, q = (double)(c->n_head * c->d_head), kv = (double)(c->n_kv * c->d_head);
    return d * (q + 2 * kv) + q * d + 3 * d * (double)c->d_ff + 2 * q * (double)c->window;
}

static double stage_work(const kz_codec_config *c, const char *stage, int index, double *n_row, double *n_ch) {
    const double latent = (double)c->d_latent, d_model = (double)c->transformer.d_model, book = (double)c->d_codebook;
    if (strcmp(stage, "rvq") == 0)
        return book * book;
    if (strcmp(stage, "pre_conv") == 0)
        return 3 * book * latent;
    if (strcmp(stage, "transformer_layer") == 0)
        return transformer_layer(&c->transformer) + (index == 0 ? latent * d_model : 0);
    if (strcmp(stage, "pre_transformer") == 0)
        return latent * d_model;
    if (strcmp(stage, "upsample_conv") == 0)
        return *n_row *= (double)c->upsample[index], *n_row * latent * latent;
    if (strcmp(stage, "upsample") == 0)
        return *n_row * latent * (8 * latent + 7);
    if (strcmp(stage, "block_0") == 0)
        return *n_ch = (double)c->d_decoder, *n_row * 7 * latent * *n_ch;
    if (strcmp(stage, "block_convt") == 0) {
        const double n_in = *n_ch;
        *n_ch = n_in / 2;
        *n_row *= (double)c->block_rate[index - 1];
        return *n_row * 2 * n_in * *n_ch;
    }
    if (strcmp(stage, "block_unit") == 0)
        return *n_row * 8 * *n_ch * *n_ch;
    return strcmp(stage, "final") == 0 ? *n_row * 7 * *n_ch : 0;
}

static void count_work(const kz_codec_config *c) {
    double n_row = 1, n_ch = 0;
    for (size_t i = 0; i < bench.n_step; i++) {
        char stage[32];
        int index;
        if (sscanf(bench.step[i].name, "%31s %d", stage, &index) == 2)
            bench.step[i].flop = 2 * stage_work(c, stage, index, &n_row, &n_ch);
    }
}

/* ---- running --------------------------------------------------------------------------------------------------- */

typedef struct rig {
    kz_config config;
    kz_weights *weights;
    kz_pool *pool;
    kz_decoder *decoder;
    kz_decoder_state *state;
    kz_code *codes;
    float *pcm;
    size_t n_frame;
} rig;

static kztts_status rig_open(rig *r, const char *model, size_t n_frame, int threads, kz_err *err) {
    char *dir = kz_path_join(model, "speech_tokenizer");
    if (!dir)
        return kz_fail_memory(err, 0, "a path");
    r->n_frame = n_frame;
    KZ_TRY(kz_config_read(&r->config, model, err));
    KZ_TRY(kz_weights_open_dir(&r->weights, dir, err));
    KZ_TRY(kz_pool_new(&r->pool, threads, err));
    KZ_TRY(kz_decoder_load(&r->decoder, &r->config.codec, r->weights, r->pool, err));
    KZ_TRY(kz_decoder_state_new(&r->state, r->decoder, KZ_DECODE_CONTINUOUS, n_frame, kz_pool_threads(r->pool), err));
    r->codes = kz_alloc(n_frame * r->config.codec.n_code, sizeof *r->codes);
    r->pcm = kz_alloc(n_frame * r->config.codec.frame_samples, sizeof *r->pcm);
    kz_free(dir);
    return r->codes && r->pcm ? KZTTS_OK : kz_fail_memory(err, 0, "codes");
}

static void rig_close(rig *r) {
    kz_free(r->codes);
    kz_free(r->pcm);
    kz_decoder_state_free(r->state);
    kz_decoder_free(r->decoder);
    kz_pool_free(r->pool);
    kz_weights_close(r->weights);
    kz_config_free(&r->config);
}

static void run_call(const kz_ctx *ctx, rig *r) {
    const size_t n = r->n_frame * r->config.codec.n_code;
    for (size_t i = 0; i < n; i++)
        r->codes[i] = (kz_code)((i * 7919 + bench.call * 104729) % r->config.codec.codebook_size);
    bench.last = kz_now();
    kz_decoder_run(ctx, r->decoder, r->state, r->codes, r->n_frame, r->pcm);
    on_tap(NULL, "final", 0, NULL, 0, 0);
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sort(double *sorted, const double *x, size_t n) {
    memcpy(sorted, x, n * sizeof *x);
    qsort(sorted, n, sizeof *sorted, by_size);
}

static double median(const double *x, size_t n) {
    static double sorted[MAX_CALL];
    sort(sorted, x, n);
    return sorted[n / 2];
}

/* ms: of n calls; flop: of a frame; peak in GFLOP/s */
static void print_line(const char *name, const double *ms, size_t n, size_t n_frame, double flop, double peak) {
    static double sorted[MAX_CALL];
    sort(sorted, ms, n);
    const double middle = sorted[n / 2] / (double)n_frame, best = sorted[0] / (double)n_frame;
    printf("%-20s %8.3f %8.3f %8.1f %8.1f", name, middle, best, 1e-6 * flop, middle > 0 ? 1e-6 * flop / middle : 0);
    if (peak > 0 && middle > 0)
        printf(" %6.0f %6.0f", 1e-4 * flop / middle / peak, 1e-4 * flop / best / peak);
    printf("\n");
}

static void print_all(size_t n_call, size_t n_frame, double peak) {
    static double total[MAX_CALL];
    double flop = 0;
    printf("%-20s %8s %8s %8s %8s %6s %6s\n", "layer", "ms/frame", "best", "MFLOP", "GFLOP/s", "%peak", "best");
    for (size_t i = 0; i < bench.n_step; i++) {
        step *s = &bench.step[i];
        flop += s->flop;
        for (size_t call = 1; call < n_call; call++)
            total[call] += s->ms[call];
        if (s->flop > 0 || s->ms[1] > 0.01)
            print_line(s->name, s->ms + 1, n_call - 1, n_frame, s->flop, peak);
    }
    print_line("all", total + 1, n_call - 1, n_frame, flop, peak);
}

static int fail(const char *message) {
    fprintf(stderr, "bench_codec: %s\n", message);
    return 1;
}

int main(int argc, char **argv) {
    static rig r;
    kz_err err = {""};
    const size_t n_frame = argc > 2 ? strtoul(argv[2], NULL, 10) : 1,
                 n_call = argc > 5 ? strtoul(argv[5], NULL, 10) : 20;
    if (argc < 2 || n_call < 2 || n_call > MAX_CALL || n_frame < 1)
        return fail("usage: bench_codec MODEL [frames a call] [threads] [cpu level] [calls]");
    const kz_kernels *k = kz_kernels_by_name(argc > 4 && *argv[4] ? argv[4] : "best");
    if (!k)
        return fail("no such cpu level here");
    if (rig_open(&r, argv[1], n_frame, argc > 3 ? atoi(argv[3]) : 0, &err) < 0)
        return fail(err.message);
    const kz_tap tap = {on_tap, NULL};
    const kz_ctx ctx = {.k = k, .pool = r.pool, .tap = &tap};
    static double peaks[MAX_CALL];
    for (bench.call = 0; bench.call < n_call; bench.call++) {
        run_call(&ctx, &r);
        peaks[bench.call] = bench_peak(r.pool, k->name);
    }
    const double peak = median(peaks, n_call);
    count_work(&r.config.codec);
    printf("%s, %d threads, %zu frames a call, peak %.1f GFLOP/s\n", k->name, kz_pool_threads(r.pool), n_frame, peak);
    print_all(n_call, n_frame, peak);
    rig_close(&r);
    return 0;
}
