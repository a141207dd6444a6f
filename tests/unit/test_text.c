/* test_text.c: UTF-8, NFC, words, and the tiny checkpoint's tokenizer.  SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "text/internal.h"

#define CHECKPOINT KZ_TEST_DATA "/checkpoints/tiny-cv"
#define LENGTH(a) (sizeof(a) / sizeof *(a))

/* ---- characters -------------------------------------------------------------------------------------------- */

static void test_utf8_valid_prefix(void **state) {
    static const struct {
        const char *text;
        size_t n, valid;
    } row[] = {
        {"", 0, 0},
        {"abc", 3, 3},
        {"a\0b", 3, 3},
        {"\xC2\x80\xDF\xBF", 4, 4},
        {"\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF", 12, 12},
        {"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", 8, 8},
        {"ab\x80", 3, 2},               /* continuation alone */
        {"ab\xC0\x80", 4, 2},           /* overlong NUL */
        {"\xC1\xBF", 2, 0},             /* overlong DEL */
        {"x\xE0\x9F\xBF", 4, 1},        /* overlong, three bytes */
        {"x\xF0\x8F\xBF\xBF", 5, 1},    /* overlong, four bytes */
        {"xy\xED\xA0\x80", 5, 2},       /* first surrogate */
        {"xy\xED\xBF\xBF", 5, 2},       /* last surrogate */
        {"\xF4\x90\x80\x80", 4, 0},     /* above U+10FFFF */
        {"\xF5\x80\x80\x80", 4, 0},     /* no such lead */
        {"\xFF", 1, 0},                 /* no such byte */
        {"\xE4\xBB\x8A\xE4\xBB", 5, 3}, /* cut off */
        {"\xF0\x9F\x98", 3, 0},         /* cut off */
        {"a\xC3", 2, 1},                /* cut off */
        {"a\xC3"
         "b",
         3, 1}, /* second byte is none */
        {"\xE4\xBB"
         "ab",
         4, 0},                         /* third byte is none */
        {"\xF0\x9F\x98\x41", 4, 0},     /* fourth byte is none */
        {"h\xC3\xA9llo \xE9 x", 10, 7}, /* Latin-1 in UTF-8 */
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(row); i++)
        if (kz_utf8_valid(row[i].text, row[i].n) != row[i].valid)
            fail_msg("row %zu: %zu instead of %zu", i, kz_utf8_valid(row[i].text, row[i].n), row[i].valid);
}

static size_t put_utf8(char out[4], uint32_t c) {
    if (c < 0x80)
        return out[0] = (char)c, 1;
    if (c < 0x800)
        return out[0] = (char)(0xC0 | c >> 6), out[1] = (char)(0x80 | (c & 63)), 2;
    if (c < 0x10000)
        return out[0] = (char)(0xE0 | c >> 12), out[1] = (char)(0x80 | (c >> 6 & 63)), out[2] = (char)(0x80 | (c & 63)),
               3;
    out[0] = (char)(0xF0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 63));
    out[2] = (char)(0x80 | (c >> 6 & 63));
    out[3] = (char)(0x80 | (c & 63));
    return 4;
}

static void test_utf8_every_code_point(void **state) {
    (void)state;
    for (uint32_t c = 0; c < 0x110000; c++) {
        char s[4];
        size_t n = put_utf8(s, c), at = 0;
        bool surrogate = c >= 0xD800 && c < 0xE000;
        assert_int_equal(kz_utf8_valid(s, n), surrogate ? 0 : n);
        if (!surrogate) {
            assert_int_equal(kz_utf8_next(s, &at), c);
            assert_int_equal(at, n);
        }
    }
}

static void test_speakable(void **state) {
    static const char *const yes[] = {"a", "...7", "今", "ア", "한", "д", "٣", "Ⅷ", "½", "ª", "  é", "ǅ", "ʰ"};
    static const char *const no[] = {"",     " ", "\n\t",     "...", "!?",           "😀",
                                     "👍🏽", "—", "\xCC\x81", "€",   "\xEF\xBB\xBF", "。"};
    (void)state;
    for (size_t i = 0; i < LENGTH(yes); i++)
        if (!kz_text_speakable(yes[i], strlen(yes[i])))
            fail_msg("\"%s\" should be speakable", yes[i]);
    for (size_t i = 0; i < LENGTH(no); i++)
        if (kz_text_speakable(no[i], strlen(no[i])))
            fail_msg("\"%s\" shouldn't be speakable", no[i]);
    assert_true(kz_text_speakable("\0a", 2));
    assert_false(kz_text_speakable("\0", 1));
}

