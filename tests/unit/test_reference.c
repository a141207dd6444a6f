/* test_reference.c: what is found in reference recordings, and what is done about it.  SPDX-License-Identifier: Apache-2.0
 *
 * Random tests take their seed from the first argument or KZTTS_TEST_SEED and print it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "recordings.h"
#include "reference.h"

#define LENGTH(a) (sizeof(a) / sizeof *(a))

enum { RATE = 24000, ROOM = 70 * RATE };

static uint64_t seed = 1;
static float pcm[ROOM];
static kz_reference_report report;

#define FOX "The quick brown fox jumps over the lazy dog. "
#define WORDS FOX FOX

/* ---- making and checking ----------------------------------------------------------------------------------- */

/* Speech of `seconds` between silence: with noise at -60 dBFS everywhere. Returns the samples. */
static size_t make(double before, double seconds, double after, double level, double noise) {
    size_t a = (size_t)(before * (double)RATE), n = (size_t)(seconds * (double)RATE),
           b = (size_t)(after * (double)RATE);
    assert_true(a + n + b <= ROOM);
    speech_like(pcm, a + n + b, RATE, -120, noise, seed);
    float *speech = malloc((n + 1) * sizeof *speech);
    assert_non_null(speech);
    speech_like(speech, n, RATE, level, -120, seed);
    for (size_t i = 0; i < n; i++)
        pcm[a + i] += speech[i];
    free(speech);
    return a + n + b;
}

static kz_reference_options options_of(const char *transcript) {
    return (kz_reference_options){.rate = RATE, .file_rate = 48000, .transcript = transcript};
}

static void check_with(size_t n, kz_reference_options options) {
    kz_reference_check(&report, pcm, n, &options);
    for (int i = 0; i < KZ_REF_CODE_COUNT; i++) {
        assert_non_null(report.finding[i].name);
        assert_true(strlen(report.finding[i].text) > 0);
        assert_true(strlen(report.finding[i].text) < sizeof report.finding[i].text - 1); /* not cut */
        assert_true(report.finding[i].severity <= report.worst);
    }
    assert_int_equal(report.refused, report.worst == KZ_SEVERITY_ERROR);
    assert_true(report.action.first + report.action.n <= n);
}

/* The finding has this severity and these words; all others are OK or skipped when `alone`. */
static void must_find(kz_reference_code code, kz_severity severity, const char *words, int alone) {
    const kz_finding *finding = &report.finding[code];
    if (finding->severity != severity || !strstr(finding->text, words))
        fail_msg("%s is %s: \"%s\", expected %s with \"%s\"", finding->name, kz_severity_name(finding->severity),
                 finding->text, kz_severity_name(severity), words);
    for (int i = 0; alone && i < KZ_REF_CODE_COUNT; i++)
        if (i != (int)code && report.finding[i].severity > KZ_SEVERITY_OK)
            fail_msg("%s is %s: \"%s\"", report.finding[i].name, kz_severity_name(report.finding[i].severity),
                     report.finding[i].text);
}

static void must_be_near(const char *what, double got, double want, double bound) {
    if (!(fabs(got - want) <= bound))
        fail_msg("%s is %g, expected %g, at most %g off", what, got, want, bound);
}

/* ---- cases ------------------------------------------------------------------------------------------------- */

static void test_reference_clean(void **state) {
    (void)state;
    size_t n = make(0.2, 7.8, 0.2, -20, -60);
    check_with(n, options_of(WORDS));
    assert_int_equal(report.worst, KZ_SEVERITY_OK);
    assert_int_equal(report.action.first, 0);
    assert_int_equal(report.action.n, n);
    assert_int_equal(report.action.pad, 0);
    const kz_reference_figures *f = &report.figures;
    must_be_near("seconds", f->seconds, 8.2, 1e-9);
    must_be_near("start", f->start, 0.2, 0.05);
    must_be_near("end", f->end, 0.2, 0.05);
    must_be_near("speech level", f->speech_level, -20, 2);
    must_be_near("noise floor", f->noise_floor, -60, 1);
    must_be_near("snr", f->snr, 40, 3);
    must_be_near("speech", f->speech, 7.6, 0.2 * 8); /* pauses of 0.2 s are bridged or not */
    must_be_near("usual", f->usual, 70 * 0.08, 1e-9);
    assert_int_equal(f->characters, 70);
    assert_int_equal(f->wide, 0);
    assert_true(f->clipped == 0);
}

