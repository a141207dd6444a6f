/* test_voice_import.c: other engines' voice files: what is taken, what is refused.  SPDX-License-Identifier: Apache-2.0
 *
 * The files are the seeds of the fuzz targets: those of torch/ were written by torch.save. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "voice/voice.h"

#define SEEDS KZ_TEST_DATA "/../fuzz/seeds/"
#define LENGTH(a) (sizeof(a) / sizeof *(a))

enum { MOST = 1 << 16, GROUPS = 16, QWEN_CODES = 48 };

static kz_voice_file f;
static kz_err err;

static size_t read_seed(unsigned char data[MOST], const char *name) {
    char path[512];
    (void)snprintf(path, sizeof path, SEEDS "%s", name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s is missing", path);
    size_t n = fread(data, 1, MOST, file);
    fclose(file);
    return n;
}

/* Of exactly n bytes, so that the address sanitizer sees a read beyond. */
static kztts_status import_bytes(const char *reader, const void *data, size_t n, const char *which) {
    void *copy = malloc(n ? n : 1);
    kztts_status status = KZTTS_ERROR_FAILED;
    assert_non_null(copy);
    if (n)
        memcpy(copy, data, n);
    err.message[0] = 0;
    if (!strcmp(reader, "torch"))
        status = kz_voice_import_torch(&f, copy, n, which, "file", &err);
    else if (!strcmp(reader, "qvoice"))
        status = kz_voice_import_qvoice(&f, copy, n, "file", &err);
    else if (!strcmp(reader, "voicepack"))
        status = kz_voice_import_gguf(&f, copy, n, which, "file", &err);
    free(copy);
    return status;
}

static kztts_status import_seed(const char *name, const char *which) {
    static unsigned char data[MOST];
    char reader[32];
    size_t n = read_seed(data, name), slash = strcspn(name, "/");
    assert_true(slash < sizeof reader);
    memcpy(reader, name, slash);
    reader[slash] = 0;
    return import_bytes(reader, data, n, which);
}

static void must_import(const char *name, const char *which) {
    if (import_seed(name, which) != KZTTS_OK)
        fail_msg("%s: %s", name, err.message);
    assert_string_equal(f.text[KZ_VOICE_FAMILY], KZ_VOICE_FAMILY_NAME);
    assert_string_equal(f.text[KZ_VOICE_SOURCE], "imported");
    assert_int_equal(strlen(f.text[KZ_VOICE_SOURCE_SHA256]), 64);
}

static void must_refuse(const char *name, const char *which, const char *fragment) {
    if (import_seed(name, which) != KZTTS_ERROR_FORMAT)
        fail_msg("%s was taken", name);
    if (!strstr(err.message, fragment))
        fail_msg("%s: \"%s\" has no \"%s\"", name, err.message, fragment);
    assert_null(f.x_vector);
    assert_null(f.ref_code);
    assert_null(f.strings);
}

static void check_vector(size_t n, const float *want) {
    assert_int_equal(f.d_model, n);
    assert_memory_equal(f.x_vector, want, n * sizeof *want);
}

static void check_codes(size_t n_frame, size_t n_code, const kz_code *want) {
    assert_int_equal(f.n_ref, n_frame);
    assert_int_equal(f.n_code, n_code);
    assert_memory_equal(f.ref_code, want, n_frame * n_code * sizeof *want);
}

static void check_words(const char *want) {
    const char *got = f.text[KZ_VOICE_REF_TEXT];
    assert_true(!got == !want);
    if (want)
        assert_string_equal(got, want);
}

/* The codes in the seeds of fixed layout: code i * 37 mod 2048, and one more for each voice before. */
static void check_qwen_codes(kz_code plus) {
    kz_code want[QWEN_CODES];
    for (kz_code i = 0; i < QWEN_CODES; i++)
        want[i] = (i * 37 % 2048 + plus) % 2048;
    check_codes(3, GROUPS, want);
}

static const float four[] = {0.5f, -1, 2, 0.25f};

/* ---- .pt ---------------------------------------------------------------------------------------------------- */

