/* test_text_files.c: tokenizers made here: merge order, added tokens, damaged files.  SPDX-License-Identifier: Apache-2.0
 *
 * Random tests take their seed from the first argument or KZTTS_TEST_SEED and print it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mkdtemp */
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "text/internal.h"

#define LENGTH(a) (sizeof(a) / sizeof *(a))

static uint64_t seed = 1;

static uint32_t next_random(void) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33);
}

/* ---- a folder with tokenizer files -------------------------------------------------------------------------- */

static char folder[512];
static const char *const file_name[3] = {"vocab.json", "merges.txt", "tokenizer_config.json"};

static const char *path_of(int file) {
    static char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, file_name[file]);
    return path;
}

static void write_file(int file, const char *text, size_t n) {
    FILE *f = fopen(path_of(file), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static int make_folder(void **state) {
    const char *tmp = getenv("TMPDIR");
    (void)state;
    snprintf(folder, sizeof folder, "%s/kztts-text-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++)
        (void)remove(path_of(i));
    return rmdir(folder);
}

/* The 256 bytes as ids 0 to 255, then `more` (beginning with a comma, or empty). Returns the length. */
static size_t make_vocab(char *out, const char *more) {
    char *p = out;
    *p++ = '{';
    for (unsigned byte = 0; byte < 256; byte++) {
        char c[2];
        size_t n = kz_byte_character((unsigned char)byte, c);
        p += sprintf(p, "%s\"%s%.*s\":%u", byte ? "," : "", byte == '"' || byte == '\\' ? "\\" : "", (int)n, c, byte);
    }
    p += sprintf(p, "%s}\n", more);
    return (size_t)(p - out);
}

static const char small_more[] = ",\"aa\":256,\"aaaa\":257,\"ab\":258,\"bc\":259,\"abc\":260,\"\xC4\xA0"
                                 "a\":261";
static const char small_merges[] = "#version: 0.2\na a\naa aa\nb c\na b\na bc\nab c\n\xC4\xA0 a\n";
static const char small_config[] = "{\"added_tokens_decoder\":{\"300\":{\"content\":\"<x>\",\"special\":true},"
                                   "\"301\":{\"content\":\"<x><y>\",\"normalized\":false},"
                                   "\"302\":{\"content\":\"<x\"},\"303\":{\"content\":\"e\xCC\x81\"}}}";

static void write_small(void) {
    char vocab[8192];
    write_file(0, vocab, make_vocab(vocab, small_more));
    write_file(1, small_merges, strlen(small_merges));
    write_file(2, small_config, strlen(small_config));
}

static kz_tokenizer *open_folder(void) {
    kz_tokenizer *tok = NULL;
    kz_err err = {0};
    if (kz_tokenizer_open(&tok, folder, KZ_PATTERN_NATIVE, &err) < 0)
        fail_msg("%s", err.message);
    return tok;
}

static void expect_ids(const kz_tokenizer *tok, const char *text, bool special, const int32_t *want, size_t n_want) {
    kz_ids ids = {0};
    assert_int_equal(kz_tokenizer_encode(tok, text, strlen(text), special, &ids, NULL), KZTTS_OK);
    bool same = ids.n == n_want;
    for (size_t i = 0; same && i < n_want; i++)
        same = ids.id[i] == want[i];
    if (!same)
        fail_msg("\"%s\" became %zu ids, the first is %d", text, ids.n, ids.n ? (int)ids.id[0] : -1);
    kz_ids_free(&ids);
}

#define EXPECT(tok, text, special, ...)                                                                                \
    expect_ids(tok, text, special, (const int32_t[]){__VA_ARGS__}, LENGTH(((const int32_t[]){__VA_ARGS__})))

/* ---- order of merges ---------------------------------------------------------------------------------------- */

static void test_merges_order(void **state) {
    (void)state;
    write_small();
    kz_tokenizer *tok = open_folder();
    EXPECT(tok, "aa", false, 256);
    EXPECT(tok, "aaa", false, 256, 'a'); /* equal ranks: the leftmost first */
    EXPECT(tok, "aaaaa", false, 257, 'a');
    EXPECT(tok, "aaaaaa", false, 257, 256);
    EXPECT(tok, "aaaaaaaa", false, 257, 257);
    EXPECT(tok, "abc", false, 260); /* b c has the lower rank, then a bc */
    EXPECT(tok, "aabc", false, 256, 259);
    EXPECT(tok, "ab", false, 258);
    EXPECT(tok, "b a", false, 'b', 261);
    EXPECT(tok, "b ", false, 'b', ' ');
    assert_int_equal(kz_tokenizer_size(tok), 304);
    kz_tokenizer_close(tok);
}

static void test_merges_line_ends(void **state) {
    static const char text[] = "#version: 0.2\r\na a\r\n\r\naa aa"; /* CRLF, empty line, no end at the end */
    (void)state;
    write_small();
    write_file(1, text, strlen(text));
    kz_tokenizer *tok = open_folder();
    EXPECT(tok, "aaaa", false, 257);
    kz_tokenizer_close(tok);
    write_file(1, "", 0); /* no merges at all */
    tok = open_folder();
    EXPECT(tok, "aaaa", false, 'a', 'a', 'a', 'a');
    kz_tokenizer_close(tok);
    write_file(1, "a a\na b\na a\n", 12); /* a rule twice: its first rank counts */
    tok = open_folder();
    EXPECT(tok, "aab", false, 256, 'b');
    kz_tokenizer_close(tok);
}

static void test_long_word(void **state) {
    enum { N = 100003 };
    char *text = malloc(N);
    kz_ids ids = {0};
    (void)state;
    assert_non_null(text);
    write_small();
    kz_tokenizer *tok = open_folder();
    memset(text, 'a', N);
    assert_int_equal(kz_tokenizer_encode(tok, text, N, false, &ids, NULL), KZTTS_OK);
    assert_int_equal(ids.n, N / 4 + 2);
    for (size_t i = 0; i < N / 4; i++)
        assert_int_equal(ids.id[i], 257);
    assert_int_equal(ids.id[N / 4], 256);
    assert_int_equal(ids.id[N / 4 + 1], 'a');
    kz_ids_free(&ids);
    kz_tokenizer_close(tok);
    free(text);
}

/* The rule as specification 2.1 says it, without any cleverness: find the best pair, merge it, again. */
static size_t encode_plainly(const kz_merges *merges, const char *word, size_t n, int32_t *id) {
    for (size_t i = 0; i < n; i++)
        id[i] = (unsigned char)word[i];
    for (;;) {
        uint32_t best = KZ_NO_RANK;
        size_t at = 0;
        for (size_t i = 0; i + 1 < n; i++) {
            uint32_t rank = kz_merges_rank(merges, id[i], id[i + 1]);
            if (rank < best) {
                best = rank;
                at = i;
            }
        }
        if (best == KZ_NO_RANK)
            return n;
        id[at] = merges->merged[best];
        n--;
        memmove(id + at + 1, id + at + 2, (n - at - 1) * sizeof *id);
    }
}

/* A random vocabulary over a few letters: every token is two earlier ones in a row. */
static void write_random(void) {
    enum { N_TOKEN = 60 };
    static char vocab[65536], merges[65536], more[49152];
    char token[N_TOKEN + 4][40];
    size_t n = 4, n_more = 0, n_merges = 0;
    for (size_t i = 0; i < 4; i++)
        snprintf(token[i], sizeof token[i], "%c", (char)('a' + (int)i));
    while (n < N_TOKEN) {
        const char *left = token[next_random() % n], *right = token[next_random() % n];
        char joined[80];
        bool known = false;
        int length = snprintf(joined, sizeof joined, "%s%s", left, right);
        for (size_t i = 0; i < n; i++)
            known = known || !strcmp(token[i], joined);
        if (length >= 40)
            continue;
        n_merges += (size_t)snprintf(merges + n_merges, sizeof merges - n_merges, "%s %s\n", left, right);
        if (!known) {
            n_more += (size_t)snprintf(more + n_more, sizeof more - n_more, ",\"%s\":%zu", joined, 252 + n);
            memcpy(token[n++], joined, (size_t)length + 1);
        }
        assert_true(n_merges < sizeof merges - 128 && n_more < sizeof more - 128);
    }
    write_file(0, vocab, make_vocab(vocab, more));
    write_file(1, merges, n_merges);
    write_file(2, small_config, strlen(small_config));
}

static void test_bpe_random(void **state) {
    (void)state;
    for (int round = 0; round < 20; round++) {
        kz_vocab vocab;
        kz_merges merges;
        kz_bpe_work work = {{0}, {0}};
        int32_t byte_id[256], want[200];
        write_random();
        assert_int_equal(kz_vocab_load(&vocab, &(kz_text_source){.path = path_of(0)}, NULL), KZTTS_OK);
        assert_int_equal(kz_merges_load(&merges, &vocab, &(kz_text_source){.path = path_of(1)}, NULL), KZTTS_OK);
        for (int i = 0; i < 256; i++)
            byte_id[i] = i;
        for (int k = 0; k < 200; k++) {
            char word[200];
            size_t n = 1 + next_random() % (k % 10 ? 20 : 200);
            kz_ids ids = {0};
            for (size_t i = 0; i < n; i++)
                word[i] = (char)('a' + next_random() % 4);
            size_t n_want = encode_plainly(&merges, word, n, want);
            assert_int_equal(kz_bpe_word(&merges, byte_id, word, n, &work, &ids, NULL), KZTTS_OK);
            assert_int_equal(ids.n, n_want);
            assert_memory_equal(ids.id, want, n_want * sizeof *want);
            kz_ids_free(&ids);
        }
        kz_scratch_free(&work.symbols);
        kz_scratch_free(&work.heap);
        kz_merges_free(&merges);
        kz_vocab_free(&vocab);
    }
}

/* ---- added tokens ------------------------------------------------------------------------------------------- */

static void test_added_tokens(void **state) {
    (void)state;
    write_small();
    kz_tokenizer *tok = open_folder();
    EXPECT(tok, "<x>", true, 300);
    EXPECT(tok, "<x><y>", true, 301); /* the longest */
    EXPECT(tok, "<x><z>", true, 300, '<', 'z', '>');
    EXPECT(tok, "<x", true, 302);
    EXPECT(tok, "<<x", true, '<', 302);
    EXPECT(tok, "<xx>", true, 302, 'x', '>');
    EXPECT(tok, "a<x>a", true, 'a', 300, 'a');
    EXPECT(tok, "a<x>a", false, 'a', '<', 'x', '>', 'a');
    EXPECT(tok, "<X>", true, '<', 'X', '>');
    EXPECT(tok, "e\xCC\x81", true, 303); /* found before normalisation */
    EXPECT(tok, "\xC3\xA9", true, 0xC3, 0xA9);
    EXPECT(tok, "e<x>\xCC\x81", true, 'e', 300, 0xCC, 0x81); /* nothing composes across a token */
    kz_tokenizer_close(tok);
}

/* ---- damaged files ------------------------------------------------------------------------------------------ */

typedef struct damage {
    int file;
    const char *text; /* NULL: no file. For vocab.json a text that begins with a comma comes after the bytes */
    const char *said; /* part of the message */
} damage;

#define ADDED(inside) "{\"added_tokens_decoder\":{" inside "}}"

static const damage damages[] = {
    {0, NULL, "vocab.json"},
    {1, NULL, "merges.txt"},
    {2, NULL, "tokenizer_config.json"},
    {0, "", "not valid JSON at byte 0"},
    {0, "[]", "expected a JSON object"},
    {0, "{}", "no token for the byte 0x00"},
    {0, "{\"a\":1", "not valid JSON"},
    {0, "{\"a\":1}x", "not valid JSON at byte 7"},
    {0, "{\"a\xFF\":1}", "byte 3 isn't UTF-8"},
    {0, ",\"cut\":25", NULL}, /* replaced below: the closing brace is cut off */
    {0, ",\"zz\":97", "id 97, which another token has already"},
    {0, ",\"a\":300", "\"a\" is there twice"},
    {0, ",\"zz\":-1", "no whole number"},
    {0, ",\"zz\":1.5", "no whole number"},
    {0, ",\"zz\":16777216", "no whole number"},
    {0, ",\"zz\":1e300", "no whole number"},
    {0, ",\"zz\":\"300\"", "no whole number"},
    {0, ",\"zz\":null", "no whole number"},
    {0, ",\"zz\":{\"a\":[1]}", "no whole number"},
    {0, ",\"z\\nz\":true", "\"z?z\""},
    {1, "a a\nq a\n", "line 2, \"q a\": what they become isn't in vocab.json"},
    {1, "a a\naz a\n", "line 2, \"az a\": the first token"},
    {1, "a a\na az\n", "line 2, \"a az\": the second token"},
    {1, "#version: 0.2\na\n", "line 2, \"a\", isn't two tokens"},
    {1, "a a\n#version: 0.2\n", "line 2"},
    {1, "a  a\n", "isn't two tokens"},
    {1, " a\n", "isn't two tokens"},
    {1, "a \n", "isn't two tokens"},
    {1, "a a a\n", "isn't two tokens"},
    {1, "a\ta\n", "isn't two tokens"},
    {1, "a \xC3\n", "byte 2 isn't UTF-8"},
    {2, "{", "not valid JSON"},
    {2, "{}", "added_tokens_decoder is missing"},
    {2, "{\"added_tokens_decoder\":[]}", "added_tokens_decoder is missing or not an object"},
    {2, ADDED("\"x\":{\"content\":\"<x>\"}"), "key \"x\""},
    {2, ADDED("\"-1\":{\"content\":\"<x>\"}"), "key \"-1\""},
    {2, ADDED("\"\":{\"content\":\"<x>\"}"), "key \"\""},
    {2, ADDED("\"16777216\":{\"content\":\"<x>\"}"), "key \"16777216\""},
    {2, ADDED("\"99999999999\":{\"content\":\"<x>\"}"), "key \"99999999999\""},
    {2, ADDED("\"300\":{}"), "added token 300 needs a \"content\""},
    {2, ADDED("\"300\":7"), "added token 300 needs a \"content\""},
    {2, ADDED("\"300\":{\"content\":\"\"}"), "added token 300 needs a \"content\""},
    {2, ADDED("\"300\":{\"content\":\"<x>\",\"lstrip\":true}"), "sets \"lstrip\""},
    {2, ADDED("\"300\":{\"content\":\"<x>\",\"normalized\":true}"), "sets \"normalized\""},
    {2, ADDED("\"97\":{\"content\":\"<x>\"}"), "added token 97 contradicts"},
    {2, ADDED("\"300\":{\"content\":\"a\"}"), "added token 300 contradicts"},
    {2, ADDED("\"300\":{\"content\":\"<x>\"},\"300\":{\"content\":\"<y>\"}"), "added token 300 contradicts"},
    {2, ADDED("\"300\":{\"content\":\"<x>\"},\"301\":{\"content\":\"<x>\"}"), "\"<x>\" is there twice"},
};

static void expect_failure(const char *what, kztts_status status, const char *said) {
    kz_tokenizer *tok = NULL;
    kz_err err = {0};
    kztts_status got = kz_tokenizer_open(&tok, folder, KZ_PATTERN_NATIVE, &err);
    assert_null(tok);
    if (got != status || !strstr(err.message, said))
        fail_msg("%s: status %d, \"%s\"", what, (int)got, err.message);
}

static void test_damaged_files(void **state) {
    char vocab[8192];
    (void)state;
    for (size_t i = 0; i < LENGTH(damages); i++) {
        const damage *d = &damages[i];
        char what[32];
        snprintf(what, sizeof what, "row %zu", i);
        write_small();
        if (!d->text)
            assert_int_equal(remove(path_of(d->file)), 0);
        else if (d->file == 0 && d->text[0] == ',') {
            size_t n = make_vocab(vocab, d->text);
            write_file(0, vocab, d->said ? n : n - 2);
        } else {
            write_file(d->file, d->text, strlen(d->text));
        }
        expect_failure(what, d->text ? KZTTS_ERROR_FORMAT : KZTTS_ERROR_NOT_FOUND,
                       d->said ? d->said : "not valid JSON");
        if (d->text) { /* every message names the file */
            kz_tokenizer *tok;
            kz_err err = {0};
            (void)kz_tokenizer_open(&tok, folder, KZ_PATTERN_NATIVE, &err);
            assert_non_null(strstr(err.message, file_name[d->file]));
        }
    }
}

static void test_missing_byte(void **state) {
    char vocab[8192];
    (void)state;
    write_small();
    make_vocab(vocab, "");
    char *at = strstr(vocab, "\"q\":");
    assert_non_null(at);
    at[1] = ' '; /* a token that no byte has; the byte of q has none */
    write_file(0, vocab, strlen(vocab));
    expect_failure("missing byte", KZTTS_ERROR_FORMAT, "no token for the byte 0x71");
}

static void test_hostile_sizes(void **state) {
    enum { DEEP = 100000, LONG = 1 << 20 };
    char *text = malloc(KZ_TEXT_FILE_MAX + 1);
    (void)state;
    assert_non_null(text);
    write_small();
    memset(text, '[', DEEP); /* nesting */
    write_file(2, text, DEEP);
    expect_failure("nesting", KZTTS_ERROR_FORMAT, "not valid JSON");
    write_small();
    memset(text, 'a', LONG); /* one huge line */
    text[LONG / 2] = ' ';
    write_file(1, text, LONG);
    expect_failure("huge line", KZTTS_ERROR_FORMAT, "line 1");
    memset(text, ' ', KZ_TEXT_FILE_MAX + 1);
    write_file(1, text, KZ_TEXT_FILE_MAX + 1);
    expect_failure("huge file", KZTTS_ERROR_FORMAT, "limit");
    write_small();
    size_t n = (size_t)sprintf(text, "{\"added_tokens_decoder\":{\"300\":{\"content\":\"");
    memset(text + n, 'a', KZ_ADDED_LENGTH_MAX + 1);
    strcpy(text + n + KZ_ADDED_LENGTH_MAX + 1, "\"}}}");
    write_file(2, text, strlen(text));
    expect_failure("long added token", KZTTS_ERROR_FORMAT, "needs a \"content\" of 1 to 1024 bytes");
    free(text);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_merges_order), cmocka_unit_test(test_merges_line_ends),
        cmocka_unit_test(test_long_word),    cmocka_unit_test(test_bpe_random),
        cmocka_unit_test(test_added_tokens), cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_missing_byte), cmocka_unit_test(test_hostile_sizes),
    };
    const char *given = argc > 1 ? argv[1] : getenv("KZTTS_TEST_SEED");
    if (given && *given)
        seed = strtoull(given, NULL, 10);
    printf("seed %llu\n", (unsigned long long)seed);
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