/* Every figure moves as it should when the level does: the noise too, so that the ratio stays. */
static void test_reference_levels(void **state) {
    (void)state;
    size_t n = make(0.2, 5, 0.2, -20, -60);
    check_with(n, options_of(NULL));
    kz_reference_figures first = report.figures;
    for (size_t i = 0; i < n; i++)
        pcm[i] *= 0.5f;
    check_with(n, options_of(NULL));
    must_be_near("peak", report.figures.peak, first.peak - 6.02, 0.01);
    must_be_near("rms", report.figures.rms, first.rms - 6.02, 0.01);
    must_be_near("speech level", report.figures.speech_level, first.speech_level - 6.02, 0.3);
    must_be_near("noise floor", report.figures.noise_floor, first.noise_floor - 6.02, 0.3);
    must_be_near("snr", report.figures.snr, first.snr, 0.5);
    /* full scale is 0 dBFS */
    for (size_t i = 0; i < n; i++)
        pcm[i] = i / 50 % 2 ? 1.0f : -1.0f;
    check_with(n, options_of(NULL));
    must_be_near("peak", report.figures.peak, 0, 1e-9);
    must_be_near("rms", report.figures.rms, 0, 1e-9);
    must_be_near("clipped", report.figures.clipped, 1, 1e-9);
}

static void test_reference_quiet_and_loud(void **state) {
    (void)state;
    size_t n = make(0.2, 5, 0.2, -50, -80);
    check_with(n, options_of(NULL));
    must_find(KZ_REF_CODE_LEVEL, KZ_SEVERITY_WARN, "quiet: speech at -5", 1);
    n = make(0.2, 5, 0.2, -20, -60);
    for (size_t i = 0; i < n; i++)
        pcm[i] *= 4;
    check_with(n, options_of(NULL));
    must_find(KZ_REF_CODE_LEVEL, KZ_SEVERITY_WARN, "too loud: samples reach 1.", 0);
    for (size_t i = 0; i < n; i++)
        pcm[i] *= 8000; /* 16-bit numbers taken for samples */
    check_with(n, options_of(NULL));
    must_find(KZ_REF_CODE_LEVEL, KZ_SEVERITY_ERROR, "numbers of another scale", 0);
    assert_true(report.refused);
    n = make(0.2, 5, 0.2, -20, -60);
    for (size_t i = 0; i < n; i++)
        pcm[i] += 0.1f;
    check_with(n, options_of(NULL));
    must_find(KZ_REF_CODE_LEVEL, KZ_SEVERITY_WARN, "off centre: the mean of the samples is +0.100", 1);
    must_be_near("noise floor", report.figures.noise_floor, -60, 1); /* the offset is no noise */
}

static void test_reference_clipped(void **state) {
    (void)state;
    size_t n = make(0.2, 5, 0.2, -10, -60), clipped = 0;
    for (size_t i = 0; i < n; i++) {
        float x = pcm[i] * 2.5f;
        pcm[i] = x > 1 ? 1 : x < -1 ? -1 : x;
        clipped += fabsf(pcm[i]) >= 1;
    }
    assert_true(clipped > n / 1000);
    check_with(n, options_of(NULL));
    must_find(KZ_REF_CODE_CLIPPING, KZ_SEVERITY_WARN, "clipped: ", 1);
    must_be_near("clipped", report.figures.clipped, (double)clipped / (double)n, 0.2 * (double)clipped / (double)n);
    assert_false(report.refused);
    kz_reference_options strict = options_of(NULL);
    strict.strict = true;
    check_with(n, strict);
    must_find(KZ_REF_CODE_CLIPPING, KZ_SEVERITY_ERROR, "clipped: ", 1);
    assert_true(report.refused);
    /* single peaks at full scale are no clipping, and a few flat ones can't be heard */
    n = make(0.2, 5, 0.2, -20, -60);
    for (size_t i = 10000; i < 100000; i += 100)
        pcm[i] = 1;
    check_with(n, options_of(NULL));
    must_find(KZ_REF_CODE_CLIPPING, KZ_SEVERITY_OK, "none", 0);
    n = make(0.2, 5, 0.2, -20, -60);
    pcm[20000] = pcm[20001] = pcm[20002] = -1;
    check_with(n, options_of(NULL));
    must_find(KZ_REF_CODE_CLIPPING, KZ_SEVERITY_OK, "a few clipped peaks", 1);
    must_be_near("clipped", report.figures.clipped, 3.0 / (double)n, 1e-12);
}

