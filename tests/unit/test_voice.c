/* test_voice.c: voices as files without a model: round trips, refusals, hashes.  SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config_files.h"
#include "voice/voice.h"

/* ---- a voice with everything in it ------------------------------------------------------------------------- */

enum { WIDTH = 7, N_REF = 3, N_CODE = 2 };

static float vector[WIDTH] = {0.1f, -0.0f, 1.0f / 3, -999999.9f, FLT_MIN, 1e-45f, 16777217.0f / 16777216};
static kz_code codes[N_REF * N_CODE] = {0, 2047, 1, 2, 1024, 7};

static kz_voice_file full_voice(void) {
    kz_voice_file f = {.d_model = WIDTH,
                       .x_vector = vector,
                       .n_ref = N_REF,
                       .n_code = N_CODE,
                       .codebook_size = 2048,
                       .ref_code = codes,
                       .has_seed = true,
                       .seed = UINT64_MAX};
    static const char hash[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    f.text[KZ_VOICE_NAME] = "J\xc3\xbcrgen \"\xe5\xa3\xb0\" \\ \xf0\x9f\x8e\x99";
    f.text[KZ_VOICE_LANGUAGE] = "german";
    f.text[KZ_VOICE_FAMILY] = KZ_VOICE_FAMILY_NAME;
    f.text[KZ_VOICE_MODEL_TYPE] = "base";
    f.text[KZ_VOICE_MODEL_SIZE] = "0b6";
    f.text[KZ_VOICE_SPEAKER_SHA256] = hash;
    f.text[KZ_VOICE_CODEC_SHA256] = hash;
    f.text[KZ_VOICE_REF_TEXT] = "Zwei\nZeilen\tmit \xe2\x80\x9eZeichen\xe2\x80\x9c.";
    f.text[KZ_VOICE_DESCRIPTION] = "Eine ruhige Stimme.";
    f.text[KZ_VOICE_SOURCE] = "designed";
    f.text[KZ_VOICE_SOURCE_SHA256] = hash;
    f.text[KZ_VOICE_CONSENT] = "I, J\xc3\xbcrgen, agree.\r\nSigned.";
    f.text[KZ_VOICE_CONSENT_DATE] = "2026-02-28";
    f.text[KZ_VOICE_LICENCE] = "CC-BY-4.0";
    f.text[KZ_VOICE_ENGINE] = "kztts 0.1.0";
    f.text[KZ_VOICE_CREATED] = "2026-12-31T23:59:60Z";
    return f;
}

static void check_same(const kz_voice_file *a, const kz_voice_file *b) {
    for (int k = 0; k < KZ_VOICE_KEYS; k++) {
        if (!a->text[k] != !b->text[k])
            fail_msg("%s is in one voice only", kz_voice_key_name((kz_voice_key)k));
        if (a->text[k])
            assert_string_equal(a->text[k], b->text[k]);
    }
    assert_int_equal(a->has_seed, b->has_seed);
    assert_true(a->seed == b->seed);
    assert_int_equal(!a->x_vector, !b->x_vector);
    assert_int_equal(!a->ref_code, !b->ref_code);
    assert_int_equal(a->d_model, b->d_model);
    assert_int_equal(a->n_ref, b->n_ref);
    assert_int_equal(a->n_code, b->n_code);
    assert_int_equal(a->codebook_size, b->codebook_size);
    if (a->x_vector)
        assert_memory_equal(a->x_vector, b->x_vector, a->d_model * sizeof(float));
    if (a->ref_code)
        assert_memory_equal(a->ref_code, b->ref_code, a->n_ref * a->n_code * sizeof(kz_code));
}

typedef kztts_status (*encoder)(const kz_voice_file *, char **, size_t *, kz_err *);

/* Written, read and written again. */
static void check_trip(const kz_voice_file *f, bool json) {
    encoder encode = json ? kz_voice_json_encode : kz_voice_file_encode;
    kz_voice_file got;
    kz_err err = {""};
    char *data, *again;
    size_t n, n_again;
    if (encode(f, &data, &n, &err) != KZTTS_OK)
        fail_msg("%s", err.message);
    kztts_status status =
        json ? kz_voice_import_json(&got, data, n, "t", &err) : kz_voice_file_parse(&got, data, n, "t", &err);
    if (status != KZTTS_OK)
        fail_msg("%s", err.message);
    check_same(f, &got);
    assert_int_equal(encode(&got, &again, &n_again, &err), KZTTS_OK);
    assert_int_equal(n, n_again);
    assert_memory_equal(data, again, n);
    kz_voice_file_free(&got);
    kz_free(data);
    kz_free(again);
}

static void test_round_trips(void **state) {
    (void)state;
    for (int json = 0; json < 2; json++) {
        kz_voice_file f = full_voice();
        check_trip(&f, json);
        f.ref_code = NULL; /* the vector alone; the words stay as information */
        f.n_ref = 0;
        check_trip(&f, json);
        f.x_vector = NULL; /* a description alone */
        f.d_model = 0;
        check_trip(&f, json);
        f = (kz_voice_file){.d_model = 1, .x_vector = vector};
        f.text[KZ_VOICE_FAMILY] = "another-family"; /* nothing but what must be */
        check_trip(&f, json);
    }
}

/* Every kind of float through JSON; the seed is printed. */
static void test_json_floats(void **state) {
    (void)state;
    enum { N = 4096 };
    static float x[N];
    const char *given = getenv("KZTTS_TEST_SEED");
    uint32_t seed = given ? (uint32_t)strtoul(given, NULL, 10) : 12345, lcg = seed;
    print_message("seed %u\n", seed);
    for (size_t i = 0; i < N; i++) {
        do {
            lcg = lcg * 1664525u + 1013904223u;
            uint32_t bits = lcg ^ lcg >> 16;
            memcpy(x + i, &bits, sizeof bits);
        } while (!(x[i] >= -1e6f && x[i] <= 1e6f));
    }
    kz_voice_file f = {.d_model = N, .x_vector = x};
    f.text[KZ_VOICE_FAMILY] = KZ_VOICE_FAMILY_NAME;
    check_trip(&f, true);
}

/* A program may have set a locale with another decimal point. */
static void test_json_locale(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    kz_voice_file f = full_voice();
    size_t i = 0;
    while (i < sizeof names / sizeof *names && !setlocale(LC_NUMERIC, names[i]))
        i++;
    if (i == sizeof names / sizeof *names)
        print_message("no locale with a comma is installed\n");
    check_trip(&f, true);
    (void)setlocale(LC_NUMERIC, "C");
}

/* 30 seconds of the released models. */
static void test_size(void **state) {
    (void)state;
    enum { D = 2048, FRAMES = 375, GROUPS = 16 };
    static float x[D] = {1};
    static kz_code c[FRAMES * GROUPS];
    kz_voice_file f = full_voice();
    kz_err err = {""};
    char *data;
    size_t n;
    f.d_model = D;
    f.x_vector = x;
    f.n_ref = FRAMES;
    f.n_code = GROUPS;
    f.ref_code = c;
    assert_int_equal(kz_voice_file_encode(&f, &data, &n, &err), KZTTS_OK);
    assert_true(n > D * 4 + FRAMES * GROUPS * 4 && n < 300000);
    kz_free(data);
}

static void test_encode_refuses(void **state) {
    (void)state;
    float bad[WIDTH];
    kz_code wrong[N_REF * N_CODE];
    memcpy(bad, vector, sizeof bad);
    memcpy(wrong, codes, sizeof wrong);
    bad[3] = FLT_MAX; /* finite, but of no use */
    wrong[5] = 2048;
    kz_voice_file f[7];
    for (int i = 0; i < 7; i++)
        f[i] = full_voice();
    f[0].x_vector = bad;
    f[1].ref_code = wrong;
    f[2].text[KZ_VOICE_REF_TEXT] = NULL;
    f[3].x_vector = NULL;
    f[4].codebook_size = 0;
    f[5].text[KZ_VOICE_FAMILY] = NULL;
    f[6].text[KZ_VOICE_DESCRIPTION] = NULL;
    static const char *const say[7] = {"number 3",    "code 2048", "ref_text", "need a speaker vector",
                                       "isn't known", "family",    "seed"};
    for (int i = 0; i < 7; i++) {
        kz_err err = {""};
        char untouched = 0, *data = &untouched;
        size_t n;
        kztts_status status = kz_voice_file_encode(&f[i], &data, &n, &err);
        config_check_failure(status, KZTTS_ERROR_VOICE, &err, say[i], say[i]);
        assert_null(data);
    }
}

/* ---- .kzvoice: refusals ------------------------------------------------------------------------------------ */

static const char good_header[] =
    "{\"__metadata__\":{\"format\":\"kzvoice/1\",\"name\":\"N\",\"family\":\"qwen3-tts-12hz\",\"d_model\":\"4\","
    "\"code_groups\":\"2\",\"codebook_size\":\"8\",\"x_vector_only\":\"false\",\"ref_text\":\"Hi.\",\"other\":\"x\"},"
    "\"spk_embedding\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]},"
    "\"ref_codes\":{\"dtype\":\"I32\",\"shape\":[3,2],\"data_offsets\":[16,40]}}";

enum { N_DATA = 40 };

static void good_data(unsigned char data[N_DATA]) {
    const float x[4] = {1, -2, 3, 4};
    const int32_t c[6] = {0, 1, 2, 3, 4, 7};
    memcpy(data, x, sizeof x);
    memcpy(data + sizeof x, c, sizeof c);
}

static kztts_status parse(kz_voice_file *f, const char *header, const unsigned char *data, size_t n_data, kz_err *err) {
    size_t n = strlen(header), total = 8 + n + n_data;
    unsigned char *bytes = malloc(total);
    assert_non_null(bytes);
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)((uint64_t)n >> 8 * i);
    memcpy(bytes + 8, header, n);
    memcpy(bytes + 8 + n, data, n_data);
    kztts_status status = kz_voice_file_parse(f, bytes, total, "v.kzvoice", err);
    free(bytes);
    return status;
}

