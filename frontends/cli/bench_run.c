/* bench_run.c: one test: a model opened anew, a text spoken several times.  SPDX-License-Identifier: Apache-2.0
 *
 * Each repetition is a new voice, so that the whole prompt is computed, and then one frame more with the same voice: how
 * soon it is heard once it is known. All must be the same bits. The limits are measured before and after it, with the model's
 * own sizes: a machine's speed changes by the minute. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "bench.h"
#include "sink.h"
#include "source.h"
#include "test_voice.h"

static const char text[] = "Hello, world. This is a test of how quickly the whole chain works on this machine.";

enum { FRAMES = 60, READ = 4096, MOST_READ = 512 << 20 /* bytes of memory that reading is measured with */ };

typedef struct spoken {
    double wall, first;
    kztts_summary summary;
    kz_passes passes;
    char md5[33];
} spoken;

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* The peak begins anew, where the system can do that. */
static void reset_peak(void) {
    FILE *f = fopen("/proc/self/clear_refs", "w");
    if (f) {
        fputs("5", f);
        fclose(f);
    }
}

static double peak_mib(void) {
    char line[128];
    unsigned long long kib = 0;
    struct rusage usage;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "VmHWM:", 6) == 0)
            kib = strtoull(line + 6, NULL, 10);
    if (f)
        fclose(f);
    if (kib == 0 && getrusage(RUSAGE_SELF, &usage) == 0)
        kib = (unsigned long long)usage.ru_maxrss;
    return (double)kib / 1024;
}

/* ---- speaking ---------------------------------------------------------------------------------------------------- */

static void add_md5(kz_md5 *md5, const float *pcm, size_t n) {
    unsigned char bytes[2 * READ];
    kz_pcm_s16_bytes(pcm, n, bytes);
    kz_md5_update(md5, bytes, 2 * n);
}

/* Reads to the end; the hash isn't part of the time. */
static kztts_status read_all(kztts_stream *stream, spoken *s, double begin) {
    float pcm[READ];
    size_t n;
    double aside = 0;
    kz_md5 md5;
    kztts_status status;
    kz_md5_init(&md5);
    while ((status = kztts_stream_read(stream, pcm, READ, &n)) == KZTTS_OK) {
        double came = kz_cli_now();
        if (s->first == 0)
            s->first = came - begin;
        add_md5(&md5, pcm, n);
        aside += kz_cli_now() - came;
    }
    s->wall = kz_cli_now() - begin - aside;
    kz_md5_hex(&md5, s->md5);
    return status;
}

static int speak(const kz_opened *m, const kztts_voice *voice, int frames, spoken *s) {
    kztts_stream_options options;
    kztts_stream *stream = NULL;
    memset(s, 0, sizeof *s);
    s->summary.size = sizeof s->summary;
    kztts_stream_options_init(&options, sizeof options);
    options.max_frames = frames;
    options.sample = options.sub_sample = 0;
    double begin = kz_cli_now();
    kztts_status status = kztts_stream_open(&stream, m->model, voice, &options);
    if (status >= 0)
        status = kztts_stream_put(stream, text, sizeof text - 1);
    if (status >= 0)
        status = kztts_stream_finish(stream);
    if (status >= 0)
        status = read_all(stream, s, begin);
    if (status >= 0)
        status = kztts_stream_get_summary(stream, &s->summary);
    if (status >= 0)
        kz_passes_add(&s->passes, stream);
    int code = status < 0 ? kz_cli_fail_status(status, stream ? kztts_stream_message(stream) : NULL) : KZ_GO_ON;
    if (code == KZ_GO_ON && s->summary.frames == 0)
        code = kz_cli_fail(KZ_EXIT_FAILED, "the model says nothing: there is nothing to measure");
    kztts_stream_close(&stream);
    return code;
}

/* With a new voice, then a frame more with the same. */
static int speak_twice(const kz_opened *m, int frames, spoken *s, spoken *again) {
    kztts_voice *voice = NULL;
    kztts_status status = kz_test_voice(&voice, m);
    int code = status < 0 ? kz_cli_fail_status(status, voice ? kztts_voice_message(voice) : NULL) : KZ_GO_ON;
    if (code == KZ_GO_ON)
        code = speak(m, voice, frames, s);
    if (code == KZ_GO_ON)
        code = speak(m, voice, 1, again);
    kztts_voice_close(&voice);
    return code;
}