static void test_reference_noisy(void **state) {
    (void)state;
    size_t n = make(0.3, 6, 0.3, -20, -30);
    check_with(n, options_of(NULL));
    must_find(KZ_REF_CODE_NOISE, KZ_SEVERITY_WARN, "noisy: the speech is ", 1);
    must_be_near("noise floor", report.figures.noise_floor, -30, 1);
    must_be_near("snr", report.figures.snr, 10, 3);
    assert_int_equal(report.action.pad, 0); /* noise at the end is no speech */
    /* nothing but noise, or a tone */
    n = make(0, 0, 6, -120, -30);
    check_with(n, options_of(NULL));
    must_find(KZ_REF_CODE_SPEECH, KZ_SEVERITY_ERROR, "no speech stands out", 1);
    for (size_t i = 0; i < n; i++)
        pcm[i] = (float)(0.3 * sin(0.1 * (double)i));
    check_with(n, options_of(WORDS));
    must_find(KZ_REF_CODE_SPEECH, KZ_SEVERITY_ERROR, "no speech stands out", 1);
    assert_int_equal(report.finding[KZ_REF_CODE_NOISE].severity, KZ_SEVERITY_SKIPPED);
    assert_int_equal(report.finding[KZ_REF_CODE_TRANSCRIPT].severity, KZ_SEVERITY_SKIPPED);
}

static void test_reference_silent(void **state) {
    (void)state;
    memset(pcm, 0, sizeof pcm);
    check_with(5 * RATE, options_of(NULL));
    must_find(KZ_REF_CODE_SPEECH, KZ_SEVERITY_ERROR, "silent: its peak is -120 dBFS", 1);
    size_t n = make(0, 0, 5, -120, -80);
    check_with(n, options_of(NULL));
    must_find(KZ_REF_CODE_SPEECH, KZ_SEVERITY_ERROR, "silent: its peak is -7", 1);
}

static void test_reference_lengths(void **state) {
    (void)state;
    static const struct {
        double seconds;
        kz_severity severity;
        const char *words;
    } rows[] = {
        {1.6, KZ_SEVERITY_WARN, "1.6 s long, short: 5 to 15 s serve best"},
        {2.9, KZ_SEVERITY_WARN, "2.9 s long, short"},
        {3.2, KZ_SEVERITY_OK, "3.2 s long"},
        {29.9, KZ_SEVERITY_OK, "29.9 s long"},
        {30.2, KZ_SEVERITY_WARN, "30.2 s long, more than is of use"},
        {60.0, KZ_SEVERITY_WARN, "60.0 s long, more than is of use"},
        {60.2, KZ_SEVERITY_ERROR, "60.2 s long, the limit is 60 s: cut out 5 to 15 s of clear speech"},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        size_t n = make(0.1, rows[i].seconds - 0.2, 0.1, -20, -60);
        check_with(n, options_of(NULL));
        must_find(KZ_REF_CODE_LENGTH, rows[i].severity, rows[i].words, 1);
    }
    size_t n = make(0.2, 0.8, 1.0, -20, -60);
    check_with(n, options_of(NULL));
    must_find(KZ_REF_CODE_SPEECH, KZ_SEVERITY_ERROR, "of speech; at least 1 s are needed", 0);
    /* too short to be measured at all */
    static const size_t shortest[] = {0, 1, 479, 480, 1279, 1280, 2399};
    for (size_t i = 0; i < LENGTH(shortest); i++) {
        check_with(shortest[i], options_of(NULL));
        assert_true(report.refused);
        assert_int_equal(report.finding[KZ_REF_CODE_LENGTH].severity,
                         shortest[i] < 1280 ? KZ_SEVERITY_ERROR : KZ_SEVERITY_WARN);
        must_find(KZ_REF_CODE_SPEECH, KZ_SEVERITY_ERROR, "too short to hold speech", 0);
    }
    n = make(0.1, 9, 0.1, -20, -60);
    kz_reference_options limited = options_of(NULL);
    limited.max_seconds = 5;
    check_with(n, limited);
    must_find(KZ_REF_CODE_LENGTH, KZ_SEVERITY_ERROR, "9.2 s long, the limit is 5 s", 1);
}