static void test_parse_good(void **state) {
    (void)state;
    unsigned char data[N_DATA];
    kz_voice_file f;
    kz_err err = {""};
    good_data(data);
    if (parse(&f, good_header, data, N_DATA, &err) != KZTTS_OK)
        fail_msg("%s", err.message);
    assert_string_equal(f.text[KZ_VOICE_NAME], "N");
    assert_true(f.x_vector[1] == -2 && f.ref_code[5] == 7 && f.n_ref == 3 && f.n_code == 2 && f.d_model == 4);
    kz_voice_file_free(&f);
    /* 64-bit codes, as other programs write them */
    unsigned char wide[16 + 48] = {0};
    memcpy(wide, data, 16);
    for (size_t i = 0; i < 6; i++)
        memcpy(wide + 16 + 8 * i, data + 16 + 4 * i, 4);
    char *with = config_replaced(good_header, NULL, "\"I32\"", "\"I64\"");
    char *header = config_replaced(with, NULL, "[16,40]", "[16,64]");
    assert_int_equal(parse(&f, header, wide, sizeof wide, &err), KZTTS_OK);
    assert_int_equal(f.ref_code[5], 7);
    kz_voice_file_free(&f);
    wide[16 + 4] = 1; /* 2^32: not code 0 */
    config_check_failure(parse(&f, header, wide, sizeof wide, &err), KZTTS_ERROR_FORMAT, &err, "frame 0, group 0",
                         "I64");
    free(with);
    free(header);
}

