/* test_source.c: recordings of every kind give the samples that are in them.  SPDX-License-Identifier: Apache-2.0
 *
 * Built twice: with the libraries, and with none of them, where only 16-bit and float WAV at the rate asked for is read.
 * Other containers are in test_source_containers.c, refusals in the tables of test_source_refusals.c. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mkdtemp */
#endif
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "internal.h"
#include "recordings.h"
#include "source.h"

#define LENGTH(a) (sizeof(a) / sizeof *(a))

enum { RATE = 24000, CLIP = 36000 };

static char message[KZ_SOURCE_MESSAGE];
static kz_source_audio audio;

static kztts_status decode_at(const bytes *b, int rate) {
    /* a copy of exactly this size: reading beyond it is seen by the address sanitizer */
    unsigned char *copy = malloc(b->n ? b->n : 1);
    assert_non_null(copy);
    memcpy(copy, b->data, b->n);
    kztts_status status = kz_source_decode(copy, b->n, "clip", rate, NULL, &audio, message, sizeof message);
    free(copy);
    return status;
}

static void must_decode(const bytes *b) {
    if (decode_at(b, RATE) != KZTTS_OK)
        fail_msg("%s", message);
    assert_string_equal(message, "");
}

static void must_equal(const float *want, size_t n) {
    assert_int_equal(audio.n, n);
    for (size_t i = 0; i < n; i++)
        if (memcmp(&audio.pcm[i], &want[i], sizeof *want) != 0)
            fail_msg("sample %zu is %.9g, expected %.9g", i, (double)audio.pcm[i], (double)want[i]);
    kz_source_free(&audio);
}

static const float *clip(void) {
    static float pcm[CLIP];
    static int made;
    if (!made)
        speech_like(pcm, CLIP, RATE, -20, -60, 1);
    made = 1;
    return pcm;
}

/* ---- WAV: how samples are written -------------------------------------------------------------------------- */

typedef struct coding {
    const char *name;
    unsigned tag, bits;
    int plain;   /* read without libsndfile too */
    double full; /* of integer samples: 1.0 is this number */
} coding;

static const coding codings[] = {
    {"8-bit PCM", 1, 8, 0, 128},       {"16-bit PCM", 1, 16, 1, 32768},
    {"24-bit PCM", 1, 24, 0, 8388608}, {"32-bit PCM", 1, 32, 0, 2147483648.0},
    {"32-bit float", 3, 32, 1, 0},     {"64-bit float", 3, 64, 0, 0},
};

static void put_sample(bytes *b, const coding *c, double x, int big_endian) {
    uint64_t bits;
    if (c->tag == 3 && c->bits == 64) {
        memcpy(&bits, &x, 8);
    } else if (c->tag == 3) {
        float f = (float)x;
        uint32_t bits32;
        memcpy(&bits32, &f, 4);
        bits = bits32;
    } else {
        int64_t k = (int64_t)(x * c->full); /* whole by the choice of values */
        bits = (uint64_t)(c->bits == 8 ? k + 128 : k);
    }
    bytes_number(b, bits, c->bits / 8, big_endian);
}

/* Values that all codings hold exactly; the last ones are beyond 8 bits. */
static const double values[] = {0, 0.5, -0.5, -1, 0.25, 127.0 / 128, -127.0 / 128, 1.0 / 128, -1.0 / 128, 0, 0.75};

static void put_values(bytes *b, const coding *c, int big_endian) {
    for (size_t i = 0; i < LENGTH(values); i++)
        put_sample(b, c, values[i], big_endian);
}

static void must_refuse(const bytes *b, const char *fragment) {
    assert_int_equal(decode_at(b, RATE), KZTTS_ERROR_FORMAT);
    if (!strstr(message, fragment))
        fail_msg("\"%s\" has no \"%s\"", message, fragment);
    assert_null(audio.pcm);
}

static int has_sndfile(void) {
#ifdef KZ_WITH_SNDFILE
    return 1;
#else
    return 0;
#endif
}

