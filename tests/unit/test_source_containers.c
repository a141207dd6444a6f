/* test_source_containers.c: one clip in all containers gives the same samples.  SPDX-License-Identifier: Apache-2.0
 *
 * The files are written here by libsndfile; without it there is nothing to test. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "containers.h"
#include "recordings.h"
#include "source.h"

#ifdef KZ_WITH_SNDFILE

#include <sndfile.h>

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

static void must_refuse(const bytes *b, const char *fragment) {
    assert_int_equal(decode_at(b, RATE), KZTTS_ERROR_FORMAT);
    if (!strstr(message, fragment))
        fail_msg("\"%s\" has no \"%s\"", message, fragment);
    assert_null(audio.pcm);
}

typedef struct container {
    int format;
    const char *name;
    double snr;    /* dB, least; 0: exactly the clip */
    size_t longer; /* samples that a block may add at the end */
    int optional;  /* of libsndfile 1.1 */
} container;

enum { MPEG = 0x230000, LAYER3 = 0x82, OPUS = 0x64 };

/* The bounds of lossy codings lie some dB below what they give for this clip. */
static const container containers[] = {
    {SF_FORMAT_WAV | SF_FORMAT_PCM_16, "WAV, 16-bit PCM", 0, 0, 0},
    {SF_FORMAT_WAVEX | SF_FORMAT_PCM_16, "WAV, 16-bit PCM", 0, 0, 0},
    {SF_FORMAT_WAV | SF_FORMAT_PCM_24, "WAV, 24-bit PCM", 0, 0, 0},
    {SF_FORMAT_WAV | SF_FORMAT_PCM_32, "WAV, 32-bit PCM", 0, 0, 0},
    {SF_FORMAT_WAV | SF_FORMAT_FLOAT, "WAV, 32-bit float", 0, 0, 0},
    {SF_FORMAT_WAV | SF_FORMAT_DOUBLE, "WAV, 64-bit float", 0, 0, 0},
    {SF_FORMAT_RF64 | SF_FORMAT_PCM_16, "WAV, 16-bit PCM", 0, 0, 0},
    {SF_FORMAT_AIFF | SF_FORMAT_PCM_16, "AIFF, 16-bit PCM", 0, 0, 0},
    {SF_FORMAT_AIFF | SF_FORMAT_FLOAT, "AIFF, 32-bit float", 0, 0, 0},
    {SF_FORMAT_AU | SF_FORMAT_PCM_16, "AU, 16-bit PCM", 0, 0, 0},
    {SF_FORMAT_CAF | SF_FORMAT_PCM_16, "CAF, 16-bit PCM", 0, 0, 0},
    {SF_FORMAT_FLAC | SF_FORMAT_PCM_16, "FLAC, 16-bit PCM", 0, 0, 0},
    {SF_FORMAT_FLAC | SF_FORMAT_PCM_24, "FLAC, 24-bit PCM", 0, 0, 0},
    {SF_FORMAT_OGG | SF_FORMAT_FLAC, "Ogg, FLAC 16-bit PCM", 0, 0, 1},
    {SF_FORMAT_WAV | SF_FORMAT_ULAW, "WAV, mu-law", 35, 0, 0},
    {SF_FORMAT_WAV | SF_FORMAT_ALAW, "WAV, A-law", 35, 0, 0},
    {SF_FORMAT_WAV | SF_FORMAT_PCM_U8, "WAV, 8-bit PCM", 28, 0, 0},
    {SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM, "WAV, IMA ADPCM", 30, 4096, 0},
    {SF_FORMAT_WAV | SF_FORMAT_MS_ADPCM, "WAV, MS ADPCM", 20, 4096, 0},
    {SF_FORMAT_WAV | SF_FORMAT_GSM610, "WAV, GSM 6.10", 9, 640, 0},
    {SF_FORMAT_OGG | SF_FORMAT_VORBIS, "Ogg, Vorbis", 18, 0, 0},
    {MPEG | LAYER3, "MP3, layer III", 25, 0, 1},
#ifdef KZ_WITH_OPUSFILE
    {SF_FORMAT_OGG | OPUS, "Ogg, Opus", 11, 0, 0},
#endif
};

static double snr_of(const float *got, const float *want, size_t n) {
    double signal = 0, error = 0;
    for (size_t i = 0; i < n; i++) {
        double e = (double)got[i] - (double)want[i];
        signal += (double)want[i] * (double)want[i];
        error += e * e;
    }
    return error > 0 ? 10 * log10(signal / error) : 200;
}