/* A change of the header, what is said then, and the bytes of data that are left (0: all). */
typedef struct row {
    const char *from, *to, *says;
    size_t n_data;
} row;

#define LONG50 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
#define CODES_ENTRY ",\"ref_codes\":{\"dtype\":\"I32\",\"shape\":[3,2],\"data_offsets\":[16,40]}"
#define VECTOR_ENTRY "\"spk_embedding\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}"

static const row refused[] = {
    {"\"format\":\"kzvoice/1\",", "", "not a voice file", 0},
    {"kzvoice/1", "pt", "not a voice file", 0},
    {"kzvoice/1", "kzvoice/2", "this version reads kzvoice/1", 0},
    {"kzvoice/1", "kzvoice/1\",\"format\":\"kzvoice/1", "format is there twice", 0},
    {"\"name\":\"N\"", "\"name\":\"N\",\"name\":\"M\"", "name is there twice", 0},
    {"\"N\"", "\"a\\u001b[2Jb\"", "name: expected one line", 0},
    {"\"N\"", "\"a\\nb\"", "name: expected one line", 0},
    {"\"N\"",
     "\"a\xe2\x80\xae"
     "b\"",
     "name: expected one line", 0},
    {"\"N\"",
     "\"a\xc2\x9b"
     "b\"",
     "name: expected one line", 0},
    {"\"N\"",
     "\"a\xff"
     "b\"",
     "not UTF-8", 0},
    {"\"N\"", "\"a\\u0000b\"", "u0000", 0},
    {"\"N\"", "7", "expected a string", 0},
    {"\"N\"", "\"" LONG50 LONG50 LONG50 LONG50 "x\"", "at most 200 bytes", 0},
    {"\"Hi.\"", "\"Hi\\u0007.\"", "ref_text: expected text", 0},
    {"\"Hi.\"", "\"\"", "need ref_text", 0},
    {"\"ref_text\":\"Hi.\",", "", "need ref_text", 0},
    {"\"family\":\"qwen3-tts-12hz\",", "", "family is missing", 0},
    {"\"4\"", "\"5\"", "spk_embedding: expected one dimension of d_model (5)", 0},
    {"\"4\"", "\"0\"", "d_model: expected 1 to", 0},
    {"\"4\"", "\"04\"", "d_model: expected a whole number", 0},
    {"\"4\"", "\"-4\"", "d_model: expected a whole number", 0},
    {"\"4\"", "\"4 \"", "d_model: expected a whole number", 0},
    {"\"4\"", "\"18446744073709551616\"", "d_model: expected a whole number", 0},
    {"\"4\"", "\"16385\"", "d_model: expected 1 to 16384", 0},
    {"\"d_model\":\"4\",", "", "spk_embedding: expected", 0},
    {"\"2\"", "\"3\"", "ref_codes: expected integers", 0},
    {"\"2\"", "\"65\"", "code_groups: expected 1 to 64", 0},
    {"\"code_groups\":\"2\",", "", "ref_codes: expected integers", 0},
    {"\"8\"", "\"7\"", "frame 2, group 1: code 7 isn't from 0 to 6", 0},
    {"\"8\"", "\"9999999\"", "codebook_size: expected 1 to", 0},
    {"\"codebook_size\":\"8\",", "", "codebook_size is missing", 0},
    {"\"false\"", "\"true\"", "ref_codes are there", 0},
    {"\"false\"", "\"no\"", "x_vector_only: expected true or false", 0},
    {CODES_ENTRY, "", "ref_codes are missing", 16},
    {"\"other\":\"x\"", "\"seed\":\"1\"", "seed: it belongs to a description", 0},
    {"\"other\":\"x\"", "\"seed\":\"1e3\"", "seed: expected a whole number", 0},
    {"\"other\":\"x\"", "\"source\":\"stolen\"", "source: expected recording", 0},
    {"\"other\":\"x\"", "\"speaker_sha256\":\"abc\"", "speaker_sha256: expected 64", 0},
    {"\"other\":\"x\"", "\"source_sha256\":\"" LONG50 "xxxxxxxxxxxxxx\"", "source_sha256: expected 64", 0},
    {"\"other\":\"x\"", "\"created\":\"yesterday\"", "created: expected a date", 0},
    {"\"other\":\"x\"", "\"created\":\"2026-13-01\"", "created: expected a date", 0},
    {"\"other\":\"x\"", "\"created\":\"2026-12-01T24:00:00Z\"", "created: expected a date", 0},
    {"\"other\":\"x\"", "\"consent_date\":\"2026-02-1x\"", "consent_date: expected a date", 0},
    {"\"F32\",\"shape\":[4]", "\"I32\",\"shape\":[4]", "F32", 0},
    {"\"shape\":[4]", "\"shape\":[2,2]", "expected one dimension", 0},
    {"\"I32\"", "\"F32\"", "ref_codes: expected integers", 0},
    {"[3,2]", "[6]", "ref_codes: expected integers", 0},
    {"[3,2]", "[2,3]", "ref_codes: expected integers", 0},
    {"\"shape\":[3,2],\"data_offsets\":[16,40]", "\"shape\":[0,2],\"data_offsets\":[16,16]", "0 frames", 16},
    {"[16,40]", "[16,39]", "23 bytes of data", 0},
    {VECTOR_ENTRY, "\"thing\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}", "neither a speaker vector",
     0},
    {"}}", "}", "JSON", 0},
};