static void check_coding(const coding *c, wav_kind kind) {
    float want[LENGTH(values)];
    char format[64];
    bytes samples = {0}, file = {0};
    kind.tag = c->tag;
    kind.bits = c->bits;
    put_values(&samples, c, kind.big_endian);
    wav_write(&file, &kind, samples.data, samples.n);
    for (size_t i = 0; i < LENGTH(values); i++)
        want[i] = (float)values[i];
    if (has_sndfile() || c->plain) {
        must_decode(&file);
        snprintf(format, sizeof format, "WAV, %s", c->name);
        assert_string_equal(audio.format, format);
        assert_int_equal(audio.channels, 1);
        assert_int_equal(audio.file_rate, RATE);
        assert_int_equal(audio.rate, RATE);
        must_equal(want, LENGTH(values));
    } else {
        must_refuse(&file, "built without libsndfile");
    }
    bytes_free(&samples);
    bytes_free(&file);
}

static void test_source_wav_codings(void **state) {
    (void)state;
    for (size_t i = 0; i < LENGTH(codings); i++) {
        check_coding(&codings[i], (wav_kind){0});
        check_coding(&codings[i], (wav_kind){.extensible = 1});
        check_coding(&codings[i], (wav_kind){.big_endian = 1});
        check_coding(&codings[i], (wav_kind){.before = 1, .after = 1});
        check_coding(&codings[i], (wav_kind){.before = 1, .extensible = 1});
    }
}

/* All 65536 values, exactly. */
static void test_source_wav_s16_all(void **state) {
    (void)state;
    static float want[65536];
    bytes samples = {0}, file = {0};
    for (int i = 0; i < 65536; i++) {
        want[i] = (float)(i - 32768) / 32768.0f;
        bytes_number(&samples, (uint64_t)(i - 32768), 2, 0);
    }
    wav_write(&file, &(wav_kind){0}, samples.data, samples.n);
    must_decode(&file);
    must_equal(want, 65536);
    bytes_free(&samples);
    bytes_free(&file);
}

/* Floats come through as they are, beyond full scale and the smallest too. */
static void test_source_wav_float_as_is(void **state) {
    (void)state;
    static const float want[] = {0.1f, -0.3f, 1.0f, -1.0f, 1.5f, -2.25f, 1e-30f, 1e-40f, 12345.678f};
    bytes samples = {0}, file = {0};
    for (size_t i = 0; i < LENGTH(want); i++)
        put_sample(&samples, &codings[4], (double)want[i], 0);
    wav_write(&file, &(wav_kind){.tag = 3, .bits = 32}, samples.data, samples.n);
    must_decode(&file);
    must_equal(want, LENGTH(want));
    bytes_free(&samples);
    bytes_free(&file);
}

/* Known pairs of the ITU tables. */
static void test_source_wav_companded(void **state) {
    (void)state;
    static const unsigned char mu[] = {0xff, 0x7f, 0x80, 0x00, 0xf0, 0x70, 0xdf}, a[] = {0xd5, 0x55, 0xaa, 0x2a, 0xd4};
    static const float want_mu[] = {0, 0, 32124, -32124, 120, -120, 396}, want_a[] = {8, -8, 32256, -32256, 24};
    for (int k = 0; k < 2; k++) {
        const float *table = k ? want_a : want_mu;
        size_t n = k ? LENGTH(a) : LENGTH(mu);
        float want[8];
        bytes file = {0};
        for (size_t i = 0; i < n; i++)
            want[i] = table[i] / 32768.0f;
        wav_write(&file, &(wav_kind){.tag = k ? 6 : 7, .bits = 8}, k ? a : mu, n);
        if (has_sndfile()) {
            must_decode(&file);
            assert_string_equal(audio.format, k ? "WAV, A-law" : "WAV, mu-law");
            must_equal(want, n);
        } else {
            must_refuse(&file, "built without libsndfile");
        }
        bytes_free(&file);
    }
}

/* ---- WAV: sizes -------------------------------------------------------------------------------------------- */