/* Long silence is trimmed to a margin, and a recording that is too long by it alone is taken. */
static void test_reference_trim(void **state) {
    (void)state;
    size_t n = make(1.5, 4.8, 2.0, -20, -60);
    check_with(n, options_of(NULL));
    assert_int_equal(report.worst, KZ_SEVERITY_OK);
    must_find(KZ_REF_CODE_START, KZ_SEVERITY_OK, "s of silence before the speech, trimmed to 0.1 s", 1);
    must_find(KZ_REF_CODE_END, KZ_SEVERITY_OK, "s of silence after the speech, trimmed to 0.3 s", 1);
    must_find(KZ_REF_CODE_LENGTH, KZ_SEVERITY_OK, "8.3 s long (5.2 s as it is used)", 1);
    must_be_near("first", (double)report.action.first / (double)RATE, 1.4, 0.05);
    must_be_near("n", (double)report.action.n / (double)RATE, 0.1 + 4.8 + 0.3, 0.1);
    assert_int_equal(report.action.pad, 0);

    float *out;
    size_t n_out;
    assert_int_equal(kz_reference_apply(&report, pcm, &out, &n_out), KZTTS_OK);
    assert_int_equal(n_out, report.action.n);
    assert_memory_equal(out, pcm + report.action.first, n_out * sizeof *out);
    free(out);

    n = make(0.4, 5, 0.3, -20, -60);
    check_with(n, options_of(NULL));
    assert_int_equal(report.action.n, n);
    n = make(5, 58, 5, -20, -60);
    check_with(n, options_of(NULL));
    assert_false(report.refused);

    /* a knock is no speech */
    n = make(1.5, 4.8, 2.0, -20, -60);
    for (size_t i = 0; i < 200; i++)
        pcm[RATE / 2 + i] = pcm[n - RATE + i] = i / 10 % 2 ? 0.8f : -0.8f;
    check_with(n, options_of(NULL));
    must_be_near("start", report.figures.start, 1.5, 0.05);
    must_be_near("end", report.figures.end, 2.0, 0.05);
}

static void test_reference_cut_ending(void **state) {
    (void)state;
    size_t n = make(0.2, 5.1, 0, -20, -60); /* ends in the middle of a syllable */
    check_with(n, options_of(NULL));
    must_find(KZ_REF_CODE_ENDING, KZ_SEVERITY_WARN, "cut off while speaking", 1);
    must_find(KZ_REF_CODE_ENDING, KZ_SEVERITY_WARN, "added 0.5 s of silence", 1);
    must_find(KZ_REF_CODE_LENGTH, KZ_SEVERITY_OK, "5.3 s long (5.8 s as it is used)", 0);
    assert_int_equal(report.action.n, n);
    assert_int_equal(report.action.pad, RATE / 2);

    float *out;
    size_t n_out;
    assert_int_equal(kz_reference_apply(&report, pcm, &out, &n_out), KZTTS_OK);
    assert_int_equal(n_out, n + RATE / 2);
    assert_memory_equal(out, pcm, n * sizeof *out);
    for (size_t i = n; i < n_out; i++)
        assert_true(out[i] == 0);
    free(out);

    /* padding never makes a recording too long */
    n = make(0.2, 59.5, 0, -20, -60);
    check_with(n, options_of(NULL));
    assert_false(report.refused);
    assert_int_equal(report.action.n + report.action.pad, 60 * RATE);

    /* a syllable that has faded out needs no pause behind it; one cut near its end does */
    n = make(0.2, 4.8, 0, -20, -60);
    check_with(n, options_of(NULL));
    must_find(KZ_REF_CODE_ENDING, KZ_SEVERITY_WARN, "cut off", 0);
    n = make(0.2, 4.8, 0.04, -20, -60);
    check_with(n, options_of(NULL));
    must_find(KZ_REF_CODE_ENDING, KZ_SEVERITY_OK, "ends by itself", 1);
}