static void check_refused(const row *r, const unsigned char *data) {
    kz_voice_file f = {.n_ref = 1};
    kz_err err = {""};
    char *header = config_replaced(good_header, NULL, r->from, r->to);
    kztts_status status = parse(&f, header, data, r->n_data ? r->n_data : N_DATA, &err);
    config_check_failure(status, KZTTS_ERROR_FORMAT, &err, r->says, r->to);
    if (f.strings || f.x_vector || f.ref_code || f.n_ref)
        fail_msg("%s: something is left", r->to);
    free(header);
}

static void test_parse_refuses(void **state) {
    (void)state;
    unsigned char data[N_DATA];
    good_data(data);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        check_refused(&refused[i], data);
    print_message("%zu headers refused\n", sizeof refused / sizeof *refused);
}

/* Numbers of the data themselves. */
static void test_parse_refuses_numbers(void **state) {
    (void)state;
    static const struct {
        size_t at;
        uint32_t bits;
        const char *says;
    } rows[] = {
        {4, 0x7fc00000, "value 1 is not a finite number"},
        {8, 0x7f800000, "value 2 is not a finite number"},
        {12, 0xff800000, "value 3"},
        {0, 0x4b000000, "number 0 of the speaker vector"},
        {16, 0xffffffff, "frame 0, group 0: code -1"},
        {36, 8, "frame 2, group 1: code 8"},
        {20, 0x7fffffff, "frame 0, group 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned char data[N_DATA];
        kz_voice_file f;
        kz_err err = {""};
        good_data(data);
        memcpy(data + rows[i].at, &rows[i].bits, 4);
        config_check_failure(parse(&f, good_header, data, N_DATA, &err), KZTTS_ERROR_FORMAT, &err, rows[i].says,
                             rows[i].says);
    }
    unsigned char silent[N_DATA] = {0};
    kz_voice_file f;
    kz_err err = {""};
    config_check_failure(parse(&f, good_header, silent, N_DATA, &err), KZTTS_ERROR_FORMAT, &err, "all zero", "zero");
}

/* A file cut anywhere is refused, whatever is left. */
static void test_parse_truncated(void **state) {
    (void)state;
    kz_voice_file f = full_voice(), got;
    kz_err err = {""};
    char *data;
    size_t n;
    assert_int_equal(kz_voice_file_encode(&f, &data, &n, &err), KZTTS_OK);
    for (size_t cut = 0; cut < n; cut++) {
        char *copy = malloc(cut + 1);
        assert_non_null(copy);
        memcpy(copy, data, cut);
        if (kz_voice_file_parse(&got, copy, cut, "cut", &err) != KZTTS_ERROR_FORMAT)
            fail_msg("%zu of %zu bytes were taken", cut, n);
        free(copy);
    }
    kz_free(data);
}

/* ---- imports ----------------------------------------------------------------------------------------------- */

static kztts_status import_json(kz_voice_file *f, const char *text, kz_err *err) {
    return kz_voice_import_json(f, text, strlen(text), "v.json", err);
}

static void test_json_forms(void **state) {
    (void)state;
    static const char *const good[] = {
        "[1, -2.5, 3e-1]",
        " {\"embedding\": [1, -2.5, 0.3]}\n",
        "{\"ref_spk_embedding\": [[1, -2.5, 0.3]], \"ref_code\": null, \"icl_mode\": false}",
        "{\"x_vector\": [1, -2.5, 0.3], \"ref_code\": [[1, 2]], \"x_vector_only_mode\": true, \"seed\": {}}",
        "{\"speaker_embedding\": [1, -2.5, 0.3], \"format\": \"other\", \"consent\": 5}",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        kz_voice_file f;
        kz_err err = {""};
        if (import_json(&f, good[i], &err) != KZTTS_OK)
            fail_msg("%s: %s", good[i], err.message);
        assert_int_equal(f.d_model, 3);
        assert_true(f.x_vector[0] == 1 && f.x_vector[1] == -2.5f && f.x_vector[2] == 0.3f && !f.ref_code);
        assert_string_equal(f.text[KZ_VOICE_SOURCE], "imported");
        assert_int_equal(strlen(f.text[KZ_VOICE_SOURCE_SHA256]), 64);
        assert_null(f.text[KZ_VOICE_CONSENT]);
        kz_voice_file_free(&f);
    }
    kz_voice_file f;
    kz_err err = {""};
    assert_int_equal(import_json(&f,
                                 "{\"spk_embedding\":[1],\"ref_codes\":[[1,2],[3,4],[5,60]],\"ref_text\":\"Hi\","
                                 "\"name\":\"\xe5\xa3\xb0\"}",
                                 &err),
                     KZTTS_OK);
    assert_true(f.n_ref == 3 && f.n_code == 2 && f.ref_code[5] == 60 && f.codebook_size == 0);
    assert_string_equal(f.text[KZ_VOICE_NAME], "\xe5\xa3\xb0");
    assert_string_equal(f.text[KZ_VOICE_REF_TEXT], "Hi");
    kz_voice_file_free(&f);
}

static void test_json_refuses(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"", "not usable JSON"},
        {"[1, 2", "not usable JSON"},
        {"[1] x", "something follows"},
        {"[NaN]", "not usable JSON"},
        {"\"voice\"", "expected a JSON list or object"},
        {"7", "expected a JSON list or object"},
        {"[]", "expected a list of 1 to"},
        {"[[], []]", "number 0"},
        {"[[[1]]]", "number 0"},
        {"[1, \"2\"]", "number 1"},
        {"[1, null]", "number 1"},
        {"[1, 1e39]", "number 1"},
        {"[1, 1e999]", "number 1"},
        {"[-1000001]", "number 0"},
        {"[0, 0, -0.0]", "all zero"},
        {"{}", "neither a speaker vector nor a description"},
        {"{\"embedding\": {}}", "the speaker vector"},
        {"{\"embedding\": \"x\"}", "the speaker vector"},
        {"{\"embedding\": [1], \"x_vector\": [1]}", "both \"embedding\" and \"x_vector\""},
        {"{\"embedding\": [1], \"embedding\": [1]}", "both"},
        {"{\"embedding\": [1], \"ref_codes\": [[1]]}", "need ref_text"},
        {"{\"ref_text\": \"a\", \"ref_codes\": [[1]]}", "neither a speaker vector"},
        {"{\"embedding\": [1], \"ref_text\": \"a\", \"ref_codes\": []}", "codes"},
        {"{\"embedding\": [1], \"ref_text\": \"a\", \"ref_codes\": [1, 2]}", "codes"},
        {"{\"embedding\": [1], \"ref_text\": \"a\", \"ref_codes\": [[1, 2], [3]]}", "frame 1"},
        {"{\"embedding\": [1], \"ref_text\": \"a\", \"ref_codes\": [[1, 2], 3]}", "frame 1"},
        {"{\"embedding\": [1], \"ref_text\": \"a\", \"ref_codes\": [[1.5]]}", "frame 0"},
        {"{\"embedding\": [1], \"ref_text\": \"a\", \"ref_codes\": [[-1]]}", "frame 0"},
        {"{\"embedding\": [1], \"ref_text\": \"a\", \"ref_codes\": [[2000000]]}", "frame 0"},
        {"{\"embedding\": [1], \"ref_text\": [\"a\"]}", "ref_text: expected a text"},
        {"{\"embedding\": [1], \"name\": \"a\\u001bb\"}", "name: expected one line"},
        {"{\"embedding\": [1], \"name\": \"a\", \"name\": \"b\"}", "name is there twice"},
        {"{\"format\":\"kzvoice-json/1\",\"embedding\":[1]}", "family is missing"},
        {"{\"format\":\"kzvoice-json/1\",\"family\":\"f\",\"d_model\":2,\"spk_embedding\":[1]}", "d_model is 2"},
        {"{\"format\":\"kzvoice-json/1\",\"family\":\"f\",\"source\":\"x\",\"spk_embedding\":[1]}", "source: expected"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kz_voice_file f;
        kz_err err = {""};
        config_check_failure(import_json(&f, rows[i].text, &err), KZTTS_ERROR_FORMAT, &err, rows[i].says, rows[i].text);
        assert_true(!f.x_vector && !f.ref_code && !f.strings);
    }
    print_message("%zu JSON files refused\n", sizeof rows / sizeof *rows);
}