static void test_torch(void **state) {
    (void)state;
    static const float vector[] = {0.5f, 0.75f, 1, 1.25f};
    static const kz_code codes[] = {0, 7, 6, 5, 4, 3};
    static const char *const whole[] = {"torch/official", "torch/objects", "torch/five", "torch/zipped"};
    for (size_t i = 0; i < LENGTH(whole); i++) {
        must_import(whole[i], NULL);
        check_vector(4, vector);
        check_codes(3, 2, codes);
        check_words("one two three");
        kz_voice_file_free(&f);
    }
    static const char *const alone[] = {"torch/vector_only", "torch/half"};
    for (size_t i = 0; i < LENGTH(alone); i++) {
        must_import(alone[i], NULL);
        check_vector(4, vector);
        assert_null(f.ref_code);
        check_words(NULL);
        kz_voice_file_free(&f);
    }
}

/* Tensors that are views of others, lists, other types. */
static void test_torch_forms(void **state) {
    (void)state;
    static const float views[] = {2, 7, 12, 17}, doubles[] = {0.5f, 1, 2, 3};
    static const kz_code view_codes[] = {1, 7, 2, 0, 3, 1}, list_codes[] = {1, 2, 3, 4};
    must_import("torch/views", NULL);
    check_vector(4, views);
    check_codes(3, 2, view_codes);
    kz_voice_file_free(&f);
    must_import("torch/lists", NULL);
    check_vector(4, four);
    check_codes(2, 2, list_codes);
    check_words("lists");
    kz_voice_file_free(&f);
    must_import("torch/double", NULL); /* its codes are left aside */
    check_vector(4, doubles);
    assert_null(f.ref_code);
    kz_voice_file_free(&f);
}

static void test_torch_several(void **state) {
    (void)state;
    static const char *const wrong[] = {NULL, "0", "3", "", "b", "1b", "99999999999999999999999"};
    must_import("torch/two", "2");
    check_words("zwei");
    assert_true(f.x_vector[0] == 1.5f);
    kz_voice_file_free(&f);
    must_import("torch/two", "1");
    check_words("one two three");
    kz_voice_file_free(&f);
    for (size_t i = 0; i < LENGTH(wrong); i++)
        must_refuse("torch/two", wrong[i], "it holds 2 voices; choose one by its number, 1 to 2");
}

static void test_torch_refused(void **state) {
    (void)state;
    must_refuse("torch/evil", NULL, "it names posix.system of Python");
    must_refuse("torch/old", NULL, "not a file of torch.save since version 1.6");
    must_refuse("torch/deflated", NULL, "is compressed");
}

/* One byte or word of a good file is changed. */
static void must_refuse_changed(const char *name, const char *from, size_t n, size_t at, unsigned char to,
                                const char *fragment) {
    static unsigned char data[MOST];
    size_t size = read_seed(data, name), i = 0;
    while (i + n <= size && memcmp(data + i, from, n) != 0)
        i++;
    assert_true(i + n <= size);
    data[i + at] = to;
    if (import_bytes("torch", data, size, NULL) != KZTTS_ERROR_FORMAT)
        fail_msg("%s: taken", fragment);
    if (!strstr(err.message, fragment))
        fail_msg("\"%s\" has no \"%s\"", err.message, fragment);
}

static void test_torch_changed(void **state) {
    (void)state;
    static const struct {
        const char *from;
        size_t n, at;
        unsigned char to;
        const char *fragment;
    } changes[] = {
        {"QK\0K\3K\2\x86", 7, 4, 200, "goes beyond its storage"},
        {"QK\0K\3K\2\x86", 7, 2, 1, "goes beyond its storage"},
        {"QK\0K\3K\2\x86", 7, 4, 0, "goes beyond its storage"},
        {"QK\0K\4\x85", 6, 5, ')', "isn't a tensor of one dimension"},
        {"LongStorage", 11, 0, 'K', "it names torch.KongStorage"},
        {"LongStorage", 11, 3, 'z', "it names torch.LonzStorage"},
        {"\x80\2}q", 4, 1, 9, "a protocol other than 2 to 5"},
        {"\x80\2}q", 4, 2, 'R', "a value is missing"},
        {"\x80\2}q", 4, 2, '0', "instruction 0x30"},
        {"storageq", 8, 7, 'h', "never filled"},
        {"itemsq", 6, 0, 'I', "no speaker vector"},
        {"ref_spk_embedding", 17, 0, 'R', "no speaker vector"},
        {"ref_text", 8, 0, 'R', "codes of a recording need ref_text"},
        {"one two", 7, 3, 0, "ref_text: a NUL at byte 3"},
        {"one two", 7, 0, 0xff, "ref_text: not UTF-8 at byte 0"},
        {"little", 6, 0, 'b', "another byte order"},
        {"PK\5\6", 4, 0, 'Q', "the directory at its end is missing"},
        {"PK\1\2", 4, 0, 'Q', "has a damaged directory"},
        {"PK\3\4", 4, 3, 'Q', "not a file of torch.save"},
    };
    for (size_t i = 0; i < LENGTH(changes); i++) {
        must_refuse_changed("torch/official", changes[i].from, changes[i].n, changes[i].at, changes[i].to,
                            changes[i].fragment);
    }
}