/* Specification 2.1, step 4, computed the other way round: the 188 that stay, then the rest in order. */
static void test_byte_alphabet(void **state) {
    uint32_t next = 0x100;
    (void)state;
    for (uint32_t byte = 0; byte < 256; byte++) {
        bool stays = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
        char want[4], got[2];
        size_t n = put_utf8(want, stays ? byte : next);
        next += !stays;
        assert_int_equal(kz_byte_character((unsigned char)byte, got), n);
        assert_memory_equal(got, want, n);
    }
    assert_int_equal(next, 0x144);
}

static void test_quote(void **state) {
    char quote[KZ_QUOTE];
    char text[100];
    (void)state;
    assert_string_equal(kz_text_quote(quote, "a\nb\x7F", 4), "a?b?");
    assert_string_equal(kz_text_quote(quote, "", 0), "");
    memset(text, 'x', sizeof text);
    assert_string_equal(kz_text_quote(quote, text, 44), "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    memcpy(text + 42, "\xE4\xBB\x8A", 3); /* a character across the cut goes as a whole */
    assert_string_equal(kz_text_quote(quote, text, 45), "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...");
}

/* ---- NFC --------------------------------------------------------------------------------------------------- */

static void test_nfc_table(void **state) {
    static const struct {
        const char *in, *out;
    } row[] = {
        {"plain", "plain"},
        {"e\xCC\x81", "\xC3\xA9"},                        /* e + acute */
        {"\xC3\xA9", "\xC3\xA9"},                         /* there already */
        {"\xE1\xB8\x8A\xCC\xA3", "\xE1\xB8\x8C\xCC\x87"}, /* D dot above + dot below */
        {"a\xCC\x81\xCC\xA3", "\xE1\xBA\xA1\xCC\x81"},    /* marks change places */
        {"\xEF\xAC\x81\xE2\x91\xA0\xEF\xBC\xA1",
         "\xEF\xAC\x81\xE2\x91\xA0\xEF\xBC\xA1"},                 /* not folded: fi, (1), wide A */
        {"\xE2\x84\xAB", "\xC3\x85"},                             /* angstrom sign: A ring */
        {"\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB", "\xED\x95\x9C"}, /* Hangul L V T */
        {"\xEA\xB0\x80\xE1\x86\xA8", "\xEA\xB0\x81"},             /* Hangul LV T */
        {"\xEA\xB0\x80\xE1\x86\xA7", "\xEA\xB0\x80\xE1\x86\xA7"}, /* U+11A7 is no final consonant */
        {"\xE0\xA5\x98", "\xE0\xA4\x95\xE0\xA4\xBC"},             /* excluded from composition */
        {"\xEF\xA9\xAA", "\xE9\xA0\xBB"},                         /* compatibility ideograph */
        {"\xCC\x81", "\xCC\x81"},                                 /* a mark alone */
        {"\xCD\x84", "\xCC\x88\xCC\x81"},                         /* mark that is always decomposed */
    };
    kz_nfc_work work = {{0}, {0}};
    (void)state;
    for (size_t i = 0; i < LENGTH(row); i++) {
        const char *out;
        size_t n;
        assert_int_equal(kz_text_nfc(row[i].in, strlen(row[i].in), &work, &out, &n, NULL), KZTTS_OK);
        if (n != strlen(row[i].out) || memcmp(out, row[i].out, n) != 0)
            fail_msg("row %zu", i);
    }
    kz_scratch_free(&work.points);
    kz_scratch_free(&work.marks);
}

/* A quarter million marks in the worst order: sorted stably, and soon. */
static void test_nfc_many_marks(void **state) {
    enum { HALF = 1 << 17 };
    char *text = malloc(4 * HALF + 1);
    const char *out;
    size_t n;
    kz_nfc_work work = {{0}, {0}};
    (void)state;
    assert_non_null(text);
    text[0] = 'q'; /* composes with neither */
    for (size_t i = 0; i < 2 * HALF; i++)
        memcpy(text + 1 + 2 * i, i < HALF ? "\xCC\x81" : "\xCC\xA3", 2); /* class 230 before class 220 */
    assert_int_equal(kz_text_nfc(text, 4 * HALF + 1, &work, &out, &n, NULL), KZTTS_OK);
    assert_int_equal(n, 4 * HALF + 1);
    for (size_t i = 0; i < 2 * HALF; i++)
        assert_memory_equal(out + 1 + 2 * i, i < HALF ? "\xCC\xA3" : "\xCC\x81", 2);
    kz_scratch_free(&work.points);
    kz_scratch_free(&work.marks);
    free(text);
}

/* ---- words ------------------------------------------------------------------------------------------------- */

/* Splits and joins with '^'. */
static void split_into(char *out, size_t room, kz_pattern pattern, const char *text, size_t n) {
    kz_splitter *splitter;
    kz_splitter_work *work;
    size_t at = 0, end = 0, used = 0;
    assert_int_equal(kz_splitter_new(&splitter, pattern, NULL), KZTTS_OK);
    assert_int_equal(kz_splitter_work_new(&work, splitter, NULL), KZTTS_OK);
    for (; at < n; at = end) {
        assert_int_equal(kz_splitter_next(splitter, work, text, n, at, &end, NULL), KZTTS_OK);
        assert_true(end > at && end <= n && used + (end - at) + 1 < room);
        if (at)
            out[used++] = '^';
        memcpy(out + used, text + at, end - at);
        used += end - at;
    }
    out[used] = 0;
    kz_splitter_work_free(work);
    kz_splitter_free(splitter);
}

static void test_words(void **state) {
    static const struct {
        const char *text, *native, *mistral; /* NULL: the same */
    } row[] = {
        {"", "", NULL},
        {"Hello, world.", "Hello^,^ world^.", NULL},
        {"two  spaces", "two^ ^ spaces", NULL},
        {"a \n b", "a^ \n^ b", NULL},
        {"a\n  b", "a^\n^ ^ b", NULL},
        {"x\r\n\r\ny", "x^\r\n\r\n^y", NULL},
        {"end   ", "end^   ", NULL},
        {"1234", "1^2^3^4", NULL},
        {"a 5", "a^ ^5", NULL},
        {"we've I'LL", "we^'ve^ I^'LL", NULL},
        {"it'\xC5\xBF x", "it^'\xC5\xBF^ x", NULL}, /* long s folds to s */
        {"!!\n\nx", "!!\n\n^x", NULL},
        {"$a #b", "$a^ #^b", NULL},
        {"iPhone", "iPhone", "i^Phone"},
        {"XMLHttpRequest", "XMLHttpRequest", "XMLHttp^Request"},
        {"a//\n/b", "a^//\n^/b", "a^//\n/^b"},
        {"a\xC2\xA0"
         "b",
         "a^\xC2\xA0"
         "b",
         NULL},
        {"a\xE3\x80\x80\xE3\x80\x80"
         "b",
         "a^\xE3\x80\x80^\xE3\x80\x80"
         "b",
         NULL},
        {"a\xE1\xA0\x8E\xE1\xA0\x8E"
         "b",
         "a^\xE1\xA0\x8E\xE1\xA0\x8E^b", NULL}, /* U+180E is no white space any more */
        {"\xE0\xB8\xAA\xE0\xB8\xA7\xE0\xB8\xB1\xE0\xB8\xAA", "\xE0\xB8\xAA\xE0\xB8\xA7^\xE0\xB8\xB1\xE0\xB8\xAA",
         "\xE0\xB8\xAA\xE0\xB8\xA7\xE0\xB8\xB1\xE0\xB8\xAA"}, /* Thai: a mark ends a word, or doesn't */
    };
    char got[256];
    (void)state;
    for (size_t i = 0; i < LENGTH(row); i++) {
        split_into(got, sizeof got, KZ_PATTERN_NATIVE, row[i].text, strlen(row[i].text));
        if (strcmp(got, row[i].native) != 0)
            fail_msg("native, row %zu: %s", i, got);
        split_into(got, sizeof got, KZ_PATTERN_MISTRAL, row[i].text, strlen(row[i].text));
        if (strcmp(got, row[i].mistral ? row[i].mistral : row[i].native) != 0)
            fail_msg("mistral, row %zu: %s", i, got);
    }
}

/* ---- the tiny checkpoint's tokenizer ------------------------------------------------------------------------ */

static void expect_ids(const kz_tokenizer *tok, const char *text, size_t n, bool special, const int32_t *want,
                       size_t n_want) {
    kz_ids ids = {0};
    kz_err err = {0};
    assert_int_equal(kz_tokenizer_encode(tok, text, n, special, &ids, &err), KZTTS_OK);
    assert_int_equal(ids.n, n_want);
    if (n_want)
        assert_memory_equal(ids.id, want, n_want * sizeof *want);
    kz_ids_free(&ids);
}

static kz_tokenizer *open_tiny(kz_pattern pattern) {
    kz_tokenizer *tok = NULL;
    kz_err err = {0};
    if (kz_tokenizer_open(&tok, CHECKPOINT, pattern, &err) < 0)
        fail_msg("%s", err.message);
    return tok;
}

static void test_encode_table(void **state) {
    static const struct {
        const char *text;
        bool special;
        int32_t id[24];
        size_t n;
    } row[] = {
        {"Hello, world.", false, {39, 301, 385, 11, 289, 269, 507, 13}, 8},
        {" leading space", false, {512, 329, 287, 274, 79, 578}, 6},
        {"trailing space ", false, {376, 604, 287, 274, 79, 578, 220}, 7},
        {"a\n\n\nb", false, {64, 271, 198, 65}, 4},
        {"tab\tseparated", false, {83, 370, 197, 325, 79, 277, 266, 291}, 8},
        {"don't SHOUT'LL", false, {67, 263, 6, 83, 328, 39, 46, 52, 51, 6, 43, 43}, 12},
        {"1,234", false, {16, 11, 17, 18, 19}, 5},
        {"caf\xC3\xA9", false, {66, 64, 69, 127, 102}, 5},
        {"cafe\xCC\x81", false, {66, 64, 69, 127, 102}, 5},
        {"\xF0\x9F\x98\x80", false, {172, 253, 246, 222}, 4},
        {"\xC2\xA0x\xE3\x80\x80y", false, {126, 254, 87, 159, 222, 222, 88}, 7},
        {"there in the   rain", false, {339, 485, 304, 279, 256, 435, 466}, 7},
        {"say <|im_end|> aloud", true, {82, 352, 220, 662, 452, 283, 67}, 7},
        {"say <|im_end|> aloud", false, {82, 352, 366, 91, 318, 62, 408, 91, 29, 452, 283, 67}, 12},
        {"<|im_start|>assistant\nthe<|im_end|>\n", true, {661, 659, 198, 339, 68, 662, 198}, 7},
        {"<|im_end|><|im_end|>", true, {662, 662}, 2},
        {"", true, {0}, 0},
        {"", false, {0}, 0},
    };
    (void)state;
    for (int pattern = 0; pattern < 2; pattern++) {
        kz_tokenizer *tok = open_tiny(pattern ? KZ_PATTERN_MISTRAL : KZ_PATTERN_NATIVE);
        for (size_t i = 0; i < LENGTH(row); i++)
            expect_ids(tok, row[i].text, strlen(row[i].text), row[i].special, row[i].id, row[i].n);
        assert_int_equal(kz_tokenizer_size(tok), 693);
        kz_tokenizer_close(tok);
    }
    kz_tokenizer_close(NULL);
}

static void test_encode_appends_and_restores(void **state) {
    kz_tokenizer *tok = open_tiny(KZ_PATTERN_NATIVE);
    kz_ids ids = {0};
    kz_err err = {0};
    (void)state;
    assert_int_equal(kz_ids_push(&ids, 7, &err), KZTTS_OK);
    assert_int_equal(kz_tokenizer_encode(tok, "a\0b", 3, true, &ids, &err), KZTTS_OK);
    assert_int_equal(ids.n, 4);
    assert_int_equal(ids.id[0], 7);
    assert_int_equal(ids.id[1], 64);
    assert_int_equal(ids.id[3], 65);
    assert_int_equal(kz_tokenizer_encode(tok, "fine so far \xED\xA0\x80", 15, true, &ids, &err), KZTTS_ERROR_TEXT);
    assert_non_null(strstr(err.message, "byte offset 12"));
    assert_non_null(strstr(err.message, "0xED"));
    assert_int_equal(ids.n, 4);
    assert_int_equal(kz_tokenizer_encode(tok, NULL, 0, true, &ids, &err), KZTTS_OK);
    assert_int_equal(ids.n, 4);
    kz_ids_free(&ids);
    assert_null(ids.id);
    kz_tokenizer_close(tok);
}

/* Long runs: as many ids as the text has when cut where the words and merges allow it. */
static void test_encode_long_runs(void **state) {
    enum { N = 100000 };
    static const char *const run[] = {"a", "A", " ", "\n", ".", "the", "<", "\xE4\xBB\x8A", "\xCC\x81", " \n"};
    kz_tokenizer *tok = open_tiny(KZ_PATTERN_NATIVE);
    char *text = malloc(N + 8);
    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < LENGTH(run); i++) {
        size_t k = strlen(run[i]), n = N / k * k;
        kz_ids ids = {0};
        kz_err err = {0};
        for (size_t at = 0; at < n; at += k)
            memcpy(text + at, run[i], k);
        assert_int_equal(kz_tokenizer_encode(tok, text, n, true, &ids, &err), KZTTS_OK);
        assert_in_range(ids.n, 1, n);
        kz_ids_free(&ids);
    }
    free(text);
    kz_tokenizer_close(tok);
}

