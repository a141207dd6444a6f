/* test_weights.c: safetensors files, whole and damaged.  SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "weights/weights.h"

/* ---- files that are made here ------------------------------------------------------------------------------ */

static char dir[64];

static const char *path_of(const char *name) {
    static char path[192];
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static void write_file(const char *name, const void *data, size_t n) {
    FILE *f = fopen(path_of(name), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

/* Length, header, data. n_header: what the length says. */
static void write_safetensors(const char *name, uint64_t n_header, const char *header, size_t n_text, const void *data,
                              size_t n_data) {
    size_t n = 8 + n_text + n_data;
    unsigned char *file = malloc(n);
    assert_non_null(file);
    for (int i = 0; i < 8; i++)
        file[i] = (unsigned char)(n_header >> (8 * i));
    memcpy(file + 8, header, n_text);
    if (n_data)
        memcpy(file + 8 + n_text, data, n_data);
    write_file(name, file, n);
    free(file);
}

static int make_dir(void **state) {
    (void)state;
    strcpy(dir, "kztts_weights_XXXXXX");
    return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state) {
    static const char *const names[] = {"f.safetensors", "a.safetensors", "b.safetensors", "model.safetensors",
                                        "model.safetensors.index.json"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)unlink(path_of(names[i]));
    return rmdir(dir);
}

static void check_failure(kztts_status status, kztts_status expected, const kz_err *err, const char *fragment,
                          const char *what) {
    if (status != expected || !strstr(err->message, fragment))
        fail_msg("%s: status %d (expected %d), message \"%s\" (expected \"...%s...\")", what, status, expected,
                 err->message, fragment);
}

/* ---- damaged headers --------------------------------------------------------------------------------------- */

#define T(name, dtype, shape, offsets)                                                                                 \
    "\"" name "\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}"

static const struct header_row {
    const char *header;
    size_t n_data;
    const char *fragment;
} header_rows[] = {
    /* JSON */
    {"", 0, "at byte 0: it ends too early"},
    {"[]", 0, "expected a JSON object, found a list"},
    {"17", 0, "expected a JSON object, found 17"},
    {"{", 0, "at byte 1: expected a string"},
    {"{\"a\"}", 0, "expected ':'"},
    {"{\"a\":1,}", 0, "expected a string"},
    {"{\"a\":[1 2]}", 0, "expected ',' or ']'"},
    {"{\"a\":{\"b\":1 2}}", 0, "expected ',' or '}'"},
    {"{} x", 0, "something follows the end"},
    {"\xEF\xBB\xBF{}", 0, "byte order mark"},
    {"{\"a\":tru}", 0, "unknown word"},
    {"{\"a\":01}", 0, "expected ',' or '}'"},
    {"{\"a\":1.}", 0, "expected a digit"},
    {"{\"a\":-}", 0, "expected a digit"},
    {"{\"a\":1e}", 0, "expected a digit"},
    {"{\"a\":NaN}", 0, "expected a digit"},
    {"{\"a", 0, "unfinished string"},
    {"{\"a\n\":1}", 0, "control character in a string"},
    {"{\"a\\x\":1}", 0, "bad escape"},
    {"{\"\\u12g4\":1}", 0, "bad \\u escape"},
    {"{\"\\u0000\":1}", 0, "\\u0000 in a string"},
    {"{\"\\ud800x\":1}", 0, "half a surrogate pair"},
    {"{\"\\udc00\":1}", 0, "half a surrogate pair"},
    {"{\"\\ud800\\u0041\":1}", 0, "half a surrogate pair"},
    {"{\"\xC0\x80\":1}", 0, "not UTF-8"},
    {"{\"\xE2\x82\":1}", 0, "not UTF-8"},
    {"{\"\xED\xA0\x80\":1}", 0, "not UTF-8"},
    {"{\"\xF5\x80\x80\x80\":1}", 0, "not UTF-8"},
    {"{\"\xE0\x9F\xBF\":1}", 0, "not UTF-8"},
    {"{\"\xF0\x8F\xBF\xBF\":1}", 0, "not UTF-8"},
    {"{\"\xF4\x90\x80\x80\":1}", 0, "not UTF-8"},
    /* entries */
    {"{\"a\":1}", 0, "tensor \"a\": entry: expected an object, found 1"},
    {"{\"a\":{\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "tensor \"a\": dtype: expected a known type"},
    {"{" T("a", "F31", "[1]", "[0,4]") "}", 4,
     "tensor \"a\": dtype: expected a known type such as \"BF16\", found \"F31\""},
    {"{\"a\":{\"dtype\":4,\"shape\":[1],\"data_offsets\":[0,4]}}", 4,
     "dtype: expected a known type such as \"BF16\", found 4"},
    {"{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "dtype is there twice"},
    {"{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}}", 4, "tensor \"a\": shape: expected a list, found nothing"},
    {"{" T("a", "F32", "1", "[0,4]") "}", 4, "shape: expected a list, found 1"},
    {"{" T("a", "F32", "[-1]", "[0,4]") "}", 4, "shape: expected integers of at least 0, found -1"},
    {"{" T("a", "F32", "[0.5]", "[0,4]") "}", 4, "shape: expected integers of at least 0, found 0.5"},
    {"{" T("a", "F32", "[\"1\"]", "[0,4]") "}", 4, "shape: expected integers of at least 0, found \"1\""},
    {"{" T("a", "F32", "[1e16]", "[0,4]") "}", 4, "shape: expected integers of at least 0, found 1000"},
    {"{" T("a", "F32", "[1e999]", "[0,4]") "}", 4, "shape: expected integers of at least 0, found inf"},
    {"{" T("a", "F32", "[4503599627370496,4503599627370496]", "[0,4]") "}", 4, "the product of its shape is too large"},
    {"{" T("a", "F32", "[4503599627370496,2048]", "[0,4]") "}", 4,
     "tensor \"a\": 4 bytes of data for 9223372036854775808 elements"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4, "data_offsets: expected a list of two integers, found nothing"},
    {"{" T("a", "F32", "[1]", "[0]") "}", 4, "data_offsets: expected a list of two integers"},
    {"{" T("a", "F32", "[1]", "[0,4,8]") "}", 4, "data_offsets: expected a list of two integers"},
    {"{" T("a", "F32", "[1]", "[-4,0]") "}", 4, "data_offsets: expected integers of at least 0, found -4"},
    {"{" T("a", "F32", "[1]", "[0,null]") "}", 4, "data_offsets: expected integers of at least 0, found null"},
    {"{" T("a", "F32", "[1]", "[4,0]") "}", 4,
     "data_offsets [4, 0] of 4 bytes of data: the end lies before the beginning"},
    {"{" T("a", "F32", "[1]", "[0,4]") "}", 3, "data_offsets [0, 4] of 3 bytes of data: the file is too short"},
    {"{" T("a", "F32", "[2]", "[0,4]") "}", 4, "4 bytes of data for 2 elements of 4 bytes"},
    {"{" T("a", "BF16", "[1]", "[0,4]") "}", 4, "4 bytes of data for 1 elements of 2 bytes"},
    /* places */
    {"{" T("a", "F32", "[2]", "[0,8]") "," T("b", "F32", "[2]", "[4,12]") "}", 12,
     "tensors \"a\" and \"b\" overlap: one ends at byte 8, the other begins at byte 4"},
    {"{" T("b", "F32", "[1]", "[0,4]") "," T("a", "F32", "[1]", "[0,4]") "}", 4, "tensors \"a\" and \"b\" overlap"},
    {"{" T("a", "F32", "[1]", "[0,4]") "," T("b", "F32", "[1]", "[8,12]") "}", 12,
     "bytes 4 to 8, before tensor \"b\", belong to no tensor"},
    {"{" T("a", "F32", "[1]", "[4,8]") "}", 8, "bytes 0 to 4, before tensor \"a\""},
    {"{" T("a", "F32", "[1]", "[0,4]") "}", 5, "1 bytes follow the last tensor's data"},
    {"{}", 7, "7 bytes follow the last tensor's data"},
    {"{" T("a", "F32", "[1]", "[0,4]") "," T("a", "F32", "[1]", "[4,8]") "}", 8, "tensor \"a\" is there twice"},
    {"{" T("a", "F32", "[1]", "[0,4]") "," T("\\u0061", "F32", "[1]", "[4,8]") "}", 8, "tensor \"a\" is there twice"},
    /* metadata */
    {"{\"__metadata__\":3}", 0, "__metadata__: expected one object, found 3"},
    {"{\"__metadata__\":{},\"__metadata__\":{}}", 0, "__metadata__: expected one object, found two"},
    {"{\"__metadata__\":{\"k\":7}}", 0, "__metadata__: k: expected a string, found 7"},
    /* what is shown can't disturb a terminal */
    {"{\"\\u001b[2Jx\":1}", 0, "tensor \"?[2Jx\": entry"},
};

static void test_damaged_headers(void **state) {
    static const unsigned char zeros[64];
    (void)state;
    for (size_t i = 0; i < sizeof header_rows / sizeof *header_rows; i++) {
        const struct header_row *row = &header_rows[i];
        kz_weights *w = (kz_weights *)state; /* must become NULL */
        kz_err err = {""};
        size_t n = strlen(row->header);
        write_safetensors("f.safetensors", n, row->header, n, zeros, row->n_data);
        kztts_status status = kz_weights_open_file(&w, path_of("f.safetensors"), &err);
        check_failure(status, KZTTS_ERROR_FORMAT, &err, row->fragment, row->header);
        assert_null(w);
        assert_non_null(strstr(err.message, "f.safetensors"));
    }
}

/* The same reports without a place for a message. */
static void test_no_message_wanted(void **state) {
    (void)state;
    kz_weights *w;
    write_file("f.safetensors", "123", 3);
    assert_int_equal(kz_weights_open_file(&w, path_of("f.safetensors"), NULL), KZTTS_ERROR_FORMAT);
    assert_null(w);
}

static void test_damaged_lengths(void **state) {
    static const struct {
        uint64_t n_header;
        size_t n_text;
        const char *fragment;
    } rows[] = {
        {3, 2, "not a safetensors file, or truncated: its header would be 3 bytes long, the file is 10"},
        {UINT64_MAX, 2, "its header would be 18446744073709551615 bytes long"},
        {UINT64_MAX - 7, 2, "not a safetensors file, or truncated"},
        {100000001, 2, "its header would be 100000001 bytes long"},
        {0, 2, "not usable JSON at byte 0: it ends too early"},
        {1, 2, "not usable JSON at byte 1: expected a string"},
    };
    (void)state;
    kz_weights *w;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kz_err err = {""};
        write_safetensors("f.safetensors", rows[i].n_header, "{}", rows[i].n_text, NULL, 0);
        kztts_status status = kz_weights_open_file(&w, path_of("f.safetensors"), &err);
        check_failure(status, KZTTS_ERROR_FORMAT, &err, rows[i].fragment, "length");
    }
    for (size_t n = 0; n < 8; n++) {
        kz_err err = {""};
        write_file("f.safetensors", "\2\0\0\0\0\0\0\0", n);
        kztts_status status = kz_weights_open_file(&w, path_of("f.safetensors"), &err);
        check_failure(status, KZTTS_ERROR_FORMAT, &err, n ? "too few for a safetensors file" : "empty", "short file");
    }
    kz_err err = {""};
    /* A header that the file could hold, but that no model has: a sparse file, so it costs nothing. */
    write_safetensors("f.safetensors", 100000001, "{}", 2, NULL, 0);
    assert_int_equal(truncate(path_of("f.safetensors"), 100000009), 0);
    check_failure(kz_weights_open_file(&w, path_of("f.safetensors"), &err), KZTTS_ERROR_FORMAT, &err,
                  "its header would be 100000001 bytes long", "long header");
    check_failure(kz_weights_open_file(&w, path_of("none.safetensors"), &err), KZTTS_ERROR_NOT_FOUND, &err,
                  "none.safetensors", "missing file");
}

/* Each file is cheap to make and would be dear to take. */
static void test_json_bombs(void **state) {
    enum { N = 4 << 20 };
    static const struct {
        const char *begin, *repeat, *end, *fragment;
    } rows[] = {
        {"{\"a\":", "[", "", "nested too deeply"},
        {"", "{\"a\":", "", "nested too deeply"},
        {"{\"a\":[", "0,", "0]}", "too many values"},
        {"{\"a\":[", "{},", "0]}", "too many values"},
        {"{\"a\":", "9", "}", "number of too many digits"},
        {"{\"a\":0.", "0", "}", "number of too many digits"},
        {"{\"a\":1e", "9", "}", "number of too many digits"},
        {"{\"a\":\"", "x", "\"}", "entry: expected an object, found \"xxxx"},
        {"{\"", "x", "\":1}", "xxx...\": entry: expected an object"},
        {"{\"a\":", " ", "7}", "entry: expected an object, found 7"},
        {"{\"a\":{\"shape\":[", "1,", "1]}}", "too many values"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t n_begin = strlen(rows[i].begin), n_repeat = strlen(rows[i].repeat), n_end = strlen(rows[i].end);
        size_t count = N / n_repeat, n = n_begin + count * n_repeat + n_end;
        char *text = malloc(n + 1);
        assert_non_null(text);
        memcpy(text, rows[i].begin, n_begin);
        for (size_t j = 0; j < count; j++)
            memcpy(text + n_begin + j * n_repeat, rows[i].repeat, n_repeat);
        memcpy(text + n - n_end, rows[i].end, n_end + 1);
        write_safetensors("f.safetensors", n, text, n, NULL, 0);
        free(text);
        kz_weights *w;
        kz_err err = {""};
        kztts_status status = kz_weights_open_file(&w, path_of("f.safetensors"), &err);
        check_failure(status, KZTTS_ERROR_FORMAT, &err, rows[i].fragment, rows[i].begin);
    }
}

/* ---- a good file ------------------------------------------------------------------------------------------- */

static const char good_header[] =
    "{\"__metadata__\":{\"format\":\"pt\",\"\\u00e9\":\"\\\"x\\\"\"}," /* data are in another order than names */
    T("z.f32", "F32", "[2,1]", "[0,8]") "," T("m.bf16", "BF16", "[3]", "[8,14]") "," T("a.f16", "F16", "[1,2,1,2]", "[14,22]") "," T(
        "i64", "I64", "[1]",
        "[22,30]") "," T("none", "F32", "[0,7]",
                         "[30,30]") "," T("wide", "F32", "[1,1,1,1,1]",
                                          "[30,34]") "," T("scalar", "BF16", "[]",
                                                           "[34,36]") "," T("u8", "U8", "[3]",
                                                                            "[36,39]") "," T("bool", "BOOL", "[1]",
                                                                                             "[39,40]") "," T("nan",
                                                                                                              "BF16",
                                                                                                              "[3]",
                                                                                                              "[40,46]") "," T("inf",
                                                                                                                               "F32",
                                                                                                                               "[2]",
                                                                                                                               "[46,54]") "," T("f16inf",
                                                                                                                                                "F16",
                                                                                                                                                "[1]",
                                                                                                                                                "[54,56]") "}  ";

static void put16(unsigned char *p, unsigned v) {
    p[0] = (unsigned char)v;
    p[1] = (unsigned char)(v >> 8);
}

static void put32(unsigned char *p, unsigned v) {
    put16(p, v & 0xFFFF);
    put16(p + 2, v >> 16);
}

static kz_weights *open_good(void) {
    unsigned char data[56] = {0};
    kz_weights *w;
    kz_err err = {""};
    put32(data, 0x3FC00001);      /* 1.5 and a little */
    put32(data + 4, 0x80000001);  /* the smallest below zero */
    put16(data + 8, 0x3F80);      /* 1 */
    put16(data + 10, 0xC2F7);     /* -123.5 */
    put16(data + 12, 0x0001);     /* subnormal */
    put16(data + 14, 0x3C00);     /* 1 */
    put16(data + 16, 0xC580);     /* -5.5 */
    put16(data + 18, 0x0001);     /* 2^-24 */
    put16(data + 20, 0x7BFF);     /* 65504 */
    put16(data + 34, 0x4040);     /* 3 */
    put16(data + 44, 0x7FC0);     /* NaN at index 2 */
    put32(data + 50, 0xFF800000); /* -inf at index 1 */
    put16(data + 54, 0x7C00);
    write_safetensors("f.safetensors", sizeof good_header - 1, good_header, sizeof good_header - 1, data, sizeof data);
    if (kz_weights_open_file(&w, path_of("f.safetensors"), &err) != KZTTS_OK)
        fail_msg("%s", err.message);
    return w;
}

static void test_directory(void **state) {
    (void)state;
    kz_weights *w = open_good();
    assert_int_equal(kz_weights_count(w), 12);
    assert_int_equal(kz_weights_bytes(w), 8 + sizeof good_header - 1 + 56);
    for (size_t i = 0; i < kz_weights_count(w); i++) {
        const kz_tensor *t = kz_weights_at(w, i);
        assert_ptr_equal(kz_weights_find(w, t->name), t);
        if (i)
            assert_true(strcmp(kz_weights_at(w, i - 1)->name, t->name) < 0);
    }
    assert_null(kz_weights_find(w, ""));
    assert_null(kz_weights_find(w, "m.bf1"));
    assert_null(kz_weights_find(w, "m.bf166"));
    assert_null(kz_weights_find(w, "zzz"));
    assert_null(kz_weights_find(w, "__metadata__"));
    assert_string_equal(kz_weights_meta(w, "format"), "pt");
    assert_string_equal(kz_weights_meta(w, "\xC3\xA9"), "\"x\"");
    assert_null(kz_weights_meta(w, "other"));
    kz_weights_close(w);
    kz_weights_close(NULL);
}

static void test_tensors(void **state) {
    static const struct {
        const char *name;
        int type, n_dim;
        size_t n_elem, n_byte;
    } rows[] = {
        {"z.f32", KZ_F32, 2, 2, 8},   {"m.bf16", KZ_BF16, 1, 3, 6}, {"a.f16", KZ_F16, 4, 4, 8},
        {"i64", KZ_I64, 1, 1, 8},     {"none", KZ_F32, 2, 0, 0},    {"wide", KZ_OTHER, 0, 1, 4},
        {"scalar", KZ_BF16, 0, 1, 2}, {"u8", KZ_U8, 1, 3, 3},       {"bool", KZ_OTHER, 1, 1, 1},
    };
    (void)state;
    kz_weights *w = open_good();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const kz_tensor *t = kz_weights_find(w, rows[i].name);
        assert_non_null(t);
        assert_int_equal(t->type, rows[i].type);
        assert_int_equal(t->n_dim, rows[i].n_dim);
        assert_int_equal(t->n_elem, rows[i].n_elem);
        assert_int_equal(t->n_byte, rows[i].n_byte);
    }
    const size_t *shape = kz_weights_find(w, "a.f16")->shape;
    assert_true(shape[0] == 1 && shape[1] == 2 && shape[2] == 1 && shape[3] == 2);
    assert_int_equal(kz_weights_find(w, "scalar")->data[1], 0x40);
    kz_weights_close(w);
}

static void test_get(void **state) {
    static const size_t s1[] = {3}, s2[] = {2, 1}, s2b[] = {1, 2}, one[] = {1}, five[] = {1, 1, 1, 1};
    static const struct {
        const char *name;
        int n_dim;
        const size_t *shape;
        const char *fragment; /* NULL: found */
    } rows[] = {
        {"z.f32", 2, s2, NULL},
        {"m.bf16", 1, s1, NULL},
        {"scalar", 0, s1, NULL},
        {"z.f32", 2, s2b, "tensor \"z.f32\": expected shape [1, 2] of F32, BF16 or F16, found [2, 1] of F32"},
        {"z.f32", 1, s2, "expected shape [2] of"},
        {"i64", 1, one, "tensor \"i64\": expected shape [1] of F32, BF16 or F16, found [1] of I64"},
        {"u8", 1, s1, "found [3] of U8"},
        {"bool", 1, one, "found [1] of another type"},
        {"wide", 4, five, "expected shape [1, 1, 1, 1] of"},
        {"wide", 0, one, "found [] of another type"},
        {"gone", 2, s2, "tensor \"gone\" is missing; expected shape [2, 1]"},
    };
    (void)state;
    kz_weights *w = open_good();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kz_err err = {""};
        const kz_tensor *t = NULL;
        kztts_status status = kz_weights_get(&t, w, rows[i].name, rows[i].n_dim, rows[i].shape, &err);
        if (rows[i].fragment) {
            check_failure(status, KZTTS_ERROR_FORMAT, &err, rows[i].fragment, rows[i].name);
            assert_non_null(strstr(err.message, "f.safetensors"));
            assert_null(t);
        } else {
            assert_int_equal(status, KZTTS_OK);
            assert_ptr_equal(t, kz_weights_find(w, rows[i].name));
        }
    }
    kz_weights_close(w);
}

static void check_copy(const kz_weights *w, const char *name, int n_dim, const size_t *shape, const float *expected,
                       size_t n) {
    float *copy = NULL;
    kz_err err = {""};
    if (kz_weights_copy(&copy, w, name, n_dim, shape, &err) != KZTTS_OK)
        fail_msg("%s", err.message);
    assert_memory_equal(copy, expected, n * sizeof *copy);
    assert_int_equal((uintptr_t)copy % KZ_ALIGN, 0);
    kz_free(copy);
}

static void test_copy(void **state) {
    static const size_t s2[] = {2, 1}, s3[] = {3}, s4[] = {1, 2, 1, 2}, s0[] = {0, 7}, two[] = {2}, one[] = {1};
    static const struct {
        const char *name;
        const size_t *shape;
        const char *fragment;
    } rows[] = {
        {"nan", s3, "tensor \"nan\": value 2 is not a finite number"},
        {"inf", two, "tensor \"inf\": value 1 is not a finite number"},
        {"f16inf", one, "tensor \"f16inf\": value 0 is not a finite number"},
        {"m.bf16", one, "tensor \"m.bf16\": expected shape [1]"},
        {"i64", one, "of I64"},
    };
    (void)state;
    kz_weights *w = open_good();
    check_copy(w, "z.f32", 2, s2, (const float[]){0x1.800002p0f, -0x1p-149f}, 2);
    check_copy(w, "m.bf16", 1, s3, (const float[]){1, -123.5f, 0x1p-133f}, 3);
    check_copy(w, "a.f16", 4, s4, (const float[]){1, -5.5f, 0x1p-24f, 65504}, 4);
    check_copy(w, "scalar", 0, s2, (const float[]){3}, 1);
    check_copy(w, "none", 2, s0, NULL, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        float *copy = (float *)state;
        kz_err err = {""};
        kztts_status status = kz_weights_copy(&copy, w, rows[i].name, 1, rows[i].shape, &err);
        check_failure(status, KZTTS_ERROR_FORMAT, &err, rows[i].fragment, rows[i].name);
        assert_null(copy);
    }
    kz_weights_close(w);
}

/* More tensors than a list sorted by luck, names and places in different orders, some of them empty. */
static void test_many_tensors(void **state) {
    (void)state;
    enum { N = 997 };
    char *header = malloc(N * 80 + 3), *at = header;
    unsigned char data[N * 2] = {0};
    size_t end = 0;
    assert_non_null(header);
    *at++ = '{';
    for (size_t i = 0; i < N; i++) {
        size_t name = i * 619 % N, n = i % 3; /* N is prime: each name once */
        at += sprintf(at, "%s\"t%03zu\":{\"dtype\":\"U8\",\"shape\":[%zu],\"data_offsets\":[%zu,%zu]}", i ? "," : "",
                      name, n, end, end + n);
        memset(data + end, (int)(name & 0xFF), n);
        end += n;
    }
    strcpy(at, "}");
    write_safetensors("f.safetensors", strlen(header), header, strlen(header), data, end);
    free(header);
    kz_weights *w;
    kz_err err = {""};
    if (kz_weights_open_file(&w, path_of("f.safetensors"), &err) != KZTTS_OK)
        fail_msg("%s", err.message);
    assert_int_equal(kz_weights_count(w), N);
    for (size_t i = 0; i < N; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "t%03zu", i);
        const kz_tensor *t = kz_weights_find(w, name);
        assert_non_null(t);
        assert_ptr_equal(t, kz_weights_at(w, i));
        for (size_t j = 0; j < t->n_elem; j++)
            assert_int_equal(t->data[j], i & 0xFF);
    }
    kz_weights_close(w);
}

/* Any byte of a good file may be any other: open must give a status, and what opens must be readable. */
static void test_changed_bytes(void **state) {
    (void)state;
    unsigned seed = getenv("KZTTS_TEST_SEED") ? (unsigned)strtoul(getenv("KZTTS_TEST_SEED"), NULL, 10) : 1;
    print_message("seed %u\n", seed);
    unsigned char data[56] = {0};
    char header[sizeof good_header];
    size_t opened = 0;
    for (int i = 0; i < 3000; i++) {
        memcpy(header, good_header, sizeof header);
        for (int j = 0; j < 2; j++) {
            seed = seed * 1664525u + 1013904223u;
            header[(seed >> 8) % (sizeof header - 1)] = (char)((seed & 1) ? seed >> 24 : '0' + (seed >> 24) % 10);
        }
        write_safetensors("f.safetensors", sizeof header - 1, header, sizeof header - 1, data, sizeof data);
        kz_weights *w;
        unsigned sum = 0;
        if (kz_weights_open_file(&w, path_of("f.safetensors"), NULL) == KZTTS_OK) {
            opened++;
            for (size_t j = 0; j < kz_weights_count(w); j++)
                for (size_t k = 0; k < kz_weights_at(w, j)->n_byte; k++)
                    sum += kz_weights_at(w, j)->data[k];
        }
        assert_int_equal(sum, 0);
        kz_weights_close(w);
    }
    assert_true(opened > 0 && opened < 3000);
}

/* ---- directories and shards -------------------------------------------------------------------------------- */

static void write_shard(const char *name, const char *header) {
    static const unsigned char zeros[8];
    write_safetensors(name, strlen(header), header, strlen(header), zeros, 8);
}

static void write_index(const char *text) { write_file("model.safetensors.index.json", text, strlen(text)); }

static void test_shards(void **state) {
    (void)state;
    kz_weights *w;
    kz_err err = {""};
    check_failure(kz_weights_open_dir(&w, dir, &err), KZTTS_ERROR_NOT_FOUND, &err,
                  "neither model.safetensors nor model.safetensors.index.json", "empty directory");
    write_shard("a.safetensors",
                "{\"__metadata__\":{\"k\":\"a\"}," T("x", "F32", "[1]", "[0,4]") "," T("p", "F32", "[1]", "[4,8]") "}");
    write_shard("b.safetensors", "{\"__metadata__\":{\"k\":\"b\"}," T("q", "F32", "[2]",
                                                                      "[0,8]") "," T("end", "F32", "[0]", "[8,8]") "}");
    write_index(
        "{\"metadata\":{\"total_size\":16},\"weight_map\":{\"q\":\"b.safetensors\",\"x\":\"a.safetensors\",\"p\":"
        "\"a.safetensors\",\"end\":\"b.safetensors\"}}");
    if (kz_weights_open_dir(&w, dir, &err) != KZTTS_OK)
        fail_msg("%s", err.message);
    assert_int_equal(kz_weights_count(w), 4);
    assert_string_equal(kz_weights_at(w, 0)->name, "end");
    assert_string_equal(kz_weights_at(w, 3)->name, "x");
    assert_string_equal(kz_weights_meta(w, "k"), "a");
    const kz_tensor *t;
    assert_int_equal(kz_weights_get(&t, w, "q", 1, (const size_t[]){3}, &err), KZTTS_ERROR_FORMAT);
    assert_non_null(strstr(err.message, "b.safetensors"));
    kz_weights_close(w);

    write_shard("model.safetensors", "{" T("single", "F32", "[2]", "[0,8]") "}"); /* comes first */
    assert_int_equal(kz_weights_open_dir(&w, dir, &err), KZTTS_OK);
    assert_int_equal(kz_weights_count(w), 1);
    kz_weights_close(w);
    assert_int_equal(unlink(path_of("model.safetensors")), 0);
}

static void test_damaged_indexes(void **state) {
    static const struct {
        const char *text;
        kztts_status status;
        const char *fragment;
    } rows[] = {
        {"{", KZTTS_ERROR_FORMAT, "model.safetensors.index.json: not usable JSON at byte 1"},
        {"[]", KZTTS_ERROR_FORMAT, "expected a JSON object, found a list"},
        {"{}", KZTTS_ERROR_FORMAT, "weight_map: expected one object, found nothing"},
        {"{\"weight_map\":[]}", KZTTS_ERROR_FORMAT, "weight_map: expected one object, found a list"},
        {"{\"weight_map\":{},\"weight_map\":{}}", KZTTS_ERROR_FORMAT, "weight_map: expected one object, found two"},
        {"{\"weight_map\":{}}", KZTTS_ERROR_FORMAT, "weight_map is empty"},
        {"{\"weight_map\":{\"x\":1}}", KZTTS_ERROR_FORMAT, "\"x\": expected the plain name of a file, found 1"},
        {"{\"weight_map\":{\"x\":\"\"}}", KZTTS_ERROR_FORMAT, "expected the plain name of a file"},
        {"{\"weight_map\":{\"x\":\"../a.safetensors\"}}", KZTTS_ERROR_FORMAT, "expected the plain name of a file"},
        {"{\"weight_map\":{\"x\":\"/etc/passwd\"}}", KZTTS_ERROR_FORMAT, "expected the plain name of a file"},
        {"{\"weight_map\":{\"x\":\"d\\\\a\"}}", KZTTS_ERROR_FORMAT, "expected the plain name of a file"},
        {"{\"weight_map\":{\"x\":\".\"}}", KZTTS_ERROR_FORMAT, "expected the plain name of a file"},
        {"{\"weight_map\":{\"x\":\"..\"}}", KZTTS_ERROR_FORMAT, "expected the plain name of a file"},
        {"{\"weight_map\":{\"x\":\"none.safetensors\"}}", KZTTS_ERROR_NOT_FOUND, "none.safetensors"},
        {"{\"weight_map\":{\"gone\":\"a.safetensors\"}}", KZTTS_ERROR_FORMAT,
         "tensor \"gone\" is not in a.safetensors"},
        {"{\"weight_map\":{\"x\":\"a.safetensors\",\"q\":\"a.safetensors\"}}", KZTTS_ERROR_FORMAT,
         "tensor \"q\" is not in a.safetensors"},
        {"{\"weight_map\":{\"x\":\"b.safetensors\",\"p\":\"a.safetensors\"}}", KZTTS_ERROR_FORMAT,
         "tensor \"x\" is not in b.safetensors"},
        {"{\"weight_map\":{\"x\":\"a.safetensors\",\"p\":\"f.safetensors\"}}", KZTTS_ERROR_FORMAT,
         "tensor \"x\" is in two files"},
    };
    (void)state;
    write_shard("a.safetensors", "{" T("x", "F32", "[1]", "[0,4]") "," T("p", "F32", "[1]", "[4,8]") "}");
    write_shard("b.safetensors", "{" T("q", "F32", "[2]", "[0,8]") "}");
    write_shard("f.safetensors", "{" T("x", "F32", "[2]", "[0,8]") "}");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kz_weights *w = (kz_weights *)state;
        kz_err err = {""};
        write_index(rows[i].text);
        check_failure(kz_weights_open_dir(&w, dir, &err), rows[i].status, &err, rows[i].fragment, rows[i].text);
        assert_null(w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_damaged_headers, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_no_message_wanted, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_damaged_lengths, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_json_bombs, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_directory, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_tensors, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_get, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_copy, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_many_tensors, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_changed_bytes, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_shards, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_damaged_indexes, make_dir, remove_dir),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
