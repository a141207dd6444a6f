/* test_tokenizer.c: the fixtures' strings with the released vocabulary, exactly.  SPDX-License-Identifier: Apache-2.0
 *
 * Reads $KZTTS_SHARED/fixtures/tokenizer/tokenizer.safetensors (tokenizer.json says the same, but one string holds a
 * NUL, which cJSON can't give) and $KZTTS_SHARED/data/qwen_tokenizer. Skipped, loudly, without that variable (or the
 * macro KZ_SHARED). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <cjson/cJSON.h>

#include "text/text.h"

enum { N_STRING = 266, N_OTHER = 7, EXIT_SKIPPED = 77, VOCABULARY = 151676 };

typedef struct fixture {
    unsigned char *file;
    size_t n_file;
    cJSON *header;
    const unsigned char *data; /* behind the header */
    kz_tokenizer *native, *mistral;
} fixture;

static const char *shared_folder(void) {
    const char *dir = getenv("KZTTS_SHARED");
#ifdef KZ_SHARED
    if (!dir || !*dir)
        dir = KZ_SHARED;
#endif
    return dir && *dir ? dir : NULL;
}

/* Little endian, whatever the machine. */
static int64_t read_int(const unsigned char *p, size_t n_byte) {
    uint64_t v = 0;
    for (size_t i = 0; i < n_byte; i++)
        v |= (uint64_t)p[i] << 8 * i;
    return n_byte == 4 ? (int64_t)(int32_t)(uint32_t)v : (int64_t)v;
}

/* The bytes of a tensor of the fixture file. */
static const unsigned char *tensor(const fixture *f, const char *name, size_t *n_byte) {
    const cJSON *entry = cJSON_GetObjectItemCaseSensitive(f->header, name);
    const cJSON *offsets = cJSON_GetObjectItemCaseSensitive(entry, "data_offsets");
    assert_int_equal(cJSON_GetArraySize(offsets), 2);
    size_t begin = (size_t)offsets->child->valuedouble, end = (size_t)offsets->child->next->valuedouble;
    assert_true(begin <= end && end <= f->n_file - (size_t)(f->data - f->file));
    *n_byte = end - begin;
    return f->data + begin;
}

static int64_t offset_at(const unsigned char *offsets, size_t i) { return read_int(offsets + 8 * i, 8); }

/* Whether the ids of string i are the fixture's. */
static bool string_passes(const kz_tokenizer *tok, const fixture *f, const char *pattern, size_t i) {
    char name[64];
    size_t n;
    const unsigned char *text = tensor(f, "text", &n), *at = tensor(f, "text_offsets", &n);
    snprintf(name, sizeof name, "%s_ids", pattern);
    const unsigned char *want = tensor(f, name, &n);
    snprintf(name, sizeof name, "%s_offsets", pattern);
    const unsigned char *want_at = tensor(f, name, &n);
    assert_int_equal(n, 8 * (N_STRING + 1));
    const char *begin = (const char *)text + offset_at(at, i);
    size_t length = (size_t)(offset_at(at, i + 1) - offset_at(at, i));
    size_t n_want = (size_t)(offset_at(want_at, i + 1) - offset_at(want_at, i));
    kz_ids ids = {0};
    kz_err err = {0};
    assert_int_equal(kz_tokenizer_encode(tok, begin, length, true, &ids, &err), KZTTS_OK);
    bool same = ids.n == n_want;
    for (size_t k = 0; same && k < n_want; k++)
        same = ids.id[k] == read_int(want + 4 * ((size_t)offset_at(want_at, i) + k), 4);
    if (!same) {
        print_error("%s, string %zu: \"%.*s\" became", pattern, i, (int)length, begin);
        for (size_t k = 0; k < ids.n; k++)
            print_error(" %d", (int)ids.id[k]);
        print_error("\n");
    }
    kz_ids_free(&ids);
    return same;
}