static void test_encode_too_long(void **state) {
    kz_tokenizer *tok = open_tiny(KZ_PATTERN_NATIVE);
    char *text = calloc((size_t)KZ_TEXT_MAX + 1, 1); /* NUL is valid UTF-8 */
    kz_ids ids = {0};
    kz_err err = {0};
    (void)state;
    assert_non_null(text);
    assert_int_equal(kz_tokenizer_encode(tok, text, (size_t)KZ_TEXT_MAX + 1, true, &ids, &err), KZTTS_ERROR_TEXT);
    assert_non_null(strstr(err.message, "67108865 bytes"));
    assert_int_equal(ids.n, 0);
    free(text);
    kz_tokenizer_close(tok);
}

typedef struct caller {
    const kz_tokenizer *tok;
    kz_ids ids;
    kztts_status status;
} caller;

static const char thread_text[] = "The caf\xC3\xA9 <|im_end|> \xED\x95\x9C cafe\xCC\x81 getUserById 1234\n\n  x";

static void *encode_often(void *arg) {
    caller *c = arg;
    for (int i = 0; i < 200 && c->status >= 0; i++) {
        c->ids.n = 0;
        c->status = kz_tokenizer_encode(c->tok, thread_text, sizeof thread_text - 1, true, &c->ids, NULL);
    }
    return NULL;
}

