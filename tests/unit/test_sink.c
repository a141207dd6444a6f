/* test_sink.c: every format that this build writes: read back, in any pieces, into pipes and onto full disks; speed, rate.
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "provenance.h"
#include "sink.h"
#include "source.h"

enum { RATE = 24000, N = 30011, MAX_FILE = 1 << 20, ENOUGH = 100 };

static const char comment[] = "AI-generated speech; engine: kztts; model: a b; voice: J\303\266rg";
static const double rate = RATE, length = N; /* the same for arithmetic */
static float pcm[N];
static char path[64];

/* A voice of 120 Hz with some harmonics, louder and softer. */
static int make_sound(void **state) {
    (void)state;
    for (int i = 0; i < N; i++) {
        double t = i / rate, x = 0;
        for (int h = 1; h < 12; h++)
            x += sin(6.283185307179586 * 120 * h * t) / h;
        pcm[i] = (float)(0.2 * x * (1 + 0.5 * sin(6.283185307179586 * 3 * t)));
    }
    snprintf(path, sizeof path, "sink.%ld", (long)getpid());
    signal(SIGPIPE, SIG_IGN);
    return 0;
}

static int remove_file(void **state) {
    (void)state;
    unlink(path);
    return 0;
}

/* The i-th format that makes files. */
static const kz_sink_type *format_at(int i) {
    const kz_sink_type *type;
    for (int k = 0; (type = kz_sink_type_at(k)) != NULL; k++)
        if (!type->text && !type->lacks && i-- == 0)
            return type;
    return NULL;
}

static size_t read_file(unsigned char **data) {
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    *data = malloc(MAX_FILE);
    size_t n = fread(*data, 1, MAX_FILE, f);
    fclose(f);
    return n;
}

static void write_in(kz_sink *sink, size_t piece) {
    for (size_t at = 0; at < N; at += piece)
        assert_int_equal(kz_sink_write(sink, pcm + at, piece < N - at ? piece : N - at), 0);
}

/* The file that a format makes of the sound, written in pieces. */
static size_t make_file(const kz_sink_type *type, const kz_sink_options *options, size_t piece, unsigned char **data) {
    kz_sink sink;
    assert_int_equal(kz_sink_open(&sink, type, options, path), 0);
    kz_sink_tag(&sink, comment, "kztts test");
    assert_int_equal(kz_sink_start(&sink, RATE), 0);
    write_in(&sink, piece);
    assert_int_equal(kz_sink_finish(&sink), 0);
    double speed = options && options->speed > 0 ? options->speed : 1;
    double seconds = length / rate / speed; /* whole periods are taken or repeated: within half a percent */
    assert_true(fabs(kz_sink_seconds(&sink) - seconds) <= (speed < 1 || speed > 1 ? 0.03 + 0.005 * seconds : 1e-4));
    assert_int_equal(kz_sink_close(&sink, true), 0);
    return read_file(data);
}

static bool is_raw(const kz_sink_type *type) { return type == &kz_sink_f32 || type == &kz_sink_pcm; }

static bool is_aac(const kz_sink_type *type) { return type == &kz_sink_aac || type == &kz_sink_m4a; }

/* How far the best match of the sound lies from where it should, and how good it is: 1 = the same. */
static double match(const kz_source_audio *audio) {
    double ab = 0, aa = 0, bb = 0;
    for (size_t i = 2000; i + 2000 < audio->n && i + 2000 < N; i++) {
        ab += (double)audio->pcm[i] * pcm[i];
        aa += (double)audio->pcm[i] * audio->pcm[i];
        bb += (double)pcm[i] * pcm[i];
    }
    return ab / sqrt(aa * bb + 1e-30);
}