/* ---- .qvoice ------------------------------------------------------------------------------------------------ */

static void test_qvoice(void **state) {
    (void)state;
    static const char *const whole[] = {"qvoice/icl", "qvoice/graft"};
    for (size_t i = 0; i < LENGTH(whole); i++) {
        must_import(whole[i], NULL);
        check_vector(4, four);
        check_qwen_codes(0);
        check_words("one two");
        assert_string_equal(f.text[KZ_VOICE_LANGUAGE], "italian");
        assert_string_equal(f.text[KZ_VOICE_NAME], "Anna");
        kz_voice_file_free(&f);
    }
    must_import("qvoice/two", NULL); /* version 2 */
    check_vector(4, four);
    assert_null(f.text[KZ_VOICE_NAME]);
    kz_voice_file_free(&f);
    must_import("qvoice/one", NULL);
    assert_int_equal(f.d_model, 1024);
    kz_voice_file_free(&f);
    must_import("qvoice/vector_only", NULL);
    assert_null(f.ref_code);
    kz_voice_file_free(&f);
    must_import("qvoice/long_name", NULL); /* cut inside a character */
    assert_int_equal(strlen(f.text[KZ_VOICE_NAME]), 62);
    kz_voice_file_free(&f);
}

static void test_qvoice_refused(void **state) {
    (void)state;
    static unsigned char data[MOST];
    must_refuse("qvoice/delta", NULL, "the weight-delta form");
    must_refuse("qvoice/cut", NULL, "cut off");
    must_refuse("qvoice/code_range", NULL, "code 2097152 isn't from 0 to 1048575");
    must_refuse("qvoice/frames", NULL, "frames of the recording: expected 0 to 4096, found 4294967295");
    size_t n = read_seed(data, "qvoice/graft"), n_taken = 0;
    for (size_t i = 0; i < n; i++)
        n_taken += import_bytes("qvoice", data, i, NULL) == KZTTS_OK ? (kz_voice_file_free(&f), 1U) : 0;
    assert_int_equal(n_taken, 3); /* where a section ends */
    data[4] = 4;
    assert_int_equal(import_bytes("qvoice", data, n, NULL), KZTTS_ERROR_FORMAT);
    assert_non_null(strstr(err.message, "version 4"));
    data[0] = 'q';
    assert_int_equal(import_bytes("qvoice", data, n, NULL), KZTTS_ERROR_FORMAT);
    assert_non_null(strstr(err.message, "doesn't begin with QVCE"));
}

/* ---- .spk, .rvq, .txt --------------------------------------------------------------------------------------- */

/* From a seed: sizes of vector and codes, then the bytes. */
static kztts_status import_pair(const char *name) {
    static unsigned char data[MOST];
    size_t n = read_seed(data, name), n_vector = data[0], n_code = data[1];
    kz_voice_pair pair = {.vector = data + 2, .n_vector = n_vector};
    if (n_code != 255) {
        pair.code = data + 2 + n_vector;
        pair.n_code = n_code;
        pair.n_text = n - 2 - n_vector - n_code;
        pair.text = pair.n_text ? data + 2 + n_vector + n_code : NULL;
    }
    err.message[0] = 0;
    return kz_voice_import_pair(&f, &pair, "file", &err);
}