static void test_encode_threads(void **state) {
    enum { N_THREAD = 4 };
    kz_tokenizer *tok = open_tiny(KZ_PATTERN_NATIVE);
    caller call[N_THREAD] = {{0}};
    pthread_t thread[N_THREAD];
    kz_ids want = {0};
    (void)state;
    for (size_t i = 0; i < N_THREAD; i++) {
        call[i].tok = tok;
        assert_int_equal(pthread_create(&thread[i], NULL, encode_often, &call[i]), 0);
    }
    assert_int_equal(kz_tokenizer_encode(tok, thread_text, sizeof thread_text - 1, true, &want, NULL), KZTTS_OK);
    for (size_t i = 0; i < N_THREAD; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(call[i].status, KZTTS_OK);
        assert_int_equal(call[i].ids.n, want.n);
        assert_memory_equal(call[i].ids.id, want.id, want.n * sizeof *want.id);
        kz_ids_free(&call[i].ids);
    }
    kz_ids_free(&want);
    kz_tokenizer_close(tok);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_utf8_valid_prefix),
        cmocka_unit_test(test_utf8_every_code_point),
        cmocka_unit_test(test_speakable),
        cmocka_unit_test(test_byte_alphabet),
        cmocka_unit_test(test_quote),
        cmocka_unit_test(test_nfc_table),
        cmocka_unit_test(test_nfc_many_marks),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_encode_table),
        cmocka_unit_test(test_encode_appends_and_restores),
        cmocka_unit_test(test_encode_long_runs),
        cmocka_unit_test(test_encode_too_long),
        cmocka_unit_test(test_encode_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