static void check_read_back(const kz_sink_type *type, const unsigned char *data, size_t n, bool whole) {
    char message[KZ_SOURCE_MESSAGE];
    kz_source_audio audio;
    if (type == &kz_sink_mp3 || type == &kz_sink_opus || type == &kz_sink_flac) {
        if (kz_source_decode(data, n, type->name, RATE, NULL, &audio, message, sizeof message) != KZTTS_OK) {
            assert_non_null(strstr(message, "built without")); /* the reader, not the writer */
            return;
        }
    } else if (kz_source_decode(data, n, type->name, RATE, NULL, &audio, message, sizeof message) != KZTTS_OK) {
        fail_msg("%s: %s", type->name, message);
    }
    size_t more = whole ? ENOUGH : 1200; /* MP3 in a pipe: the encoder's delay can't be told */
    if (audio.n < N - 1 || audio.n > N + more)
        fail_msg("%s: %zu samples", type->name, audio.n);
    if (whole && match(&audio) < (type == &kz_sink_opus ? 0.95 : 0.99))
        fail_msg("%s: the sound is another (%g)", type->name, match(&audio));
    for (size_t i = 0; i < N && (type == &kz_sink_wav || type == &kz_sink_flac); i++)
        assert_true(audio.pcm[i] == (float)kz_pcm_s16(pcm[i]) / 32768);
    kz_source_free(&audio);
}

static void check_aac(const kz_sink_type *type, const unsigned char *data, size_t n) {
    kz_aac_info info;
    assert_true(kz_aac_inspect(data, n, &info));
    assert_int_equal(info.rate, RATE);
    assert_int_equal(info.channels, 1);
    double seconds = length / rate;
    if (type == &kz_sink_m4a)
        assert_true(info.seconds > seconds - 1e-9 && info.seconds < seconds + 1e-9);
    else
        assert_true(info.seconds >= seconds && info.seconds < seconds + 3 * 1024 / rate);
}

static void test_formats_are_read_back(void **state) {
    const kz_sink_type *type;
    (void)state;
    for (int i = 0; (type = format_at(i)) != NULL; i++) {
        unsigned char *data;
        kz_provenance p;
        size_t n = make_file(type, NULL, N, &data);
        assert_true(n > 1000);
        if (is_aac(type))
            check_aac(type, data, n);
        else if (!is_raw(type))
            check_read_back(type, data, n, true);
        kz_provenance_read(&p, data, n);
        if (!is_raw(type)) {
            assert_string_equal(p.comment, comment);
            assert_string_equal(p.software, "kztts test");
            assert_true(kz_provenance_generated(&p));
        }
        free(data);
    }
}

static void test_pieces_make_no_difference(void **state) {
    static const size_t pieces[] = {1, 7, 1000, 4096};
    const kz_sink_type *type;
    (void)state;
    for (int i = 0; (type = format_at(i)) != NULL; i++) {
        unsigned char *want, *got;
        size_t n = make_file(type, NULL, N, &want);
        for (int k = 0; k < 4; k++) {
            size_t m = make_file(type, NULL, pieces[k], &got);
            if (m != n || memcmp(got, want, n) != 0)
                fail_msg("%s: in pieces of %zu it is another file (%zu bytes, %zu)", type->name, pieces[k], m, n);
            free(got);
        }
        free(want);
    }
}

/* What a reader gets while the sound is written. */
static size_t through_pipe(const kz_sink_type *type, unsigned char *data) {
    int fds[2], saved = dup(STDOUT_FILENO);
    kz_sink sink;
    size_t n = 0;
    ssize_t part;
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(fcntl(fds[1], F_SETPIPE_SZ, MAX_FILE) >= N * 4, 1);
    fflush(stdout);
    dup2(fds[1], STDOUT_FILENO);
    assert_int_equal(kz_sink_open(&sink, type, NULL, NULL), 0);
    kz_sink_tag(&sink, comment, "kztts test");
    int error = kz_sink_start(&sink, RATE);
    for (size_t at = 0; at < N && !error; at += 1920)
        error = kz_sink_write(&sink, pcm + at, 1920 < N - at ? 1920 : N - at);
    error = error ? error : kz_sink_finish(&sink);
    kz_sink_close(&sink, true);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(fds[1]);
    assert_int_equal(error, type->patched ? KZ_SINK_REFUSED : 0);
    while ((part = read(fds[0], data + n, MAX_FILE - n)) > 0)
        n += (size_t)part;
    close(fds[0]);
    return n;
}