static void test_raw(void **state) {
    (void)state;
    unsigned char data[N_DATA];
    kz_voice_file f;
    kz_err err = {""};
    good_data(data);
    assert_int_equal(kz_voice_import_raw(&f, data, 16, "v.bin", &err), KZTTS_OK);
    assert_true(f.d_model == 4 && f.x_vector[1] == -2 && !f.ref_code);
    assert_string_equal(f.text[KZ_VOICE_SOURCE], "imported");
    kz_voice_file_free(&f);
    static unsigned char large[4 * (KZ_VOICE_MAX_WIDTH + 1)] = {0, 0, 0x80, 0x3f};
    const uint32_t nan = 0x7fc00000;
    config_check_failure(kz_voice_import_raw(&f, data, 0, "v", &err), KZTTS_ERROR_FORMAT, &err, "0 bytes", "empty");
    config_check_failure(kz_voice_import_raw(&f, data, 15, "v", &err), KZTTS_ERROR_FORMAT, &err, "15 bytes", "odd");
    config_check_failure(kz_voice_import_raw(&f, large, sizeof large, "v", &err), KZTTS_ERROR_FORMAT, &err, "bytes",
                         "large");
    config_check_failure(kz_voice_import_raw(&f, large + 4, 16, "v", &err), KZTTS_ERROR_FORMAT, &err, "all zero",
                         "zero");
    memcpy(data + 8, &nan, 4);
    config_check_failure(kz_voice_import_raw(&f, data, 16, "v", &err), KZTTS_ERROR_FORMAT, &err, "number 2", "NaN");
}