static int open_fixture(void **state) {
    static fixture f;
    char path[4096];
    kz_err err = {0};
    char *file = NULL;
    snprintf(path, sizeof path, "%s/fixtures/tokenizer/tokenizer.safetensors", shared_folder());
    kztts_status status = kz_file_read(&file, &f.n_file, path, 16 << 20, &err);
    f.file = (unsigned char *)file;
    if (status >= 0 && f.n_file >= 8) {
        size_t n_header = (size_t)read_int(f.file, 8);
        assert_true(n_header <= f.n_file - 8);
        f.header = cJSON_ParseWithLength(file + 8, n_header);
        f.data = f.file + 8 + n_header;
    }
    snprintf(path, sizeof path, "%s/data/qwen_tokenizer", shared_folder());
    if (!f.header || kz_tokenizer_open(&f.native, path, KZ_PATTERN_NATIVE, &err) < 0 ||
        kz_tokenizer_open(&f.mistral, path, KZ_PATTERN_MISTRAL, &err) < 0) {
        print_error("%s\n", err.message);
        return -1;
    }
    *state = &f;
    return 0;
}

static int close_fixture(void **state) {
    fixture *f = *state;
    kz_tokenizer_close(f->native);
    kz_tokenizer_close(f->mistral);
    cJSON_Delete(f->header);
    kz_free(f->file);
    return 0;
}

/* How many strings fail when `tok` is held against the ids of a pattern. */
static size_t count_failures(const kz_tokenizer *tok, const fixture *f, const char *pattern) {
    size_t n, wrong = 0;
    (void)tensor(f, "text_offsets", &n);
    assert_int_equal(n, 8 * (N_STRING + 1));
    for (size_t i = 0; i < N_STRING; i++)
        wrong += !string_passes(tok, f, pattern, i);
    return wrong;
}

static void golden_tokenizer_native(void **state) {
    const fixture *f = *state;
    assert_int_equal(count_failures(f->native, f, "native"), 0);
}

static void golden_tokenizer_mistral(void **state) {
    const fixture *f = *state;
    assert_int_equal(count_failures(f->mistral, f, "mistral"), 0);
}

/* The fixtures can tell the patterns apart: seven strings differ. */
static void golden_tokenizer_patterns_differ(void **state) {
    const fixture *f = *state;
    size_t n, wrong = 0;
    const unsigned char *text = tensor(f, "text", &n), *at = tensor(f, "text_offsets", &n);
    for (size_t i = 0; i < N_STRING; i++) {
        kz_ids a = {0}, b = {0};
        const char *begin = (const char *)text + offset_at(at, i);
        size_t length = (size_t)(offset_at(at, i + 1) - offset_at(at, i));
        assert_int_equal(kz_tokenizer_encode(f->native, begin, length, true, &a, NULL), KZTTS_OK);
        assert_int_equal(kz_tokenizer_encode(f->mistral, begin, length, true, &b, NULL), KZTTS_OK);
        wrong += a.n != b.n || (a.n && memcmp(a.id, b.id, a.n * sizeof *a.id) != 0);
        kz_ids_free(&a);
        kz_ids_free(&b);
    }
    assert_int_equal(wrong, N_OTHER);
}

static void golden_tokenizer_size(void **state) {
    const fixture *f = *state;
    assert_int_equal(kz_tokenizer_size(f->native), VOCABULARY);
    assert_int_equal(kz_tokenizer_size(f->mistral), VOCABULARY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_tokenizer_native),
        cmocka_unit_test(golden_tokenizer_mistral),
        cmocka_unit_test(golden_tokenizer_patterns_differ),
        cmocka_unit_test(golden_tokenizer_size),
    };
    if (!shared_folder()) {
        fprintf(stderr, "SKIPPED: golden_tokenizer needs KZTTS_SHARED, the folder with fixtures/ and data/\n");
        return EXIT_SKIPPED;
    }
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