static void test_pipes(void **state) {
    const kz_sink_type *type;
    (void)state;
    unsigned char *data = malloc(MAX_FILE);
    for (int i = 0; (type = format_at(i)) != NULL; i++) {
        kz_provenance p;
        size_t n = through_pipe(type, data);
        assert_true(type->patched == (n == 0));
        if (n == 0 || is_raw(type))
            continue;
        if (is_aac(type))
            check_aac(type, data, n);
        else
            check_read_back(type, data, n, type != &kz_sink_mp3);
        kz_provenance_read(&p, data, n);
        assert_string_equal(p.comment, comment);
    }
    free(data);
}

static void test_reader_that_goes_is_seen_at_once(void **state) {
    const kz_sink_type *type;
    (void)state;
    for (int i = 0; (type = format_at(i)) != NULL; i++) {
        int fds[2], saved = dup(STDOUT_FILENO);
        kz_sink sink;
        if (type->patched)
            continue;
        assert_int_equal(pipe(fds), 0);
        fflush(stdout);
        dup2(fds[1], STDOUT_FILENO);
        close(fds[1]);
        assert_int_equal(kz_sink_open(&sink, type, NULL, NULL), 0);
        int error = kz_sink_start(&sink, RATE);
        error = error ? error : kz_sink_write(&sink, pcm, 1920);
        close(fds[0]);
        int after = kz_sink_write(&sink, pcm, 1);
        kz_sink_close(&sink, false);
        dup2(saved, STDOUT_FILENO);
        close(saved);
        assert_int_equal(error, 0);
        assert_int_equal(after, EPIPE);
    }
}

static void test_full_disk(void **state) {
    const kz_sink_type *type;
    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        print_message("SKIP: no /dev/full\n");
        return;
    }
    for (int i = 0; (type = format_at(i)) != NULL; i++) {
        kz_sink sink;
        if (type->patched)
            continue;
        assert_int_equal(kz_sink_open(&sink, type, NULL, "/dev/full"), 0);
        int error = kz_sink_start(&sink, RATE);
        error = error ? error : kz_sink_write(&sink, pcm, N);
        error = error ? error : kz_sink_finish(&sink);
        kz_sink_close(&sink, false);
        assert_int_equal(error, ENOSPC);
    }
}

/* One that is left half-way writes no more, and is removed. */
static void test_closed_without_end(void **state) {
    const kz_sink_type *type;
    (void)state;
    unlink(path);
    for (int i = 0; (type = format_at(i)) != NULL; i++) {
        kz_sink sink;
        assert_int_equal(kz_sink_open(&sink, type, NULL, path), 0);
        assert_int_equal(kz_sink_start(&sink, RATE), 0);
        assert_int_equal(kz_sink_write(&sink, pcm, 5000), 0);
        assert_int_equal(kz_sink_close(&sink, false), 0);
        assert_int_equal(access(path, F_OK), -1);
    }
}

/* ---- speed and rate ---------------------------------------------------------------------------------------------- */

/* The samples of the f32 sink with these options. */
static float *samples(const kz_sink_options *options, size_t piece, size_t *n) {
    unsigned char *data;
    *n = make_file(&kz_sink_f32, options, piece, &data) / 4;
    return (float *)(void *)data;
}

/* Samples of a period: where the sound is most like itself. */
static int period(const float *x, size_t n, int low, int high) {
    int best = 0;
    double most = -1e30;
    for (int lag = low; lag <= high; lag++) {
        double sum = 0;
        for (size_t i = n / 4; i < n / 2; i++)
            sum += (double)x[i] * x[i + (size_t)lag];
        if (sum > most) {
            most = sum;
            best = lag;
        }
    }
    return best;
}