static void test_source_containers(void **state) {
    (void)state;
    size_t n_read = 0;
    for (size_t i = 0; i < LENGTH(containers); i++) {
        const container *c = &containers[i];
        bytes file = {0};
        if (encode_clip(&file, c->format, RATE, clip(), CLIP)) {
            must_decode(&file);
            assert_string_equal(audio.format, c->name);
            assert_in_range(audio.n, CLIP, CLIP + c->longer);
            double snr = snr_of(audio.pcm, clip(), CLIP);
            print_message("%-22s %6zu bytes, %.1f dB\n", c->name, file.n, snr);
            if (c->snr > 0 && snr < c->snr)
                fail_msg("%s: %.1f dB, at least %g expected", c->name, snr, c->snr);
            if (c->snr > 0)
                kz_source_free(&audio);
            else
                must_equal(clip(), CLIP);
            n_read++;
        } else if (!c->optional) {
            fail_msg("libsndfile doesn't write %s", c->name);
        }
        bytes_free(&file);
    }
    assert_true(n_read >= 20);
}

/* Any of them cut in the middle is refused, by a sentence that says so. */
static void test_source_cut(void **state) {
    (void)state;
    for (size_t i = 0; i < LENGTH(containers); i++) {
        const container *c = &containers[i];
        bytes file = {0};
        if (!encode_clip(&file, c->format, RATE, clip(), CLIP))
            continue;
        for (size_t part = 3; part <= 9; part += 3) {
            bytes cut = {.data = file.data, .n = file.n * part / 10};
            assert_int_equal(decode_at(&cut, RATE), KZTTS_ERROR_FORMAT);
            if (!strstr(message, "cut off") && !strstr(message, "damaged after"))
                fail_msg("%s: \"%s\"", c->name, message);
            assert_null(audio.pcm);
        }
        bytes_free(&file);
    }
}

/* FLAC and MP3 behind an ID3 tag, as some programs write them. */
static void test_source_tagged(void **state) {
    (void)state;
    static const int formats[] = {SF_FORMAT_FLAC | SF_FORMAT_PCM_16, MPEG | LAYER3};
    for (size_t i = 0; i < LENGTH(formats); i++) {
        bytes file = {0}, tagged = {0};
        if (!encode_clip(&file, formats[i], RATE, clip(), CLIP))
            continue;
        bytes_put(&tagged, "ID3\3\0\0\0\0\1\16", 10); /* 142 bytes */
        for (int k = 0; k < 142; k++)
            bytes_number(&tagged, k < 20 ? 'x' : 0, 1, 0);
        bytes_put(&tagged, file.data, file.n);
        must_decode(&tagged);
        assert_int_equal(audio.n, CLIP);
        kz_source_free(&audio);
        bytes_free(&file);
        bytes_free(&tagged);
    }
}
/* MP3 whose first frame, which tells the length, is lost: what varies in rate would end too early. */
static void test_source_mp3_without_length(void **state) {
    (void)state;
    bytes file = {0};
    size_t at = 0;
    if (!encode_clip(&file, MPEG | LAYER3, RATE, clip(), CLIP))
        return;
    do
        at++;
    while (at + 2 < file.n && (file.data[at] != 0xff || file.data[at + 1] != file.data[1]));
    for (int tagged = 0; tagged < 2; tagged++) {
        bytes rest = {0};
        bytes_put(&rest, file.data + at, file.n - at);
        if (tagged)
            bytes_put(&rest, "TAG12345678901234567890", 23);
        must_decode(&rest);
        assert_in_range(audio.n, CLIP, CLIP + 2000);
        /* the encoder's delay is in now: 576 samples and those of its filters */
        double best = 0;
        for (size_t lag = 400; lag < 1400; lag++) {
            double snr = snr_of(audio.pcm + lag, clip(), CLIP - 1400);
            best = snr > best ? snr : best;
        }
        assert_true(best > 25);
        kz_source_free(&audio);
        bytes_free(&rest);
    }
    bytes_free(&file);
}

/* FLAC as written to a pipe: the number of samples is 0. */
static void test_source_flac_stream(void **state) {
    (void)state;
    bytes file = {0};
    assert_true(encode_clip(&file, SF_FORMAT_FLAC | SF_FORMAT_PCM_16, RATE, clip(), CLIP));
    file.data[21] &= 0xf0;
    memset(file.data + 22, 0, 4);
    must_decode(&file);
    must_equal(clip(), CLIP);
    bytes_free(&file);
}

/* Two Ogg Vorbis files one after the other: not the first alone. */
static void test_source_ogg_chain(void **state) {
    (void)state;
    bytes file = {0};
    assert_true(encode_clip(&file, SF_FORMAT_OGG | SF_FORMAT_VORBIS, RATE, clip(), CLIP));
    bytes twice = {0};
    bytes_put(&twice, file.data, file.n);
    bytes_put(&twice, file.data, file.n);
    must_refuse(&twice, "holds several Ogg streams: keep one, or convert it to WAV");
    bytes_free(&file);
    bytes_free(&twice);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_source_containers),  cmocka_unit_test(test_source_cut),
        cmocka_unit_test(test_source_tagged),      cmocka_unit_test(test_source_mp3_without_length),
        cmocka_unit_test(test_source_flac_stream), cmocka_unit_test(test_source_ogg_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void) {
    puts("SKIP: built without libsndfile");
    return 77;
}

#endif