/* What programs leave that write to a pipe or are stopped. */
static void test_source_wav_stream_sizes(void **state) {
    (void)state;
    static const uint32_t sizes[][2] = {
        {UINT32_MAX, UINT32_MAX},
        {UINT32_MAX, 0},
        {0, 0},
        {0, UINT32_MAX},
        {0x7ffff024, 0x7ffff000},
        {0x80000024u, 0x80000000u},
        {0x7fffffff, 0x7fffffdb},
        {UINT32_MAX, UINT32_MAX - 36},
    };
    for (size_t i = 0; i < LENGTH(sizes); i++)
        for (int be = 0; be < 2; be++) {
            wav_kind kind = {
                .sizes = 1, .riff_size = sizes[i][0], .data_size = sizes[i][1], .big_endian = be, .before = (int)i % 2};
            bytes file = {0};
            wav_write_speech(&file, &kind, CLIP);
            must_decode(&file);
            must_equal(clip(), CLIP);
            bytes_free(&file);
        }
}

/* A few bytes less than announced are a sloppy writer's, not a cut; half a frame at the end is dropped. */
static void test_source_wav_sloppy_sizes(void **state) {
    (void)state;
    static const uint32_t extra[] = {1, 8, 44, 64};
    for (size_t i = 0; i < LENGTH(extra); i++) {
        bytes file = {0};
        wav_write_speech(&file, &(wav_kind){.sizes = 1, .riff_size = 36 + 2 * CLIP, .data_size = 2 * CLIP + extra[i]},
                         CLIP);
        must_decode(&file);
        must_equal(clip(), CLIP);
        bytes_free(&file);
    }
    bytes file = {0};
    wav_write_speech(&file, &(wav_kind){0}, 1001);
    file.n--; /* the last sample has one byte */
    must_decode(&file);
    must_equal(clip(), 1000);
    bytes_free(&file);
}

static void test_source_wav_rf64(void **state) {
    (void)state;
    bytes file = {0};
    wav_write_speech(&file, &(wav_kind){.rf64 = 1}, CLIP);
    must_decode(&file);
    must_equal(clip(), CLIP);
    bytes_free(&file);
}

/* ---- channels ---------------------------------------------------------------------------------------------- */

static void test_source_channels_mean(void **state) {
    (void)state;
    static const int counts[] = {1, 2, 3, 4, 5, 6, 7, 64};
    for (size_t k = 0; k < LENGTH(counts); k++) {
        enum { FRAMES = 5000 };
        static float want[FRAMES];
        int channels = counts[k];
        bytes samples = {0}, file = {0};
        for (int i = 0; i < FRAMES; i++) {
            float sum = 0;
            for (int c = 0; c < channels; c++) {
                int x = (i * 7919 + c * 104729) % 65536 - 32768;
                bytes_number(&samples, (uint64_t)x, 2, 0);
                sum += (float)x / 32768.0f;
            }
            want[i] = sum / (float)channels;
        }
        wav_write(&file, &(wav_kind){.channels = channels}, samples.data, samples.n);
        must_decode(&file);
        assert_int_equal(audio.channels, channels);
        must_equal(want, FRAMES);
        bytes_free(&samples);
        bytes_free(&file);
    }
}

/* ---- rates ------------------------------------------------------------------------------------------------- */

static void sine_wav(bytes *file, int rate, size_t n, double hz) {
    bytes samples = {0};
    for (size_t i = 0; i < n; i++)
        put_sample(&samples, &codings[4], 0.5 * sin(2 * 3.14159265358979323846 * hz * (double)i / rate), 0);
    wav_write(file, &(wav_kind){.rate = rate, .tag = 3, .bits = 32}, samples.data, samples.n);
    bytes_free(&samples);
}

/* ceil(n * 24000 / rate) samples, in phase and at the same level: no delay, no gain. */
static void test_source_resample(void **state) {
    (void)state;
    static const int rates[] = {4000, 8000, 11025, 16000, 22050, 32000, 44100, 48000, 88200, 96000, 192000, 384000};
    static const size_t lengths[] = {1, 2, 3, 7, 441, 997, 24000, 44100};
    for (size_t r = 0; r < LENGTH(rates); r++)
        for (size_t k = 0; k < LENGTH(lengths); k++) {
            bytes file = {0};
            size_t n = lengths[k], want = (size_t)ceil((double)n * 24000 / rates[r] - 1e-9);
            sine_wav(&file, rates[r], n, 440);
            assert_int_equal(kz_resampled_length(n, rates[r], RATE), want);
#ifdef KZ_WITH_SOXR
            must_decode(&file);
            assert_int_equal(audio.n, want);
            assert_int_equal(audio.rate, RATE);
            assert_int_equal(audio.file_rate, rates[r]);
            /* away from the ends the filter has all its input; 20 bits are 1e-6 of full scale */
            for (size_t i = 2000; i + 2000 < want; i++) {
                double x = 0.5 * sin(2 * 3.14159265358979323846 * 440 * (double)i / (double)RATE);
                if (fabs((double)audio.pcm[i] - x) > 5e-6)
                    fail_msg("%d Hz: sample %zu is %g, expected %g", rates[r], i, (double)audio.pcm[i], x);
            }
            kz_source_free(&audio);
#else
            must_refuse(&file, "built without libsoxr, which resamples: give a recording at 24000 Hz");
#endif
            bytes_free(&file);
        }
}