static void test_speed(void **state) {
    static const double speeds[] = {0.25, 0.5, 0.8, 1.25, 2, 4};
    char message[KZ_SINK_MESSAGE];
    (void)state;
    if (kz_sink_check(&kz_sink_f32, &(kz_sink_options){.speed = 2}, 0, message, sizeof message) == KZ_SINK_LACKS) {
        print_message("SKIP: %s\n", message);
        return;
    }
    for (int i = 0; i < 6; i++) {
        kz_sink_options options = {.speed = speeds[i]};
        size_t n, n_other;
        float *want = samples(&options, N, &n);
        assert_true(fabs((double)n - length / speeds[i]) < 0.03 * rate + 0.005 * length / speeds[i]);
        int p = period(want, n, 150, 250);
        if (p < 194 || p > 206)
            fail_msg("at speed %g the period is %d samples, not 200", speeds[i], p);
        for (size_t piece = 1; piece < 3000; piece = 1 + 1919 * piece) {
            float *got = samples(&options, piece, &n_other);
            assert_int_equal(n_other, n);
            assert_memory_equal(got, want, 4 * n);
            free(got);
        }
        free(want);
    }
}

static void test_speed_of_one_touches_nothing(void **state) {
    (void)state;
    size_t n;
    float *got = samples(&(kz_sink_options){.speed = 1, .rate = RATE}, 1920, &n);
    assert_int_equal(n, N);
    assert_memory_equal(got, pcm, sizeof pcm);
    free(got);
}

/* What is beyond full scale doesn't wrap around. */
static void test_speed_of_loud_sound(void **state) {
    static float loud[RATE];
    char message[KZ_SINK_MESSAGE];
    (void)state;
    if (kz_sink_check(&kz_sink_f32, &(kz_sink_options){.speed = 2}, 0, message, sizeof message) == KZ_SINK_LACKS)
        return;
    kz_sink sink;
    for (int i = 0; i < RATE; i++)
        loud[i] = i % 200 < 100 ? 1.7f : -1.7f;
    assert_int_equal(kz_sink_open(&sink, &kz_sink_f32, &(kz_sink_options){.speed = 1.5}, path), 0);
    assert_int_equal(kz_sink_start(&sink, RATE), 0);
    assert_int_equal(kz_sink_write(&sink, loud, RATE), 0);
    assert_int_equal(kz_sink_finish(&sink), 0);
    assert_int_equal(kz_sink_close(&sink, true), 0);
    unsigned char *data;
    size_t n = read_file(&data) / 4;
    const float *x = (const float *)(const void *)data;
    for (size_t i = 2000; i + 2000 < n; i++)
        assert_true(fabsf(x[i]) > 0.9f || fabsf(x[i + 1]) > 0.9f || fabsf(x[i - 1]) > 0.9f);
    free(data);
}

/* At any time, where the next sample will be heard: in the end, where the sound ends. */
static void test_place(void **state) {
    static const double speeds[] = {1, 0.5, 1.5, 3};
    char message[KZ_SINK_MESSAGE];
    (void)state;
    for (int i = 0; i < 4; i++) {
        kz_sink sink;
        kz_sink_options options = {.speed = speeds[i]};
        if (kz_sink_check(&kz_sink_null, &options, RATE, message, sizeof message) != KZ_SINK_FITS)
            continue;
        assert_int_equal(kz_sink_open(&sink, &kz_sink_null, &options, NULL), 0);
        assert_true(kz_sink_place(&sink, 5) <= 0);
        assert_int_equal(kz_sink_start(&sink, RATE), 0);
        for (int at = 0; at + 1920 <= N; at += 1920) {
            double place = kz_sink_place(&sink, 960), right = (at + 960) / rate / speeds[i];
            assert_true(fabs(place - right) <= (i == 0 ? 1e-9 : 0.03 + 0.005 * right));
            assert_int_equal(kz_sink_write(&sink, pcm + at, 1920), 0);
        }
        assert_int_equal(kz_sink_finish(&sink), 0);
        assert_int_equal(kz_sink_close(&sink, true), 0);
    }
}