static int keep(kz_bench_row *row, const kz_opened *m, const spoken *s, const spoken *again) {
    const kztts_summary *sum = &s->summary;
    const double frames = (double)sum->frames, seconds = frames * m->info.frame_samples / m->info.sample_rate;
    const int i = row->n_sample++;
    if (i > 0 && strcmp(row->md5, s->md5) != 0)
        return kz_cli_fail(KZ_EXIT_FAILED, "repetition %d gave another sound (md5 %s, not %s): this must not happen",
                           i + 1, s->md5, row->md5);
    memcpy(row->md5, s->md5, sizeof row->md5);
    row->frames = sum->frames;
    row->prompt_rows = sum->prompt_rows;
    kz_passes_merge(&row->passes, &s->passes);
    row->sample[KZ_BENCH_PREFILL][i] = 1e3 * sum->prefill_s;
    row->sample[KZ_BENCH_FIRST][i] = 1e3 * s->first;
    row->sample[KZ_BENCH_AGAIN][i] = 1e3 * again->first;
    row->sample[KZ_BENCH_TALKER][i] = 1e3 * sum->talker_s / frames;
    row->sample[KZ_BENCH_PREDICTOR][i] = 1e3 * sum->predictor_s / frames;
    row->sample[KZ_BENCH_HEADS][i] = 1e3 * sum->heads_s / frames;
    row->sample[KZ_BENCH_CODEC][i] = 1e3 * sum->decoder_s / frames;
    row->sample[KZ_BENCH_RTF][i] = s->wall / seconds;
    row->sample[KZ_BENCH_FRAMES_S][i] = frames / s->wall;
    return KZ_GO_ON;
}

static int repeat(const kz_args *args, const kz_bench_test *test, const kz_opened *m, kz_bench_row *row) {
    const kz_value *limit = &args->value[KZ_OPT_MAX_FRAMES];
    const int frames = limit->given || limit->from_env ? limit->integer : FRAMES, aside = test->warm_up;
    spoken s, again;
    double *block = calloc(KZ_BENCH_METRICS * (size_t)test->repetitions, sizeof *block);
    if (!block)
        return kz_cli_fail(KZ_EXIT_MEMORY, "out of memory");
    for (int i = 0; i < KZ_BENCH_METRICS; i++)
        row->sample[i] = block + i * test->repetitions;
    for (int i = 0; i < test->repetitions + aside; i++) {
        int code = speak_twice(m, frames, &s, &again);
        if (i == 0)
            row->cold_ms = 1e3 * s.first;
        if (code == KZ_GO_ON && i >= aside)
            code = keep(row, m, &s, &again);
        if (code != KZ_GO_ON)
            return code;
    }
    return KZ_GO_ON;
}