static void test_reference_raw(void **state) {
    (void)state;
    kz_reference_options raw = options_of(NULL);
    raw.raw = true;
    size_t n = make(1.5, 5.1, 0, -20, -60);
    check_with(n, raw);
    assert_false(report.refused);
    assert_int_equal(report.action.first, 0);
    assert_int_equal(report.action.n, n);
    assert_int_equal(report.action.pad, 0);
    must_find(KZ_REF_CODE_START, KZ_SEVERITY_WARN, "kept as it is", 0);
    must_find(KZ_REF_CODE_ENDING, KZ_SEVERITY_WARN, "end it after a word", 0);
    /* usable, if only just */
    memset(pcm, 0, sizeof pcm);
    check_with(1280, raw);
    assert_int_equal(report.worst, KZ_SEVERITY_WARN);
    check_with(5 * RATE, raw);
    must_find(KZ_REF_CODE_SPEECH, KZ_SEVERITY_WARN, "silent", 1);
    /* not usable */
    check_with(1279, raw);
    assert_true(report.refused);
    check_with(60 * RATE + 1, raw);
    assert_true(report.refused);
    raw.need_transcript = true;
    check_with(5 * RATE, raw);
    assert_true(report.refused);
    raw.need_transcript = false;
    raw.strict = true;
    check_with(5 * RATE, raw);
    assert_true(report.refused);
}

static void test_reference_not_numbers(void **state) {
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < LENGTH(bad); i++) {
        size_t n = make(0.2, 5, 0.2, -20, -60);
        pcm[n - 1] = bad[i];
        kz_reference_options raw = options_of(NULL);
        raw.raw = i == 0;
        check_with(n, raw);
        must_find(KZ_REF_CODE_LEVEL, KZ_SEVERITY_ERROR, "a sample is not a number", 1);
    }
}

static void test_reference_band(void **state) {
    (void)state;
    size_t n = make(0.2, 5, 0.2, -20, -60);
    kz_reference_options options = options_of(NULL);
    options.file_rate = 8000;
    check_with(n, options);
    must_find(KZ_REF_CODE_BAND, KZ_SEVERITY_WARN, "8000 Hz: sound of a telephone", 1);
    options.file_rate = 16000;
    check_with(n, options);
    must_find(KZ_REF_CODE_BAND, KZ_SEVERITY_OK, "16000 Hz", 1);
    options.file_rate = 0;
    check_with(n, options);
    assert_int_equal(report.finding[KZ_REF_CODE_BAND].severity, KZ_SEVERITY_SKIPPED);
}

/* ---- transcripts ------------------------------------------------------------------------------------------- */

typedef struct transcript_row {
    const char *text;
    double seconds; /* of speech */
    size_t characters, wide;
    kz_severity severity;
    const char *words;
} transcript_row;

#define FOX4 FOX FOX FOX FOX
#define ZH                                                                                                             \
    "\xe4\xbb\x8a\xe5\xa4\xa9\xe5\xa4\xa9\xe6\xb0\x94\xe5\xbe\x88\xe5\xa5\xbd\xef\xbc\x8c\xe6\x88\x91\xe4\xbb\xac\xe5" \
    "\x8e"                                                                                                             \
    "\xbb\xe5\x85\xac\xe5\x9b\xad\xe8\xb5\xb0\xe8\xb5\xb0\xe3\x80\x82" /* 13 ideographs, 2 marks */