/* ---- against models ---------------------------------------------------------------------------------------- */

static void check_fit(const kz_voice_file *f, const kz_config *cfg, const char *says) {
    kz_err err = {""};
    kztts_status status = kz_voice_file_fit(f, cfg, "v.kzvoice", &err);
    if (says)
        config_check_failure(status, KZTTS_ERROR_VOICE, &err, says, says);
    else if (status != KZTTS_OK)
        fail_msg("%s", err.message);
}

static void test_fit(void **state) {
    (void)state;
    kz_voice_file f = full_voice();
    kz_config small = {.type = KZ_MODEL_BASE, .size = "0b6", .talker = {.d_model = WIDTH}, .n_code = N_CODE}, other;
    small.codec.codebook_size = 2048;
    check_fit(&f, &small, NULL);
    other = small;
    other.talker.d_model = 9;
    memcpy(other.size, "1b7", 4);
    check_fit(&f, &other, "v.kzvoice: made for the 0.6B model (7 wide), this one is 1.7B (9 wide)");
    f.text[KZ_VOICE_MODEL_SIZE] = "tiny";
    check_fit(&f, &other, "made for the tiny model (7 wide)");
    f.text[KZ_VOICE_MODEL_SIZE] = NULL;
    check_fit(&f, &other, "made for a model 7 wide, this one is 1.7B (9 wide)");
    other = small;
    other.n_code = 16;
    check_fit(&f, &other, "2 codes a frame, this model has 16");
    other = small;
    other.codec.codebook_size = 4096;
    check_fit(&f, &other, "a codec of 2048 codes, this model's has 4096");
    f.codebook_size = 0; /* another engine's: its codes decide */
    check_fit(&f, &other, NULL);
    other.codec.codebook_size = 2047;
    check_fit(&f, &other, "frame 0, group 1: code 2047");
    f = full_voice();
    other = small;
    other.type = KZ_MODEL_CUSTOM_VOICE;
    check_fit(&f, &other, "custom_voice");
    other.type = KZ_MODEL_VOICE_DESIGN; /* speaks from the description, whatever its width */
    other.talker.d_model = 9;
    check_fit(&f, &other, NULL);
    f.text[KZ_VOICE_DESCRIPTION] = NULL;
    check_fit(&f, &other, "a cloned voice");
    f = full_voice();
    f.x_vector = NULL;
    check_fit(&f, &small, "by description alone");
    f = full_voice();
    f.text[KZ_VOICE_FAMILY] = "qwen3-tts-25hz";
    check_fit(&f, &small, "family qwen3-tts-25hz");
}