static int compare_numbers(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One that was held up by something else on the machine doesn't move it. */
double kz_bench_median(const double *x, int n) {
    double sorted[KZ_BENCH_MAX];
    if (n < 1 || n > KZ_BENCH_MAX)
        return 0;
    memcpy(sorted, x, (size_t)n * sizeof *x);
    qsort(sorted, (size_t)n, sizeof *sorted, compare_numbers);
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

double kz_bench_deviation(const double *x, int n) {
    double mean = 0, sum = 0;
    for (int i = 0; i < n; i++)
        mean += x[i] / n;
    for (int i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return n > 1 ? sqrt(sum / (n - 1)) : 0;
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

static double read_rate(kz_limits *limits, uint64_t n_byte) {
    return kz_limits_read(limits, n_byte < MOST_READ ? (size_t)n_byte : (size_t)MOST_READ);
}

/* Its layers once a code, its heads once a frame, after the talker and the codec have gone through the caches. */
static double predictor_rate(kz_limits *limits, const kztts_model_info *in) {
    const int passes = in->code_groups - 1;
    const uint64_t other = in->talker_bytes + in->codec_bytes,
                   layers = passes > 1 ? (in->predictor_frame_bytes - in->predictor_bytes) / (uint64_t)(passes - 1)
                                       : in->predictor_bytes;
    const double seconds = kz_limits_repeat(limits, other < MOST_READ ? (size_t)other : (size_t)MOST_READ,
                                            (size_t)layers, (size_t)(in->predictor_bytes - layers), passes);
    return seconds > 0 ? 1e-9 * (double)in->predictor_frame_bytes / seconds : 0;
}

/* Percent that the least time is of the one taken: the longer of reading and computing. 0: a limit isn't known. */
static double percent(double ms, double n_byte, double rate, double n_product, double peak) {
    if (ms <= 0 || rate <= 0 || (n_product > 0 && peak <= 0))
        return 0;
    double reading = 1e-6 * n_byte / rate, computing = n_product > 0 ? 2e-6 * n_product / peak : 0;
    return 100 * (reading > computing ? reading : computing) / ms;
}

static double larger(double a, double b) { return a > b ? a : b; }

/* With as many threads as the codec has. */
static int measure_codec_limits(const kztts_model_info *in, uint64_t n_byte, kz_bench_row *row) {
    if (in->codec_threads == in->threads) {
        row->codec_read = row->read_all;
        row->codec_fma = row->fma;
        return KZ_GO_ON;
    }
    kz_limits *limits = kz_limits_open(in->codec_threads);
    if (!limits)
        return kz_cli_fail(KZ_EXIT_MEMORY, "out of memory for the threads that measure the limits");
    row->codec_read = larger(row->codec_read, read_rate(limits, n_byte));
    row->codec_fma = larger(row->codec_fma, kz_limits_fma(limits, in->cpu));
    kz_limits_close(limits);
    return KZ_GO_ON;
}

/* The best of this and earlier times. */
static int measure_limits(const kztts_model_info *in, kz_bench_row *row) {
    kz_limits *limits = kz_limits_open(in->threads);
    if (!limits)
        return kz_cli_fail(KZ_EXIT_MEMORY, "out of memory for the threads that measure the limits");
    /* a frame goes through all weights, so what the talker left in caches is gone */
    const uint64_t all = in->talker_bytes + in->predictor_bytes + in->codec_bytes;
    row->read_all = larger(row->read_all, read_rate(limits, all));
    row->read_predictor = larger(row->read_predictor, predictor_rate(limits, in));
    row->fma = larger(row->fma, kz_limits_fma(limits, in->cpu));
    row->int8 = larger(row->int8, kz_limits_int8(limits, in->cpu));
    kz_limits_close(limits);
    return measure_codec_limits(in, all, row);
}

static void compare_limits(const kztts_model_info *in, kz_bench_row *row) {
    const bool bytes = in->talker_weights[0] == 'q';
    double ms[KZ_BENCH_METRICS];
    for (int i = 0; i < KZ_BENCH_METRICS; i++)
        ms[i] = kz_bench_median(row->sample[i], row->n_sample);
    row->percent[0] = percent(ms[KZ_BENCH_PREFILL], (double)in->talker_bytes, row->read_all,
                              (double)in->talker_products * row->prompt_rows, bytes ? row->int8 : row->fma);
    row->percent[1] = percent(ms[KZ_BENCH_TALKER], (double)in->talker_bytes, row->read_all, 0, 0);
    row->percent[2] = percent(ms[KZ_BENCH_PREDICTOR], (double)in->predictor_frame_bytes, row->read_predictor, 0, 0);
    row->percent[3] = percent(ms[KZ_BENCH_CODEC], (double)in->codec_bytes, row->codec_read, (double)in->codec_products,
                              row->codec_fma);
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static void describe(kz_bench_row *row, const kz_opened *m) {
    const kztts_model_info *in = &m->info;
    const char *slash = strrchr(m->path, '/');
    snprintf(row->model, sizeof row->model, "%s", slash && slash[1] ? slash + 1 : m->path);
    snprintf(row->type, sizeof row->type, "%s", in->type);
    snprintf(row->size, sizeof row->size, "%s", in->model_size);
    snprintf(row->cpu, sizeof row->cpu, "%s", in->cpu);
    snprintf(row->weights, sizeof row->weights, "%s/%s/%s", in->talker_weights, in->predictor_weights,
             in->codec_weights);
    row->threads = in->threads;
    row->codec_threads = in->codec_threads;
}

int kz_bench_measure(const kz_args *args, const kz_bench_test *test, kz_bench_row *row) {
    kz_args own = *args;
    kz_opened m;
    memset(row, 0, sizeof *row);
    own.value[KZ_OPT_THREADS].integer = test->threads;
    own.value[KZ_OPT_CODEC_THREADS].integer = test->codec_threads;
    own.value[KZ_OPT_QUANT].text = test->quant;
    reset_peak();
    double begin = kz_cli_now();
    int code = kz_cli_open_model_at(&own, args->value[KZ_OPT_MODEL].text, true, &m);
    row->load_ms = 1e3 * (kz_cli_now() - begin);
    if (code == KZ_GO_ON) {
        describe(row, &m);
        row->peak_mib = peak_mib();
        code = measure_limits(&m.info, row);
    }
    reset_peak();
    if (code == KZ_GO_ON)
        code = repeat(args, test, &m, row);
    row->peak_mib = larger(row->peak_mib, peak_mib());
    if (code == KZ_GO_ON && (code = measure_limits(&m.info, row)) == KZ_GO_ON)
        compare_limits(&m.info, row);
    kz_cli_close_model(&m);
    return code;
}

void kz_bench_row_free(kz_bench_row *row) {
    free(row->sample[0]);
    memset(row->sample, 0, sizeof row->sample);
}