#define JA                                                                                                             \
    "\xe4\xbb\x8a\xe6\x97\xa5\xe3\x81\xaf\xe3\x81\xa8\xe3\x81\xa6\xe3\x82\x82\xe3\x81\x84\xe3\x81\x84\xe5\xa4\xa9\xe6" \
    "\xb0\x97"                                                                                                         \
    "\xe3\x81\xa7\xe3\x81\x99\xe3\x81\xad\xe3\x80\x82" /* 4 kanji, 9 kana, 1 mark */
#define KO                                                                                                             \
    "\xec\x98\xa4\xeb\x8a\x98\xec\x9d\x80 \xeb\x82\xa0\xec\x94\xa8\xea\xb0\x80 \xec\xa2\x8b\xeb\x84\xa4\xec\x9a\x94." /* 9 */
#define RU "\xd0\xa1\xd0\xb5\xd0\xb3\xd0\xbe\xd0\xb4\xd0\xbd\xd1\x8f" /* 7 letters */

static const transcript_row transcripts[] = {
    {FOX, 3.0, 35, 0, KZ_SEVERITY_OK, "35 letters, 1"},
    {FOX4, 12.0, 140, 0, KZ_SEVERITY_OK, "140 letters"},
    {FOX4, 4.0, 140, 0, KZ_SEVERITY_WARN, "too long for the recording: its 140 letters take about 11 s to say"},
    {FOX4 FOX4, 3.6, 280, 0, KZ_SEVERITY_ERROR, "too long for the recording: its 280 letters take about 22 s to say"},
    {FOX, 11.0, 35, 0, KZ_SEVERITY_WARN, "too short for the recording: its 35 letters take about 2.8 s to say"},
    {"Yes.", 4.0, 3, 0, KZ_SEVERITY_ERROR, "too short for the recording: its 3 letters"},
    {ZH, 3.0, 13, 13, KZ_SEVERITY_OK, "13 characters, "},
    {ZH ZH ZH ZH, 3.0, 52, 52, KZ_SEVERITY_WARN, "too long for the recording: its 52 characters take about 10 s"},
    {ZH, 12.0, 13, 13, KZ_SEVERITY_WARN, "too short for the recording: its 13 characters take about 2.6 s"},
    {JA, 2.4, 13, 13, KZ_SEVERITY_OK, "13 characters, "},
    {KO, 2.4, 9, 9, KZ_SEVERITY_OK, "9 characters, "},
    {RU, 1.4, 7, 0, KZ_SEVERITY_OK, "7 letters, "},
    {"In 2024, 12 of 35", 3.0, 12, 0, KZ_SEVERITY_OK, "12 letters, "},
    {"", 5.0, 0, 0, KZ_SEVERITY_ERROR, "empty: there is no letter in it"},
    {" \n...!?\xe3\x80\x82", 5.0, 0, 0, KZ_SEVERITY_ERROR, "empty: there is no letter in it"},
    {"ab\xff", 5.0, 2, 0, KZ_SEVERITY_ERROR, "not UTF-8 text"},
    {"ab\xe4\xbb", 5.0, 2, 0, KZ_SEVERITY_ERROR, "not UTF-8 text"},
    {"\xed\xa0\x80", 5.0, 0, 0, KZ_SEVERITY_ERROR, "not UTF-8 text"},
};

static void test_reference_transcripts(void **state) {
    (void)state;
    for (size_t i = 0; i < LENGTH(transcripts); i++) {
        const transcript_row *row = &transcripts[i];
        size_t n = make(0.1, row->seconds, 0.1, -20, -60);
        check_with(n, options_of(row->text));
        must_find(KZ_REF_CODE_TRANSCRIPT, row->severity, row->words, 0);
        assert_int_equal(report.figures.characters, row->characters);
        assert_int_equal(report.figures.wide, row->wide);
        assert_int_equal(report.refused, row->severity == KZ_SEVERITY_ERROR);
    }
}