static void test_rate(void **state) {
    static const int rates[] = {8000, 16000, 22050, 44100, 48000, 96000};
    char message[KZ_SINK_MESSAGE];
    (void)state;
    if (kz_sink_check(&kz_sink_f32, &(kz_sink_options){.rate = 8000}, RATE, message, sizeof message) == KZ_SINK_LACKS) {
        print_message("SKIP: %s\n", message);
        return;
    }
    for (int i = 0; i < 6; i++) {
        kz_sink_options options = {.rate = rates[i]};
        size_t n, n_other;
        float *want = samples(&options, N, &n);
        assert_true(fabs((double)n - length * rates[i] / rate) <= 1);
        int p = period(want, n, rates[i] / 160, rates[i] / 96), right = rates[i] / 120;
        assert_true(p >= right - 1 && p <= right + 1);
        for (size_t piece = 1; piece < 3000; piece = 1 + 1919 * piece) {
            float *got = samples(&options, piece, &n_other);
            assert_int_equal(n_other, n);
            assert_memory_equal(got, want, 4 * n);
            free(got);
        }
        free(want);
    }
}

/* ---- what can't be ----------------------------------------------------------------------------------------------- */

static void test_misfits(void **state) {
    static const struct {
        const kz_sink_type *type;
        kz_sink_options options;
        const char *says;
    } cases[] = {
        {&kz_sink_mp3, {.rate = 96000}, "--rate takes for it: 8000"},
        {&kz_sink_aac, {.rate = 10000}, "--rate takes for it: 96000"},
        {&kz_sink_m4a, {.rate = 192000}, "192000 samples a second"},
        {&kz_sink_mp3, {.bitrate = 200}, "at most 160 kbit/s at 24000"},
        {&kz_sink_mp3, {.bitrate = 200, .rate = 8000}, "at most 64 kbit/s at 8000"},
        {&kz_sink_opus, {.bitrate = 300}, "at most 256"},
        {&kz_sink_aac, {.bitrate = 145}, "at most 144"},
        {&kz_sink_wav, {.bitrate = 64}, "wav has none"},
        {&kz_sink_flac, {.bitrate = 64}, "flac has none"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char message[KZ_SINK_MESSAGE] = "";
        kz_sink_fit fit = kz_sink_check(cases[i].type, &cases[i].options, RATE, message, sizeof message);
        if (cases[i].type->lacks) {
            assert_int_equal(fit, KZ_SINK_LACKS);
            assert_non_null(strstr(message, "built without"));
            continue;
        }
        assert_int_equal(fit, KZ_SINK_MISFIT);
        if (!strstr(message, cases[i].says))
            fail_msg("'%s' has no '%s'", message, cases[i].says);
    }
}

static void test_lacks_name_the_package(void **state) {
    const kz_sink_type *type;
    (void)state;
    for (int i = 0; (type = kz_sink_type_at(i)) != NULL; i++)
        if (type->lacks) {
            kz_sink sink;
            assert_non_null(strstr(type->lacks, "(package lib"));
            assert_int_equal(kz_sink_open(&sink, type, NULL, path), 0);
            assert_int_equal(kz_sink_start(&sink, RATE), KZ_SINK_REFUSED);
            assert_non_null(strstr(sink.message, type->lacks));
            assert_int_equal(kz_sink_close(&sink, false), 0);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats_are_read_back),
        cmocka_unit_test(test_pieces_make_no_difference),
        cmocka_unit_test(test_pipes),
        cmocka_unit_test(test_reader_that_goes_is_seen_at_once),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_closed_without_end),
        cmocka_unit_test(test_speed),
        cmocka_unit_test(test_speed_of_one_touches_nothing),
        cmocka_unit_test(test_speed_of_loud_sound),
        cmocka_unit_test(test_place),
        cmocka_unit_test(test_rate),
        cmocka_unit_test(test_misfits),
        cmocka_unit_test(test_lacks_name_the_package),
    };
    return cmocka_run_group_tests(tests, make_sound, remove_file);
}