static void test_pair(void **state) {
    (void)state;
    static const char *const whole[] = {"pair/all", "pair/bom"};
    for (size_t i = 0; i < LENGTH(whole); i++) {
        if (import_pair(whole[i]) != KZTTS_OK)
            fail_msg("%s", err.message);
        check_vector(4, four);
        check_qwen_codes(0);
        check_words("one two");
        kz_voice_file_free(&f);
    }
    assert_int_equal(import_pair("pair/alone"), KZTTS_OK);
    check_vector(4, four);
    assert_null(f.ref_code);
    kz_voice_file_free(&f);
    assert_int_equal(import_pair("pair/no_text"), KZTTS_ERROR_FORMAT);
    assert_non_null(strstr(err.message, "but no .txt"));
    assert_int_equal(import_pair("pair/odd"), KZTTS_ERROR_FORMAT);
    assert_non_null(strstr(err.message, "expected 22 a frame"));
}

/* ---- voice packs -------------------------------------------------------------------------------------------- */

static void test_pack(void **state) {
    (void)state;
    static const float first[] = {0.5f, 1.5f, 2.5f, 3.5f}, second[] = {1.5f, 2.5f, 3.5f, 4.5f};
    static const char *const whole[] = {"voicepack/one", "voicepack/consent"};
    for (size_t i = 0; i < LENGTH(whole); i++) {
        must_import(whole[i], NULL);
        check_vector(4, first);
        check_qwen_codes(0);
        check_words("one two");
        assert_string_equal(f.text[KZ_VOICE_NAME], "anna");
        assert_true(!f.text[KZ_VOICE_CONSENT] == !i);
        kz_voice_file_free(&f);
    }
    must_import("voicepack/two", "ben");
    check_vector(4, second);
    check_qwen_codes(1);
    check_words("drei");
    kz_voice_file_free(&f);
    must_import("voicepack/vectors", "anna");
    assert_null(f.ref_code);
    kz_voice_file_free(&f);
}

static void test_pack_refused(void **state) {
    (void)state;
    static unsigned char data[MOST];
    must_refuse("voicepack/two", NULL, "it holds 2 voices; choose one by its name: anna, ben");
    must_refuse("voicepack/two", "carl", "it holds 2 voices; choose one by its name: anna, ben");
    must_refuse("voicepack/model", NULL, "but no voice pack");
    must_refuse("voicepack/half", NULL, "the speaker vector of the voice: no such tensor, or of another type or shape");
    must_refuse("voicepack/cut", NULL, "truncated");
    size_t n = read_seed(data, "voicepack/one");
    for (size_t i = 0; i < n; i++)
        if (import_bytes("voicepack", data, i, NULL) == KZTTS_OK)
            fail_msg("taken when cut off at %zu", i);
    data[4] = 1;
    assert_int_equal(import_bytes("voicepack", data, n, NULL), KZTTS_ERROR_FORMAT);
    assert_non_null(strstr(err.message, "version 1; versions 2 and 3 can be read"));
}

/* ---- by the ending ------------------------------------------------------------------------------------------ */

static void test_endings(void **state) {
    (void)state;
    assert_int_equal(kz_voice_import(&f, "voice.xyz", NULL, &err), KZTTS_ERROR_ARGUMENT);
    assert_non_null(strstr(err.message, "not a form that can be imported"));
    assert_int_equal(kz_voice_import(&f, "voice.json", "anna", &err), KZTTS_ERROR_ARGUMENT);
    assert_non_null(strstr(err.message, ".json files hold one voice"));
    static const char *const none[] = {"none.spk", "none.QVOICE", "none.pt", "none.gguf"};
    for (size_t i = 0; i < LENGTH(none); i++)
        assert_int_equal(kz_voice_import(&f, none[i], NULL, &err), KZTTS_ERROR_NOT_FOUND);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_torch),          cmocka_unit_test(test_torch_forms),
        cmocka_unit_test(test_torch_several),  cmocka_unit_test(test_torch_refused),
        cmocka_unit_test(test_torch_changed),  cmocka_unit_test(test_qvoice),
        cmocka_unit_test(test_qvoice_refused), cmocka_unit_test(test_pair),
        cmocka_unit_test(test_pack),           cmocka_unit_test(test_pack_refused),
        cmocka_unit_test(test_endings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