/* Silence at the ends isn't speaking time; combining marks are no letters. */
static void test_reference_transcript_time(void **state) {
    (void)state;
    size_t n = make(6, 4, 6, -20, -60);
    check_with(n, options_of(FOX));
    must_find(KZ_REF_CODE_TRANSCRIPT, KZ_SEVERITY_OK, "35 letters", 0);
    double pace = report.figures.pace;
    must_be_near("pace", pace, 3.8 / 2.8, 0.3);
    check_with(n, options_of("e\xcc\x81"
                             "e\xcc\x81"
                             "e\xcc\x81")); /* e with an accent behind it */
    assert_int_equal(report.figures.characters, 3);
}

static void test_reference_transcript_missing(void **state) {
    (void)state;
    size_t n = make(0.2, 5, 0.2, -20, -60);
    kz_reference_options options = options_of(NULL);
    check_with(n, options);
    must_find(KZ_REF_CODE_TRANSCRIPT, KZ_SEVERITY_SKIPPED, "the speaker's vector alone is used", 1);
    options.need_transcript = true;
    check_with(n, options);
    must_find(KZ_REF_CODE_TRANSCRIPT, KZ_SEVERITY_ERROR, "missing: as context, a recording needs the words", 1);
}

/* ---- anything ---------------------------------------------------------------------------------------------- */

static uint32_t next_random(void) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33);
}

/* Random pieces at random levels and rates: the plan lies within the recording and figures are finite. */
static void test_reference_random(void **state) {
    (void)state;
    static const int rates[] = {1, 49, 50, 999, 8000, 24000, 48000};
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int round = 0; round < 60; round++) {
        size_t n = next_random() % 60000, at = 0;
        while (at < n) {
            size_t part = next_random() % 9000 + 1;
            double gain = pow(10, -(double)(next_random() % 130) / 20);
            for (size_t i = 0; i < part && at < n; i++)
                pcm[at++] = (float)(gain * ((double)next_random() / 1073741824.0 - 1));
        }
        kz_reference_options options = options_of(next_random() % 2 ? WORDS : NULL);
        options.rate = rates[next_random() % LENGTH(rates)];
        options.strict = next_random() % 2;
        options.raw = next_random() % 2;
        options.max_seconds = next_random() % 3;
        check_with(n, options);
        const kz_reference_figures *f = &report.figures;
        const double figures[] = {f->seconds, f->speech,       f->start,       f->end, f->peak,
                                  f->rms,     f->speech_level, f->snr,         f->dc,  f->pace,
                                  f->clipped, f->noise_floor,  f->ending_level};
        for (size_t i = 0; i < LENGTH(figures); i++)
            assert_true(isfinite(figures[i]));
        assert_true(f->start + f->end <= f->seconds + 1e-9 && f->speech <= f->seconds + 1e-9);
        float *out;
        size_t n_out;
        assert_int_equal(kz_reference_apply(&report, pcm, &out, &n_out), KZTTS_OK);
        assert_int_equal(n_out, report.action.n + report.action.pad);
        free(out);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_clean),
        cmocka_unit_test(test_reference_levels),
        cmocka_unit_test(test_reference_quiet_and_loud),
        cmocka_unit_test(test_reference_clipped),
        cmocka_unit_test(test_reference_noisy),
        cmocka_unit_test(test_reference_silent),
        cmocka_unit_test(test_reference_lengths),
        cmocka_unit_test(test_reference_trim),
        cmocka_unit_test(test_reference_cut_ending),
        cmocka_unit_test(test_reference_raw),
        cmocka_unit_test(test_reference_not_numbers),
        cmocka_unit_test(test_reference_band),
        cmocka_unit_test(test_reference_transcripts),
        cmocka_unit_test(test_reference_transcript_time),
        cmocka_unit_test(test_reference_transcript_missing),
        cmocka_unit_test(test_reference_random),
    };
    const char *text = argc > 1 ? argv[1] : getenv("KZTTS_TEST_SEED");
    if (text)
        seed = strtoull(text, NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