/* Any rate may be asked for; the file's own needs no library. */
static void test_source_other_target(void **state) {
    (void)state;
    bytes file = {0};
    wav_write_speech(&file, &(wav_kind){.rate = 16000}, 5000);
    assert_int_equal(decode_at(&file, 16000), KZTTS_OK);
    assert_int_equal(audio.n, 5000);
    assert_int_equal(audio.rate, 16000);
    assert_true(audio.seconds == 5000.0 / 16000);
    kz_source_free(&audio);
    bytes_free(&file);
}

/* ---- other containers -------------------------------------------------------------------------------------------- */

#ifndef KZ_WITH_SNDFILE
static void test_source_without_library(void **state) {
    (void)state;
    bytes flac = {0}, ogg = {0}, opus = {0};
    bytes_put(&flac, "fLaC\x80\0\0\0audio", 13);
    must_refuse(&flac, "is FLAC, and this program was built without libsndfile, which reads it; WAV");
    bytes_put(&ogg, "OggS\0\2\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1\7\1vorbis", 35);
    for (int i = 0; i < 2; i++)
        bytes_put(&ogg, "OggS\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0", 27);
    must_refuse(&ogg, "is Ogg Vorbis, and this program was built without libsndfile");
    bytes_put(&opus, "OggS\0\2\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1\10OpusHead", 36);
    for (int i = 0; i < 2; i++)
        bytes_put(&opus, "OggS\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0", 27);
    must_refuse(&opus, "is Opus, and this program was built without libopusfile");
    bytes_free(&flac);
    bytes_free(&ogg);
    bytes_free(&opus);
}
#endif

/* ---- files and standard input ------------------------------------------------------------------------------ */

static char folder[512];

static int make_folder(void **state) {
    const char *tmp = getenv("TMPDIR");
    (void)state;
    snprintf(folder, sizeof folder, "%s/kztts-source-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder);
}

static void write_file(const char *path, const bytes *b) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(b->data, 1, b->n, f), b->n);
    assert_int_equal(fclose(f), 0);
}

static kztts_status read_path(const char *path, size_t max, double seconds) {
    kz_source_limits limits = {.bytes = max, .seconds = seconds};
    return kz_source_read(path, RATE, &limits, &audio, message, sizeof message);
}

static void test_source_file(void **state) {
    (void)state;
    char path[600];
    bytes file = {0};
    snprintf(path, sizeof path, "%s/clip.wav", folder);
    wav_write_speech(&file, &(wav_kind){0}, CLIP);
    write_file(path, &file);
    assert_int_equal(read_path(path, 0, 0), KZTTS_OK);
    must_equal(clip(), CLIP);
    assert_int_equal(read_path(path, file.n, 1.5), KZTTS_OK); /* exactly at both limits */
    must_equal(clip(), CLIP);

    assert_int_equal(read_path(path, file.n - 1, 0), KZTTS_ERROR_ARGUMENT);
    assert_non_null(strstr(message, "clip.wav' has 72044 bytes, the limit is 72043: cut the recording"));
    assert_int_equal(read_path(path, 0, 1.25), KZTTS_ERROR_ARGUMENT);
    assert_non_null(strstr(message, "clip.wav' is 1.5 s long, the limit is 1.25 s: cut the recording"));
    assert_null(audio.pcm);

    file.n = 0;
    write_file(path, &file);
    assert_int_equal(read_path(path, 0, 0), KZTTS_ERROR_FORMAT);
    assert_non_null(strstr(message, "clip.wav' is empty"));
    assert_int_equal(remove(path), 0);
    assert_int_equal(read_path(path, 0, 0), KZTTS_ERROR_NOT_FOUND);
    assert_non_null(strstr(message, "can't open '"));
    assert_non_null(strstr(message, "clip.wav': No such file or directory"));
    assert_int_equal(read_path(folder, 0, 0), KZTTS_ERROR_FORMAT);
    assert_non_null(strstr(message, "is a folder, not a recording"));
    bytes_free(&file);
}