/* ---- hashes ------------------------------------------------------------------------------------------------ */

static void test_sha256(void **state) {
    (void)state;
    static const struct {
        const char *text, *hex;
    } rows[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    char hex[65], whole[65];
    kz_sha256 s;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kz_sha256_init(&s);
        kz_sha256_add(&s, rows[i].text, strlen(rows[i].text));
        kz_sha256_end(&s, hex);
        assert_string_equal(hex, rows[i].hex);
    }
    /* a million times "a", in pieces of every length around a block */
    static char a[1000000];
    memset(a, 'a', sizeof a);
    kz_sha256_init(&s);
    kz_sha256_add(&s, a, sizeof a);
    kz_sha256_end(&s, whole);
    assert_string_equal(whole, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    kz_sha256_init(&s);
    for (size_t at = 0, n = 1; at < sizeof a; at += n, n = n % 131 + 1)
        kz_sha256_add(&s, a + at, sizeof a - at < n ? sizeof a - at : n);
    kz_sha256_end(&s, hex);
    assert_string_equal(hex, whole);
}

static void hash_of(char hex[KZ_HASH_TEXT], const char *name, const char *shape, unsigned char first) {
    char bytes[256] = {0}, header[200];
    int n = snprintf(header, sizeof header,
                     "{\"%s\":{\"dtype\":\"F32\",\"shape\":%s,\"data_offsets\":[0,8]},"
                     "\"z\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[8,9]}}",
                     name, shape);
    kz_weights *w;
    kz_err err = {""};
    bytes[0] = (char)n;
    memcpy(bytes + 8, header, (size_t)n);
    bytes[8 + n] = (char)first;
    assert_int_equal(kz_weights_open_memory(&w, bytes, 8 + (size_t)n + 9, "t", &err), KZTTS_OK);
    assert_int_equal(kz_voice_hash_tensors(hex, w, "p.", NULL, &err), KZTTS_OK);
    kz_weights_close(w);
}

static void test_hash_tensors(void **state) {
    (void)state;
    char a[KZ_HASH_TEXT], b[KZ_HASH_TEXT];
    hash_of(a, "p.a", "[2]", 1);
    /* as docs/formats.md says, made with another program */
    assert_string_equal(a, "795c3e858bfee2b3141b673b0c665d9c93db1ac558c7be529c8d4258771060ef");
    hash_of(b, "p.a", "[2]", 1);
    assert_string_equal(a, b);
    hash_of(b, "p.b", "[2]", 1);
    assert_string_not_equal(a, b);
    hash_of(b, "p.a", "[1,2]", 1);
    assert_string_not_equal(a, b);
    hash_of(b, "p.a", "[2]", 2);
    assert_string_not_equal(a, b);
    hash_of(b, "q.a", "[2]", 1);
    assert_string_equal(b, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_json_floats),
        cmocka_unit_test(test_json_locale),
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_encode_refuses),
        cmocka_unit_test(test_parse_good),
        cmocka_unit_test(test_parse_refuses),
        cmocka_unit_test(test_parse_refuses_numbers),
        cmocka_unit_test(test_parse_truncated),
        cmocka_unit_test(test_json_forms),
        cmocka_unit_test(test_json_refuses),
        cmocka_unit_test(test_raw),
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_sha256),
        cmocka_unit_test(test_hash_tensors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