/* A name longer than the message: its end is kept, and nothing overflows. */
static void test_source_long_name(void **state) {
    (void)state;
    char name[3000];
    memset(name, 'n', sizeof name);
    memcpy(name + sizeof name - 9, "/end.wav", 9);
    assert_int_equal(read_path(name, 0, 0), KZTTS_ERROR_FAILED);
    assert_non_null(strstr(message, "can't open '...nnn"));
    assert_non_null(strstr(message, "/end.wav': "));
    char small[8];
    assert_int_equal(kz_source_read(name, RATE, NULL, &audio, small, sizeof small), KZTTS_ERROR_FAILED);
    assert_string_equal(small, "can't o");
    assert_int_equal(kz_source_read(name, RATE, NULL, &audio, NULL, 0), KZTTS_ERROR_FAILED);
}

/* Standard input, from a pipe: a length that isn't known beforehand. */
static void test_source_stdin(void **state) {
    (void)state;
    bytes file = {0};
    wav_write_speech(&file, &(wav_kind){.sizes = 1, .riff_size = UINT32_MAX, .data_size = UINT32_MAX}, 20000);
    int saved = dup(STDIN_FILENO);
    assert_true(saved >= 0);
    for (int limited = 0; limited < 2; limited++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        assert_true(dup2(ends[0], STDIN_FILENO) >= 0);
        close(ends[0]);
        assert_int_equal(write(ends[1], file.data, file.n), file.n); /* less than a pipe holds */
        close(ends[1]);
        kztts_status status = read_path("-", limited ? 1000 : 0, 0);
        if (limited) {
            assert_int_equal(status, KZTTS_ERROR_ARGUMENT);
            assert_string_equal(message, "standard input has more than the limit of 1000 bytes: cut the recording");
        } else {
            assert_int_equal(status, KZTTS_OK);
            must_equal(clip(), 20000);
        }
    }
    assert_true(dup2(saved, STDIN_FILENO) >= 0);
    close(saved);
    bytes_free(&file);
}

static void test_source_load(void **state) {
    (void)state;
    unsigned char *data;
    size_t n;
    char path[600];
    bytes file = {0};
    snprintf(path, sizeof path, "%s/any", folder);
    bytes_text(&file, "any bytes");
    write_file(path, &file);
    assert_int_equal(kz_source_load(path, NULL, &data, &n, message, sizeof message), KZTTS_OK);
    assert_int_equal(n, 9);
    assert_memory_equal(data, "any bytes", 9);
    free(data);
    assert_int_equal(remove(path), 0);
    assert_int_equal(kz_source_load(path, NULL, &data, &n, message, sizeof message), KZTTS_ERROR_NOT_FOUND);
    assert_null(data);
    bytes_free(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_source_wav_codings),
        cmocka_unit_test(test_source_wav_s16_all),
        cmocka_unit_test(test_source_wav_float_as_is),
        cmocka_unit_test(test_source_wav_companded),
        cmocka_unit_test(test_source_wav_stream_sizes),
        cmocka_unit_test(test_source_wav_sloppy_sizes),
        cmocka_unit_test(test_source_wav_rf64),
        cmocka_unit_test(test_source_channels_mean),
        cmocka_unit_test(test_source_resample),
        cmocka_unit_test(test_source_other_target),
#ifndef KZ_WITH_SNDFILE
        cmocka_unit_test(test_source_without_library),
#endif
        cmocka_unit_test(test_source_file),
        cmocka_unit_test(test_source_long_name),
        cmocka_unit_test(test_source_stdin),
        cmocka_unit_test(test_source_load),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
